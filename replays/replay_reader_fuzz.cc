// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what reads replays, for crashes and for work without bound. An input
// whose first byte is even is a file. Any other is a list of messages (topic,
// tick, length, bytes) that are put into a file with right checksums, so that
// what lies behind the checksums is reached. Whatever opens is read to its end
// and, if it is short enough, verified.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "replays/replay_reader.h"
#include "replays/replay_topics.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/replay_contents.h"
#include "replays/testing/tiny_recording.h"
#include "replays/verifier.h"

namespace reprise::replays {
namespace {

// Verifying more would only be slow.
constexpr sim::Tick kTicksVerified = 2000;

constexpr std::array kTopics = {kInputsTopic, kDigestsTopic, kKeyframesTopic,
                                kEventsTopic, kEndTopic};

void ReadAndVerify(std::span<const std::byte> file) {
  const absl::StatusOr<std::unique_ptr<ReplayReader>> replay = OpenReplay(file);
  if (!replay.ok()) return;
  static_cast<void>(ReadContents(**replay));
  static_cast<void>((*replay)->FindKeyframe((*replay)->tick_count() / 2));
  if ((*replay)->tick_count() > kTicksVerified) return;
  static_cast<void>(VerifyReplay(**replay, {}));
}

Bytes Forge(std::span<const uint8_t> input) {
  ForgedReplay forged;
  while (input.size() >= 3) {
    const std::string_view topic = kTopics[input[0] % kTopics.size()];
    const uint64_t tick = input[1];
    const size_t size = std::min<size_t>(input[2], input.size() - 3);
    forged.AddBytes(topic, tick,
                    {reinterpret_cast<const char*>(input.data()) + 3, size});
    input = input.subspan(3 + size);
  }
  return forged.Finish();
}

}  // namespace
}  // namespace reprise::replays

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> input(data, size);
  if (input.empty()) return 0;
  if (input[0] % 2 == 0) {
    reprise::replays::ReadAndVerify(std::as_bytes(input.subspan(1)));
  } else {
    reprise::replays::ReadAndVerify(reprise::replays::Forge(input.subspan(1)));
  }
  return 0;
}
