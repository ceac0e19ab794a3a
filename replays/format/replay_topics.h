// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The names by which the parts of a replay file are found. FORMAT.md says what
// each holds.

#ifndef REPRISE_REPLAYS_FORMAT_REPLAY_TOPICS_H_
#define REPRISE_REPLAYS_FORMAT_REPLAY_TOPICS_H_

#include <string_view>

namespace reprise::replays {

inline constexpr std::string_view kReplayProfile = "reprise";

inline constexpr std::string_view kInputsTopic = "/inputs";
inline constexpr std::string_view kDigestsTopic = "/digests";
inline constexpr std::string_view kKeyframesTopic = "/keyframes";
inline constexpr std::string_view kEventsTopic = "/events";
inline constexpr std::string_view kEndTopic = "/end";

// The pack, as sim::PackArchive::Encode writes it.
inline constexpr std::string_view kPackAttachment = "pack.tar";
inline constexpr std::string_view kPackMediaType = "application/x-tar";

// Of every channel and of its schema, a serialised FileDescriptorSet.
inline constexpr std::string_view kProtobufEncoding = "protobuf";

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_REPLAY_TOPICS_H_
