// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Why a pack refuses inputs, in the names that these had where they were
// recorded: the pack that refuses them knows neither button nor command.

#ifndef REPRISE_REPLAYS_PLAYING_NAMED_REFUSAL_H_
#define REPRISE_REPLAYS_PLAYING_NAMED_REFUSAL_H_

#include <string>

#include "replays/format/replay_reader.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {

// `reason`, as sim::ValidateInputs gives it, with the names of `recorded`:
// "button 3 (jump) is held, which no action of the pack uses", "the pack
// declares no command 'fly'". What has no name there stays a number.
std::string NameRefusal(std::string reason, const sim::InputGrammar& recorded);

// The same with the names of the pack inside `replay`, where that can be run.
std::string NameRecordedRefusal(std::string reason, const ReplayReader& replay);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_PLAYING_NAMED_REFUSAL_H_
