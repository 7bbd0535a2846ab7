// The same for tests.
#pragma once

#include <doctest/doctest.h>

#include "kernel/base/precompiled.h"
