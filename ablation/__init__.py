"""The ablation study: every optimization switched off, one at a time, on every benchmark.

matrix      which cells there are
manifest    what the suites' build says about each benchmark
runner      compiles, verifies and times a cell; one JSON row each
study       which cells a figure is made of: the files in studies/
failures    why a cell has no time
intervals   ratios round by round, bootstrap intervals, outliers
compare     two measurements against each other
estimate    how long a study will take
tune        search of toggle settings
machine     where and from which sources a row was measured
roofs       what one core of the machine can do at most
statistics  medians, quartiles, geometric means
tables      rows -> markdown
drawing     how every figure looks; PNG and a small SVG
figures     rows -> figures
report      everything that is drawn from a folder of rows
study_tables, study_figures, study_report
            the same for a study
html        the report as one page
"""
