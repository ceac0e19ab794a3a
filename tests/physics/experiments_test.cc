// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Every experiment comes out as it should, at every rate at which it holds:
// docs/physics.md tells of the others.

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {
namespace {

class ExperimentsTest : public testing::TestWithParam<uint32_t> {};

TEST_P(ExperimentsTest, ComeOutAsTheyShould) {
  const MakeEngine make = MakeOurEngine;
  for (const Experiment& experiment : AllExperiments()) {
    if (!experiment.holds.contains(GetParam())) continue;
    const double figure =
        experiment.run({.tick_s = 1.0 / GetParam(), .make = make});
    EXPECT_LE(Abs(figure - experiment.expected), experiment.tolerance)
        << experiment.name << ": " << experiment.measured << " is " << figure;
  }
}

INSTANTIATE_TEST_SUITE_P(Rates, ExperimentsTest,
                         testing::Values(30u, 60u, 120u, 240u),
                         [](const testing::TestParamInfo<uint32_t>& info) {
                           return std::to_string(info.param) + "Hz";
                         });

}  // namespace
}  // namespace reprise::sim
