// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Asks for the time, as no script may, so that the test of Lua's symbols has
// something to find.

#include <ctime>

long LuaSymbolsCanary() { return std::time(nullptr); }  // determinism: a canary
