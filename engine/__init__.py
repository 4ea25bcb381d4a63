"""The engine is C++; its Python emulates GPUs and runs tests."""
