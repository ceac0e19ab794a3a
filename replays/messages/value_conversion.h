// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Arguments of commands to protobuf messages and back.

#ifndef REPRISE_REPLAYS_MESSAGES_VALUE_CONVERSION_H_
#define REPRISE_REPLAYS_MESSAGES_VALUE_CONVERSION_H_

#include "absl/status/statusor.h"
#include "reprise/v1/value.pb.h"
#include "sim/input/input_value.h"

namespace reprise::replays {

// REQUIRES: text is UTF-8.
v1::Value ToProto(const sim::InputValue& value);

// INVALID_ARGUMENT says what no command can be given: a value of no kind, a
// text of more than kCommandTextBytesMax bytes, a list in a list, or one of
// more than an event has room for.
absl::StatusOr<sim::InputValue> FromProto(const v1::Value& message);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_MESSAGES_VALUE_CONVERSION_H_
