// The stages have names: they are listed, printed after, and the one that breaks
// the code is named.
// RUN: %retro-clang -O1 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-print-stages | FileCheck --check-prefix=LIST %s
// RUN: %retro-clang -O1 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-print-after=retarget,post-opt 2>&1 | FileCheck --check-prefix=AFTER %s
// RUN: %retro-clang -O1 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-verify-each 2>&1 | count 0
// RUN: env RETRO_VERIFY_EACH=0 not %retro-clang -O2 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-break-stage=number-addresses 2>&1 | FileCheck --check-prefix=END %s
// RUN: not %retro-clang -O2 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-break-stage=number-addresses -mllvm -retro-verify-each 2>&1 | FileCheck --check-prefix=POLISH %s
// One of each list of prepare: of those that are repeated, of those behind them, and of the whole unit.
// RUN: not %retro-clang -O2 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-break-stage=inline -mllvm -retro-verify-each 2>&1 | FileCheck --check-prefix=PREPARE -DSTAGE=inline %s
// RUN: not %retro-clang -O2 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-break-stage=heads -mllvm -retro-verify-each 2>&1 | FileCheck --check-prefix=PREPARE -DSTAGE=heads %s
// RUN: not %retro-clang -O2 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-break-stage=retarget -mllvm -retro-verify-each 2>&1 | FileCheck --check-prefix=PREPARE -DSTAGE=retarget %s
// RUN: not %retro-clang -O2 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-break-stage=control-flow -mllvm -retro-verify-each 2>&1 | FileCheck --check-prefix=PREPARE -DSTAGE=control-flow %s
#include "request.h"
double square(double x) { return x * x; }
double r(double x) { return __enzyme_autodiff((void *)square, x); }
// LIST: prepare:
// LIST: pre-opt LLVM's simplification
// LIST: retarget
// LIST: plan
// LIST: polish:
// LIST: post-opt
// LIST: scatters
// LIST: row-checks
// LIST: number-addresses
// AFTER: ; after retarget
// AFTER: @square.primal
// AFTER: ; after post-opt
// AFTER: @gradient_square
// AFTER-NOT: ; after
// END: the generated derivative of 'gradient_square' is not valid IR: after it was optimized (-retro-verify-each says by which stage)
// POLISH: retrograde: stage 'number-addresses' left invalid code in 'gradient_square'
// PREPARE: retrograde: stage '[[STAGE]]' left invalid code in 'square.primal'
