"""Verification of derivatives: the tool behind `retro verify`, the fuzzer and their tests."""
