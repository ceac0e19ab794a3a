// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Calls the C library's sine, as no simulation may, so that the test of libm's
// symbols has something to find.

#include <cmath>

double LibmSymbolsCanary(double angle_rad) { return std::sin(angle_rad); }
