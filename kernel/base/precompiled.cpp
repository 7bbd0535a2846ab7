#include "kernel/base/precompiled.h"  // gives the header a target
