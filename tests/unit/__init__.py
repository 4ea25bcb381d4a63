"""Unit tests of the project's Python."""
