// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that contacts come back within the stated errors, whichever come and
// go, that what rests costs next to nothing, and that damaged bytes are
// refused.

#include "replays/showing/page/contact_codec.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/showing/key_reduction.h"
#include "replays/showing/page/pose_codec.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

// Two points of one pair, of which one is there in every third frame only, and
// one with what isn't shown.
std::vector<ShownContact> ContactsOf(uint32_t frame) {
  const double turn = 0.01 * frame;
  const sim::Vector3 normal = {sim::Sin(turn), sim::Cos(turn), 0};
  std::vector<ShownContact> contacts = {
      {3, 1, {1.0 / 3, 0, turn}, normal, 0.25 + turn}};
  if (frame % 3 == 1) {
    contacts.push_back({3, 1, {-1e4, 0, turn}, -normal, 1e-7});
  }
  contacts.push_back({7, ShownContact::kNotShown, {5, -6, 7}, normal, 0});
  return contacts;
}

std::string Encode(uint32_t frame_count) {
  ContactEncoder encoder;
  for (uint32_t frame = 0; frame < frame_count; ++frame) {
    encoder.AddFrame(ContactsOf(frame));
  }
  return encoder.TakeChunk();
}

TEST(ContactCodecTest, ContactsComeBackWithinTheStatedErrors) {
  for (const uint32_t frame_count : {1u, 2u, 50u, kChunkFrames}) {
    const auto decoded = DecodeContacts(Encode(frame_count), frame_count);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    for (uint32_t frame = 0; frame < frame_count; ++frame) {
      const std::vector<ShownContact> contacts = ContactsOf(frame);
      ASSERT_EQ((*decoded)[frame].size(), contacts.size());
      for (size_t i = 0; i < contacts.size(); ++i) {
        const ShownContact& read = (*decoded)[frame][i];
        EXPECT_EQ(read.object_a, contacts[i].object_a);
        EXPECT_EQ(read.object_b, contacts[i].object_b);
        EXPECT_LE(DistanceBetween(read.point, contacts[i].point),
                  kContactErrorM);
        EXPECT_LE(sim::Length(read.normal - contacts[i].normal),
                  kNormalErrorRad);
        EXPECT_NEAR(read.impulse_n_s, contacts[i].impulse_n_s,
                    kImpulseErrorShare * contacts[i].impulse_n_s);
      }
    }
  }
}

// A byte a frame and a value: what deflates to nothing.
TEST(ContactCodecTest, WhatRestsCostsABytePerValue) {
  ContactEncoder encoder;
  for (uint32_t frame = 0; frame < kChunkFrames; ++frame) {
    encoder.AddFrame(ContactsOf(0));
  }
  EXPECT_LE(encoder.TakeChunk().size(), 40u + kChunkFrames * (1 + 2 * 7));
  for (uint32_t frame = 0; frame < kChunkFrames; ++frame) encoder.AddFrame({});
  EXPECT_EQ(encoder.TakeChunk().size(), kChunkFrames);
}

// A chunk is decoded by itself.
TEST(ContactCodecTest, AChunkKnowsNothingOfTheOneBefore) {
  ContactEncoder encoder;
  encoder.AddFrame(ContactsOf(4));
  encoder.TakeChunk();
  encoder.AddFrame(ContactsOf(4));
  const auto decoded = DecodeContacts(encoder.TakeChunk(), 1);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ((*decoded)[0].size(), 3u);
}

TEST(ContactCodecTest, CutOrPaddedBytesAreRefused) {
  const std::string chunk = Encode(20);
  for (size_t size = 0; size < chunk.size(); ++size) {
    EXPECT_EQ(DecodeContacts(chunk.substr(0, size), 20).status().code(),
              absl::StatusCode::kDataLoss)
        << size;
  }
  EXPECT_FALSE(DecodeContacts(chunk + '\0', 20).ok());
  EXPECT_FALSE(DecodeContacts(chunk, 21).ok());
  EXPECT_FALSE(DecodeContacts("\x02", 1).ok());
}

}  // namespace
}  // namespace reprise::replays
