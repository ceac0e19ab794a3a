// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The simulation's plain structs to protobuf messages and back. What comes from
// a message is checked as far as the message alone allows; whether a pack
// accepts it is for sim::ValidateInputs to say.

#ifndef REPRISE_REPLAYS_MESSAGES_PROTO_CONVERSION_H_
#define REPRISE_REPLAYS_MESSAGES_PROTO_CONVERSION_H_

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "reprise/v1/event.pb.h"
#include "reprise/v1/frame.pb.h"
#include "reprise/v1/input.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/event.h"
#include "sim/frame.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/simulation.h"

namespace reprise::replays {

// The message for `frame`; what is at rest is left out where messages can say
// so. Commands are named by `grammar`, and their arguments are values.
// REQUIRES: `frame` passes ValidateInputs with it.
v1::InputFrame ToProto(const sim::InputFrame& frame,
                       const sim::InputGrammar& grammar);

// INVALID_ARGUMENT names player, field and bound: an axis outside
// -32767..32767 or a ninth one, and the like of other devices; keys that don't
// ascend, too much text, a command without a name or with too many arguments.
// RESOURCE_EXHAUSTED: more than kCommandsPerTickMax commands.
absl::StatusOr<sim::InputFrame> FromProto(const v1::InputFrame& message);

// The frames of one tick, in ascending order of players. Errors as above, and
// INVALID_ARGUMENT for two frames of one player or a player from kPlayersMax
// on.
absl::StatusOr<std::vector<sim::InputFrame>> FromProto(
    const google::protobuf::RepeatedPtrField<v1::InputFrame>& messages);

// Whether all texts and names are UTF-8. Packs take no others, and not every
// form of a message can hold them.
bool HasUtf8Texts(const v1::InputFrame& message);

// Ids and objects become the names that `simulation` has for them.
v1::Event ToProto(const sim::Event& event, const sim::Simulation& simulation);

// `time_ns` follows from `rate`. REQUIRES: the rate is valid.
v1::Frame ToProto(const sim::Frame& frame, sim::TickRate rate);

// Adds what shapes of frames refer to, numbered from 0.
void AddMeshes(const std::vector<sim::FrameMesh>& meshes, v1::Frame& message);

v1::RunEnd::Outcome ToProto(sim::Outcome::Status status);

// INVALID_ARGUMENT for a value that has no name.
absl::StatusOr<sim::Outcome::Status> FromProto(v1::RunEnd::Outcome outcome);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_MESSAGES_PROTO_CONVERSION_H_
