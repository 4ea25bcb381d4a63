; A kernel that nothing marks has no derivative.
; RUN: not %retro-opt %inputs/launch.ll 2>&1 | FileCheck %s
; CHECK: error: {{.*}}cannot differentiate a launch of the kernel 'scale': it is not marked [retro-launch]
