// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/cpu_features.h"

#if defined(__x86_64__)
// It is a header of C.
#define _Bool bool  // NOLINT(bugprone-reserved-identifier)
#include <sys/platform/x86.h>
#undef _Bool
#endif

namespace reprise::sim {

#if defined(__x86_64__)

bool HasAvx() { return CPU_FEATURE_ACTIVE(AVX); }
bool HasAvx2() { return CPU_FEATURE_ACTIVE(AVX2); }

#else

bool HasAvx() { return false; }
bool HasAvx2() { return false; }

#endif

}  // namespace reprise::sim
