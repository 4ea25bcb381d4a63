"""The ablation study: every optimization switched off, one at a time, on every benchmark.

matrix      which cells there are
manifest    what the suites' build says about each benchmark
runner      compiles, verifies and times a cell; one JSON row each
machine     where and from which sources a row was measured
statistics  medians, quartiles, geometric means
tables      rows -> markdown
figures     rows -> PNG and SVG
report      everything that is drawn from a folder of rows
"""
