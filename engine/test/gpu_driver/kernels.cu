// The kernels alone.
#include "kernels.h"
