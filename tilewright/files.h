// SPDX-License-Identifier: Apache-2.0
// All of tilewright.h, and values from texts and from the library that comes with the program.
// Link with tilewright::files.
#pragma once

#include "tilewright/files/files.h"
#include "tilewright/tilewright.h"
