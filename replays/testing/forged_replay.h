// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Replay files that no recorder writes: whole, with right checksums, and with
// any messages in them.

#ifndef REPRISE_REPLAYS_TESTING_FORGED_REPLAY_H_
#define REPRISE_REPLAYS_TESTING_FORGED_REPLAY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "google/protobuf/message_lite.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_writer.h"

namespace reprise::replays {

class ForgedReplay {
 public:
  // Of the tiny simulation at 60 Hz, a digest every 10 ticks.
  ForgedReplay() : ForgedReplay(std::map<std::string, std::string>()) {}

  // The same with another value for one entry of the metadata.
  ForgedReplay(const std::string& key, const std::string& value)
      : ForgedReplay(std::map<std::string, std::string>{{key, value}}) {}

  // Adds a message at the time of `tick`, or one of these bytes.
  ForgedReplay& Add(std::string_view topic, uint64_t tick,
                    const google::protobuf::MessageLite& message);
  ForgedReplay& AddBytes(std::string_view topic, uint64_t tick,
                         std::string_view data);

  // What is added next stands in another chunk.
  ForgedReplay& EndChunk();

  // The file. Nothing can be added afterwards.
  Bytes Finish();

 private:
  explicit ForgedReplay(const std::map<std::string, std::string>& changes);

  Bytes file_;
  MemorySink sink_;
  std::unique_ptr<McapWriter> writer_;
  std::map<std::string, uint16_t, std::less<>> channels_;
};

// The file that a fuzzer's bytes stand for. Behind a first byte that is even it
// is what follows; behind any other, one of the messages that follow: topic,
// tick, length (2 bytes, little-endian) and bytes, again and again, under right
// checksums. A message
// whose topic is 0xF0 or more begins a chunk, and one of 0xF8 or more repeats
// its bytes up to the size of the largest message.
Bytes ReplayOfFuzzer(std::span<const uint8_t> input);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_FORGED_REPLAY_H_
