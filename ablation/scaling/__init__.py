"""Strong and weak scaling: primal and gradient over ranks and threads.

points   which runs a study consists of, and the program and arguments of each
places   where they run: this machine, a host file, a SLURM or PBS allocation; pinning
rows     what was measured: one JSON file a launch, never overwritten; export and merge
measure  runs what has no row yet
jobs     writes and submits the scripts of a batch system
series   rows -> medians, overhead, speed-up, efficiency
report   tables and figures
"""
