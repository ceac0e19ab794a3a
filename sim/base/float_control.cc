// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// All of it stays out of line: a call that the compiler can't see into is what
// keeps it from moving arithmetic across a change of the register.

#include "sim/base/float_control.h"

#include "sim/base/check.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace reprise::sim {

#if defined(__x86_64__)

namespace {

// Intel SDM volume 1, 10.2.3: the six exceptions masked, rounding control 00
// (nearest), flush-to-zero and denormals-are-zero clear.
constexpr uint64_t kDeterministic = 0x1f80;

// Bits 0 to 5 record exceptions that have occurred.
constexpr uint64_t kStatusBits = 0x3f;

}  // namespace

uint64_t ReadFloatControl() { return _mm_getcsr(); }

void WriteFloatControl(uint64_t control) {
  _mm_setcsr(static_cast<unsigned int>(control));
}

#elif defined(__aarch64__)

namespace {

// Arm ARM, FPCR: rounding mode 00 (nearest), no flush to zero (FZ, FZ16, FIZ),
// no default NaN, nothing trapped. What has occurred is recorded in FPSR.
constexpr uint64_t kDeterministic = 0;
constexpr uint64_t kStatusBits = 0;

}  // namespace

uint64_t ReadFloatControl() {
  uint64_t control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}

void WriteFloatControl(uint64_t control) {
  asm volatile("msr fpcr, %0" : : "r"(control));
}

#else
#error "The floating-point control register of this CPU is not known here."
#endif

void SetDeterministicFloatControl() { WriteFloatControl(kDeterministic); }

bool FloatControlIsDeterministic() {
  return (ReadFloatControl() & ~kStatusBits) == kDeterministic;
}

ScopedFloatControl::ScopedFloatControl() : caller_control_(ReadFloatControl()) {
  SetDeterministicFloatControl();
}

ScopedFloatControl::~ScopedFloatControl() {
  CHECK(FloatControlIsDeterministic(),
        "something changed the floating-point control register to {:#x}",
        ReadFloatControl());
  WriteFloatControl(caller_control_);
}

}  // namespace reprise::sim
