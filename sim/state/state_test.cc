// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the digest tree over rooms, and that snapshots survive their encoding
// and are refused when a single bit of it is wrong.

#include "sim/state/state.h"

#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/state/row_schema.h"
#include "sim/state/state_codec.h"
#include "sim/state/testing_rows.h"

namespace reprise::sim {
namespace {

std::span<const std::byte> Bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(StateTest, WriteMovesTheDigestOfItsRoomAndTheRootAlone) {
  State state = MakeMovers(5);
  const Digest time = state.ComputeRoomDigest(state.rooms()[0]);
  const Digest game = state.ComputeRoomDigest(state.rooms()[1]);
  const Digest root = state.ComputeRootDigest();
  state.mutable_table(kMoverTable).Mutable<Mover>(2).lives = 1;
  EXPECT_EQ(state.ComputeRoomDigest(state.rooms()[0]), time);
  EXPECT_NE(state.ComputeRoomDigest(state.rooms()[1]), game);
  EXPECT_NE(state.ComputeRootDigest(), root);
}

TEST(StateTest, TablesAreFoundByRoomAndName) {
  const State state = MakeMovers(1);
  EXPECT_EQ(state.Find("game", "movers"), kMoverTable);
  EXPECT_EQ(state.Find("time", "movers"), std::nullopt);
  EXPECT_EQ(state.room_of(kMoverTable).name, "game");
}

TEST(StateTest, OtherTablesAreAnotherShape) {
  const State state = MakeMovers(1);
  State other;
  other.AddTable("time", RowSchema::Of<Clock>());
  EXPECT_TRUE(state.CheckSameShape(MakeMovers(9)).ok());
  EXPECT_EQ(state.CheckSameShape(other).code(),
            absl::StatusCode::kFailedPrecondition);
}

// Of a mover as another version has it.
TEST(StateTest, OtherFieldsOfATableAreNamed) {
  const State state = MakeMovers(1);
  State other;
  other.AddTable("time", RowSchema::Of<Clock>());
  const RowSchema& movers = state.table(kMoverTable).schema();
  std::vector<Field> fields(movers.fields().begin(), movers.fields().end());
  fields[1].unit = "km/h";
  fields[3].name = "points";
  other.AddTable("game",
                 std::make_shared<RowSchema>(movers.name(), 1u, fields));
  EXPECT_EQ(state.CheckSameShape(other),
            absl::FailedPreconditionError(
                "table game.movers has other fields: without score; with "
                "points; another speed"));
}

TEST(StateCodecTest, DecodedStateIsTheStateThatWasEncoded) {
  const State state = MakeMovers(300);
  const auto decoded = DecodeState(Bytes(EncodeState(state)), MakeMovers(0));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->ComputeRootDigest(), state.ComputeRootDigest());
  EXPECT_EQ(decoded->table(kMoverTable).Get<Mover>(299).score, 299);
}

// The examples in replays/FORMAT.md are of this state.
State MakeClock() {
  State state;
  state.AddTable("time", RowSchema::Of<Clock>());
  state.mutable_table(kClockTable).Resize(1);
  state.mutable_table(kClockTable).Mutable<Clock>(0).tick = 60;
  return state;
}

TEST(StateCodecTest, BytesAreThoseOfTheFormat) {
  const unsigned char bytes[] = {
      0x52, 0x50, 0x52, 0x53, 0x54, 0x41, 0x54, 0x32, 0x68, 0xe7, 0x5b, 0x0a,
      0x38, 0x4b, 0x0b, 0xa7, 0x01, 0x00, 0x00, 0x00, 0x3c, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x0a, 0x4b, 0x6a, 0x75, 0x16, 0x58, 0x5d, 0xaf};
  EXPECT_EQ(EncodeState(MakeClock()),
            std::string(std::begin(bytes), std::end(bytes)));
}

TEST(StateCodecTest, BytesWithFingerprintsAreThoseOfOlderFormats) {
  const unsigned char bytes[] = {
      0x52, 0x50, 0x52, 0x53, 0x54, 0x41, 0x54, 0x31, 0x01, 0x00,
      0x00, 0x00, 0x8f, 0x69, 0xab, 0xe1, 0x37, 0xb6, 0x5e, 0x53,
      0x01, 0x00, 0x00, 0x00, 0x3c, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x0a, 0x4b, 0x6a, 0x75, 0x16, 0x58, 0x5d, 0xaf};
  const State state = MakeClock();
  const std::string encoded(std::begin(bytes), std::end(bytes));
  EXPECT_EQ(EncodeStateWithFingerprints(state), encoded);
  const auto decoded = DecodeState(Bytes(encoded), state);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->ComputeRootDigest(), state.ComputeRootDigest());
}

TEST(StateCodecTest, EveryFlippedBitIsRefused) {
  const State shape = MakeMovers(0);
  for (const std::string& encoded :
       {EncodeState(MakeMovers(3)),
        EncodeStateWithFingerprints(MakeMovers(3))}) {
    for (size_t bit = 0; bit < 8 * encoded.size(); ++bit) {
      std::string damaged = encoded;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      EXPECT_FALSE(DecodeState(Bytes(damaged), shape).ok()) << "bit " << bit;
    }
  }
}

TEST(StateCodecTest, CutOffAnywhereIsRefused) {
  const State shape = MakeMovers(0);
  for (const std::string& encoded :
       {EncodeState(MakeMovers(3)),
        EncodeStateWithFingerprints(MakeMovers(3))}) {
    for (size_t size = 0; size < encoded.size(); ++size) {
      EXPECT_EQ(DecodeState(Bytes(encoded).first(size), shape).status().code(),
                absl::StatusCode::kDataLoss)
          << size << " bytes";
    }
  }
}

TEST(StateCodecTest, BytesAfterTheEndAreRefused) {
  const std::string encoded = EncodeState(MakeMovers(3)) + "x";
  EXPECT_EQ(DecodeState(Bytes(encoded), MakeMovers(0)).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST(StateCodecTest, SnapshotOfOtherTablesIsRefused) {
  State other;
  other.AddTable("time", RowSchema::Of<Clock>());
  for (const std::string& encoded :
       {EncodeState(other), EncodeStateWithFingerprints(other)}) {
    EXPECT_EQ(DecodeState(Bytes(encoded), MakeMovers(0)).status().code(),
              absl::StatusCode::kFailedPrecondition);
  }
}

}  // namespace
}  // namespace reprise::sim
