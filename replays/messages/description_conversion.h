// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a simulation says of its game as a message, with names in place of ids.

#ifndef REPRISE_REPLAYS_MESSAGES_DESCRIPTION_CONVERSION_H_
#define REPRISE_REPLAYS_MESSAGES_DESCRIPTION_CONVERSION_H_

#include "reprise/v1/description.pb.h"
#include "sim/simulation.h"

namespace reprise::replays {

// Of the simulation's info, its inputs and its description.
v1::GameDescription DescriptionOf(const sim::Simulation& simulation);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_MESSAGES_DESCRIPTION_CONVERSION_H_
