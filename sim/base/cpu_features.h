// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef REPRISE_SIM_BASE_CPU_FEATURES_H_
#define REPRISE_SIM_BASE_CPU_FEATURES_H_

namespace reprise::sim {

// Whether this CPU has these instructions and the system keeps their registers.
// False wherever the program isn't built for x86-64.
//
// As glibc has it, so that GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2 takes from the
// program what it takes from libm. __builtin_cpu_supports doesn't heed it, and
// needs a part of libgcc that a linker doesn't find any more where it optimises
// across files.
bool HasAvx();
bool HasAvx2();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_CPU_FEATURES_H_
