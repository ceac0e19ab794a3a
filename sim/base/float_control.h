// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The floating-point control register as every step needs it: rounding to
// nearest, subnormal numbers kept, no exception trapped. Any library in the
// process may change the register of a thread; a step that runs inside a
// ScopedFloatControl is not reached by that.

#ifndef REPRISE_SIM_BASE_FLOAT_CONTROL_H_
#define REPRISE_SIM_BASE_FLOAT_CONTROL_H_

#include <cstdint>

namespace reprise::sim {

// The calling thread's register: MXCSR on x86-64, FPCR on aarch64.
uint64_t ReadFloatControl();
void WriteFloatControl(uint64_t control);

// Gives the calling thread the one setting that simulations run under.
void SetDeterministicFloatControl();

// Whether the calling thread has it: round to nearest, no flushing of subnormal
// results or operands to zero, all exceptions masked. Bits that only record
// which exceptions have occurred don't count.
bool FloatControlIsDeterministic();

// Sets the deterministic control for its own lifetime, checks at the end that
// it was still in force, and gives the caller's back. Lives on one thread's
// stack; may be nested.
class [[nodiscard]] ScopedFloatControl {
 public:
  ScopedFloatControl();

  // CHECKs FloatControlIsDeterministic(): whatever changed the register during
  // a step may have changed the results of the step.
  ~ScopedFloatControl();

  ScopedFloatControl(const ScopedFloatControl&) = delete;
  ScopedFloatControl& operator=(const ScopedFloatControl&) = delete;

 private:
  const uint64_t caller_control_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_FLOAT_CONTROL_H_
