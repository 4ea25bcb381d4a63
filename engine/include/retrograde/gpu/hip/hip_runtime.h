// Stands for the header of the SDK.
#pragma once
#include <retrograde/gpu/retro_hip.h>
