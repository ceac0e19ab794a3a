// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Replays with other messages than were recorded, and right checksums all the
// same: what tests of readers are shown.

#ifndef REPRISE_REPLAYS_TESTING_EDITED_REPLAY_H_
#define REPRISE_REPLAYS_TESTING_EDITED_REPLAY_H_

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"

namespace reprise::replays {

// What stands in the place of a message; nullopt: nothing.
using MessageEdit = std::function<std::optional<std::string>(
    std::string_view topic, const std::string& data)>;

// A copy of `file`, chunk by chunk, with what `edit` makes of each message, and
// with other values of these entries of the metadata. REQUIRES: `file` is a
// replay, finished or cut off.
Bytes EditReplay(std::span<const std::byte> file, const MessageEdit& edit,
                 const std::map<std::string, std::string>& metadata = {});

// A copy of `file` with one more metadata record behind all chunks. REQUIRES:
// as above.
Bytes AddMetadata(std::span<const std::byte> file, const McapMetadata& record);

// An edit that leaves out the messages of `topic`.
MessageEdit Without(std::string_view topic);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_EDITED_REPLAY_H_
