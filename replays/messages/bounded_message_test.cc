// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no message takes more memory than its size allows, with messages
// of as many entries as fit into the largest one, and that the fullest messages
// that recorders write are taken.

#include "replays/messages/bounded_message.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/container/mcap_records.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"

namespace reprise::replays {
namespace {

std::string Repeat(const std::string& entry, size_t size_bytes) {
  std::string text;
  text.reserve(size_bytes);
  while (text.size() + entry.size() <= size_bytes) text += entry;
  return text;
}

absl::Status Parse(const std::string& data,
                   google::protobuf::Message& message) {
  return ParseBounded(std::as_bytes(std::span(data)), message);
}

uint64_t MemoryMax(const std::string& data) {
  return kMessageMemoryBytes + kMessageMemoryFactor * data.size();
}

// Of every type on a topic: fields 1 to 6, empty, and in the nested ones those
// that have them; a field that nothing of ours has.
TEST(BoundedMessageTest, NothingThatIsTakenPassesTheBound) {
  v1::InputBatch inputs;
  v1::DigestBatch digests;
  v1::Keyframe keyframe;
  v1::EventBatch events;
  v1::RunEnd end;
  const std::vector<google::protobuf::Message*> messages = {
      &inputs, &digests, &keyframe, &events, &end};
  const std::vector<std::string> entries = {
      std::string("\x1a\x00", 2),                  // a tick, or an event
      std::string("\x1a\x02\x12\x00", 4),          // a tick of one frame
      std::string("\x1a\x04\x12\x02\x12\x00", 6),  // with a device
      std::string("\x1a\x04\x12\x02\x1a\x00", 6),  // or a command
      std::string("\x1a\x04\x12\x02\x22\x00", 6),  // or an activity
      std::string("\x1a\x06\x12\x04\x1a\x02\x1a\x00", 8),  // of a value
      std::string("\x1a\x02\x2a\x00", 4),                  // an argument
      std::string("\x1a\x04\x2a\x02\x32\x00", 6),          // with a name
      std::string("\x7a\x00", 2),
      std::string("\x78\x00", 2)};
  for (const std::string& entry : entries) {
    // Around where the bound begins to count, and the largest of all.
    for (const size_t size :
         {size_t{1} << 17, size_t{1} << 20, size_t{kMcapMessageBytesMax}}) {
      const std::string data = Repeat(entry, size);
      for (google::protobuf::Message* const message : messages) {
        const absl::Status status = Parse(data, *message);
        if (status.ok()) {
          EXPECT_LE(message->SpaceUsedLong(), MemoryMax(data))
              << message->GetTypeName() << " of " << size;
        } else {
          EXPECT_TRUE(absl::IsDataLoss(status)) << status;
          EXPECT_LT(message->SpaceUsedLong(), uint64_t{1} << 20);
        }
      }
    }
  }
}

TEST(BoundedMessageTest, MillionsOfEmptyEntriesAreRefusedByTheirNumber) {
  const std::string data =
      Repeat(std::string("\x1a\x00", 2), kMcapMessageBytesMax);
  v1::InputBatch batch;

  const absl::Status status = Parse(data, batch);

  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_EQ(status.message(),
            "its 33554432 bytes would unpack into more than 603979776");
}

TEST(BoundedMessageTest, TheFullestBatchOfInputsIsTaken) {
  // The smallest ticks that a recorder writes, to where it ends a batch.
  v1::InputBatch batch;
  v1::TickInputs tick;
  tick.set_tick(5);
  tick.add_frames()->mutable_device()->set_buttons(1);
  const size_t bytes = tick.ByteSizeLong();
  for (size_t size = 0; size < (size_t{1} << 20); size += bytes) {
    *batch.add_ticks() = tick;
  }
  v1::InputBatch parsed;

  EXPECT_TRUE(Parse(batch.SerializeAsString(), parsed).ok());
  EXPECT_EQ(parsed.ticks_size(), batch.ticks_size());
}

TEST(BoundedMessageTest, ATickOfAllEventsThatAreAllowedIsTaken) {
  v1::EventBatch batch;
  for (int i = 0; i < 65'536; ++i) {
    v1::Event& event = *batch.add_events();
    event.set_type("a");
    for (int k = 0; k < 8; ++k) {
      v1::EventArgument& argument = *event.add_arguments();
      argument.set_name("b");
      argument.set_bool_value(true);
    }
  }
  v1::EventBatch parsed;

  EXPECT_TRUE(Parse(batch.SerializeAsString(), parsed).ok());
  EXPECT_EQ(parsed.events_size(), 65'536);
}

TEST(BoundedMessageTest, WhatIsNoMessageIsRefused) {
  v1::EventBatch batch;
  for (const std::string& data :
       {std::string("not a batch of events"), Repeat("\xff", 1 << 20),
        Repeat("\x1b", 1 << 20)}) {
    const absl::Status status = Parse(data, batch);
    EXPECT_EQ(status.message(), "no message of the topic's type");
  }
}

}  // namespace
}  // namespace reprise::replays
