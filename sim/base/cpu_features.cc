// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#include <cstdint>
#endif

namespace reprise::sim {

#if defined(__x86_64__)

namespace {

__attribute__((target("xsave"))) bool FindAvx() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  constexpr unsigned kNeeded = bit_AVX | bit_OSXSAVE;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return false;
  if ((ecx & kNeeded) != kNeeded) return false;
  constexpr uint64_t kSavedBySystem = 0b110;  // the halves of AVX registers
  return (_xgetbv(0) & kSavedBySystem) == kSavedBySystem;
}

bool FindAvx2() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  return (ebx & bit_AVX2) != 0;
}

}  // namespace

bool HasAvx() {
  static const bool has_avx = FindAvx();
  return has_avx;
}

bool HasAvx2() {
  static const bool has_avx2 = HasAvx() && FindAvx2();
  return has_avx2;
}

#else

bool HasAvx() { return false; }
bool HasAvx2() { return false; }

#endif

}  // namespace reprise::sim
