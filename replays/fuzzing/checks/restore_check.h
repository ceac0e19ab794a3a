// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether a run that goes on from a saved state is the run that was never
// interrupted.

#ifndef REPRISE_REPLAYS_FUZZING_CHECKS_RESTORE_CHECK_H_
#define REPRISE_REPLAYS_FUZZING_CHECKS_RESTORE_CHECK_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// Signatures of these failures begin with this.
inline constexpr std::string_view kRestoreSignature = "restore ";

// Restores `saved`, which sim::EncodeState made of the state at `tick`, in
// `simulation`, plays the inputs from there up to `end`, and compares with
// `expected`, the state there of the run that went on. `simulation` is then at
// some tick. The failure names the first field that differs.
std::optional<RunFailure> CheckRestoredRun(const std::string& saved,
                                           sim::Tick tick,
                                           std::span<const TickInputs> inputs,
                                           const sim::State& expected,
                                           sim::Tick end,
                                           sim::Simulation& simulation);

// The failure of `other`, a simulation that should be in state `expected`;
// nullopt where it is. The signature is `prefix` and the first field that
// differs, the message what `other` is, and both values of the field.
std::optional<RunFailure> DescribeOtherRun(std::string_view prefix,
                                           std::string_view what,
                                           const sim::State& expected,
                                           const sim::Simulation& other);

// The failure of `restored`, a simulation that went on from the state saved at
// `tick` and is where the other is in state `expected`; nullopt where both are
// the same.
std::optional<RunFailure> DescribeRestoredRun(sim::Tick tick,
                                              const sim::State& expected,
                                              const sim::Simulation& restored);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CHECKS_RESTORE_CHECK_H_
