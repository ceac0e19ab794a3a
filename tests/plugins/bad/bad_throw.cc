// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include <stdexcept>

extern "C" [[noreturn]] void bad_throw();

void bad_throw() { throw std::runtime_error("no such apple"); }
