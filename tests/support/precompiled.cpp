#include "tests/support/precompiled.h"  // gives the header a target
