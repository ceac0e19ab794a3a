// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Programs that call what scripts may call, all of it, rightly and wrongly, in
// a small world in which every system has something to do with it.

#ifndef REPRISE_TESTS_WORLD_SCRIPT_API_PROGRAMS_H_
#define REPRISE_TESTS_WORLD_SCRIPT_API_PROGRAMS_H_

#include <cstdint>
#include <span>
#include <string>

namespace reprise::sim {

// A script that the bytes choose, of up to kApiCallsMax calls. Each may fail:
// what it does wrong is caught, and the script goes on.
std::string ApiProgramOf(std::span<const uint8_t> bytes);

inline constexpr int kApiCallsMax = 40;

// Steps a world with the script for a few ticks. Ends the process unless a
// snapshot of each is taken back, and goes on to the same state.
void PlayApiProgram(const std::string& source);

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_WORLD_SCRIPT_API_PROGRAMS_H_
