// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes the curve of a consideration of its message, for whoever lets packs
// say what speaks for something.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_SCORE_CURVE_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_SCORE_CURVE_COMPILER_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/decisions/utility.h"

namespace reprise::sim {

// Reports what is wrong at its place.
ScoreCurve CompileScoreCurve(const v1::BrainConsideration& message,
                             const MessageChecker& place);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_SCORE_CURVE_COMPILER_H_
