// precompiled.h — what most tests include anyway, parsed once a preset.
//
// Role:     the precompiled header of tests. Never included by name.
#pragma once

#include <doctest/doctest.h>

#include "kernel/base/precompiled.h"
