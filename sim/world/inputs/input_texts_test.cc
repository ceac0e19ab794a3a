// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that texts are found by their ids as long as a row of the state refers
// to them, wherever it does; that of the others the oldest go first, between
// ticks and not before many have come; that all of it follows from the state
// alone; and that rows which nobody can have given are refused.

#include "sim/world/inputs/input_texts.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

// Ids as rows have them: between others, in lists, and as the bits of a value.
struct HolderRow {
  uint64_t number = 0;
  double size = 0.0;
  Id text;
  int64_t count = 0;
  std::array<Id, 2> list = {};
  std::array<int16_t, 4> types = {};
  std::array<uint64_t, 2> values = {};

  static constexpr std::string_view kTable = "holders";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(HolderRow, number, ""),
                      REPRISE_FIELD(HolderRow, size, ""),
                      REPRISE_FIELD(HolderRow, text, ""),
                      REPRISE_FIELD(HolderRow, count, ""),
                      REPRISE_FIELD(HolderRow, list, ""),
                      REPRISE_FIELD(HolderRow, types, ""),
                      REPRISE_FIELD(HolderRow, values, "")};
  }
};

// A state with a table of texts and one of rows that may refer to them.
struct TextState {
  TextState() {
    EXPECT_TRUE(names.Add("known").ok());
    texts_table = state.AddTable("input", RowSchema::Of<InputTextRow>());
    holders = state.AddTable("other", RowSchema::Of<HolderRow>());
  }
  TextState(const TextState&) = delete;
  TextState& operator=(const TextState&) = delete;

  Id Keep(const std::string& text) { return texts.Keep(text); }
  // Texts that nobody refers to.
  void KeepMany(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      Keep("another " + std::to_string(others++));
    }
  }
  HolderRow& Holder(uint32_t row) {
    Table& table = state.mutable_table(holders);
    if (table.row_count() <= row) table.Resize(row + 1);
    return table.Mutable<HolderRow>(row);
  }
  Table& rows() { return state.mutable_table(texts_table); }

  NameTable names;
  State state;
  TableIndex texts_table{0};
  TableIndex holders{1};
  InputTexts texts{names, state, TableIndex{0}};
  uint32_t others = 0;
};

class InputTextsTest : public testing::Test {
 protected:
  TextState world_;
};

TEST_F(InputTextsTest, TextIsFoundByItsId) {
  const std::string longest(kInputTextBytesMax, 'x');
  const Id hello = world_.Keep("h\xC3\xA9llo");
  world_.Keep(longest);

  EXPECT_EQ(hello, IdOf("h\xC3\xA9llo"));
  EXPECT_EQ(world_.texts.Find(hello), "h\xC3\xA9llo");
  EXPECT_EQ(world_.texts.Find(IdOf(longest)), longest);
  EXPECT_EQ(world_.texts.Find(IdOf("other")), std::nullopt);
  EXPECT_TRUE(CheckInputTexts(world_.rows()).ok());
}

TEST_F(InputTextsTest, NothingAndWhatThePackKnowsTakeNoRow) {
  EXPECT_EQ(world_.Keep(""), kNoId);
  EXPECT_EQ(world_.Keep("known"), IdOf("known"));
  EXPECT_EQ(world_.rows().row_count(), 0u);
}

TEST_F(InputTextsTest, WhereNobodyMakesTextsThereAreNone) {
  InputTexts texts(world_.names, world_.state, std::nullopt);
  texts.Load();
  texts.Forget();
  EXPECT_EQ(texts.Keep("known"), IdOf("known"));
  EXPECT_EQ(texts.Find(IdOf("known")), std::nullopt);
  EXPECT_FALSE(texts.HasRoomFor(IdOf("other")));
}

TEST_F(InputTextsTest, OldestIsForgottenAndRepeatedOneIsAsNew) {
  for (uint32_t i = 0; i < kInputTextsMax; ++i) world_.Keep(std::to_string(i));
  world_.texts.Forget();
  EXPECT_EQ(world_.rows().row_count(), kInputTextsMax);
  world_.Keep("0");
  world_.Keep("one more");
  EXPECT_EQ(world_.texts.Find(IdOf("1")), "1");
  world_.texts.Forget();

  EXPECT_EQ(world_.rows().row_count(), kInputTextsMax);
  EXPECT_EQ(world_.texts.Find(IdOf("0")), "0");
  EXPECT_EQ(world_.texts.Find(IdOf("1")), std::nullopt);
  EXPECT_EQ(world_.texts.Find(IdOf("2")), "2");
  EXPECT_EQ(world_.texts.Find(IdOf("one more")), "one more");
  EXPECT_TRUE(CheckInputTexts(world_.rows()).ok());
}

TEST_F(InputTextsTest, AllThatATickMakesIsKnownUntilTheNext) {
  constexpr uint32_t kCount = 5000;
  for (uint32_t i = 0; i < kCount; ++i) world_.Keep(std::to_string(i));
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(world_.texts.Find(IdOf(std::to_string(i))), std::to_string(i));
  }
  world_.texts.Forget();
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(world_.texts.Find(IdOf(std::to_string(i))).has_value(),
              i >= kCount - kInputTextsMax)
        << i;
  }
}

TEST_F(InputTextsTest, WhatARowRefersToStays) {
  world_.Holder(200).text = world_.Keep("text");
  world_.Holder(0).list = {world_.Keep("first"), world_.Keep("second")};
  world_.Holder(77).values[1] = world_.Keep("value").value;
  world_.Keep("nobody's");
  for (int tick = 0; tick < 5; ++tick) {
    world_.KeepMany(300);
    world_.texts.Forget();
  }
  for (const std::string_view text : {"text", "first", "second", "value"}) {
    EXPECT_EQ(world_.texts.Find(IdOf(text)), text);
  }
  EXPECT_EQ(world_.texts.Find(IdOf("nobody's")), std::nullopt);
  EXPECT_EQ(world_.rows().row_count(), 4 + kInputTextsMax);
  EXPECT_TRUE(CheckInputTexts(world_.rows()).ok());

  world_.Holder(0).list = {};
  world_.KeepMany(300);
  world_.texts.Forget();
  EXPECT_EQ(world_.texts.Find(IdOf("text")), "text");
  EXPECT_EQ(world_.texts.Find(IdOf("first")), std::nullopt);
  EXPECT_EQ(world_.texts.Find(IdOf("second")), std::nullopt);
}

// A game that says one thing a tick doesn't go through its state in each.
TEST_F(InputTextsTest, NothingIsForgottenBeforeManyHaveCome) {
  world_.KeepMany(kInputTextsMax + 1);
  world_.texts.Forget();
  EXPECT_EQ(world_.rows().row_count(), kInputTextsMax);
  const auto before = world_.state.ComputeRootDigest();
  world_.texts.Forget();
  EXPECT_EQ(world_.state.ComputeRootDigest(), before);
  world_.KeepMany(kInputTextsMax);
  world_.texts.Forget();
  EXPECT_EQ(world_.rows().row_count(), 2 * kInputTextsMax);
  world_.KeepMany(1);
  world_.texts.Forget();
  EXPECT_EQ(world_.rows().row_count(), kInputTextsMax);
}

TEST_F(InputTextsTest, AnOldOneThatIsGivenAgainIsAsNew) {
  world_.Holder(0).text = world_.Keep("old");
  world_.KeepMany(600);
  world_.texts.Forget();
  world_.Holder(0).text = kNoId;
  world_.KeepMany(100);
  world_.Keep("old");
  EXPECT_EQ(world_.texts.Find(IdOf("old")), "old");
  EXPECT_TRUE(CheckInputTexts(world_.rows()).ok());
  world_.KeepMany(200);
  world_.texts.Forget();
  EXPECT_EQ(world_.texts.Find(IdOf("old")), "old");
  EXPECT_EQ(world_.rows().row_count(), kInputTextsMax);
  EXPECT_TRUE(CheckInputTexts(world_.rows()).ok());
}

// Texts that come, come again, are referred to and no more.
void MakeTick(TextState& world, uint32_t tick) {
  world.texts.Forget();
  for (uint32_t i = 0; i < 90; ++i) {
    const Id id =
        world.Keep(std::to_string((tick * tick * 31 + i * 17) % 1500));
    if (i % 3 == 0) world.Holder((tick * 7 + i) % 400).text = id;
  }
}

TEST_F(InputTextsTest, WhatIsKeptFollowsFromTheStateAlone) {
  constexpr uint32_t kTicks = 30;
  std::vector<State> states;
  for (uint32_t tick = 0; tick < kTicks; ++tick) {
    states.push_back(world_.state);
    MakeTick(world_, tick);
  }
  EXPECT_GT(world_.rows().row_count(), 2 * kInputTextsMax);
  EXPECT_LT(world_.rows().row_count(), 400 + 3 * kInputTextsMax);
  for (uint32_t from = 0; from < kTicks; ++from) {
    TextState other;
    other.state = states[from];
    ASSERT_TRUE(CheckInputTexts(other.rows()).ok()) << from;
    other.texts.Load();
    for (uint32_t tick = from; tick < kTicks; ++tick) MakeTick(other, tick);
    EXPECT_EQ(other.state.ComputeRootDigest(), world_.state.ComputeRootDigest())
        << from;
  }
}

TEST_F(InputTextsTest, WhatHasNoRoomIsButItsId) {
  world_.KeepMany(kValueTextRowsMax);
  EXPECT_FALSE(world_.texts.HasRoomFor(IdOf("a value")));
  EXPECT_TRUE(world_.texts.HasRoomFor(IdOf("another 0")));
  world_.Keep("a message");
  EXPECT_EQ(world_.texts.Find(IdOf("a message")), "a message");
  world_.KeepMany(kInputTextRowsMax - kValueTextRowsMax - 1);
  EXPECT_EQ(world_.Keep("one more"), IdOf("one more"));
  EXPECT_EQ(world_.Keep("another 0"), IdOf("another 0"));
  EXPECT_EQ(world_.texts.Find(IdOf("one more")), std::nullopt);
  EXPECT_EQ(world_.rows().row_count(), kInputTextRowsMax);
  EXPECT_TRUE(CheckInputTexts(world_.rows()).ok());

  world_.texts.Forget();
  EXPECT_EQ(world_.rows().row_count(), kInputTextsMax);
  world_.Keep("one more");
  EXPECT_EQ(world_.texts.Find(IdOf("one more")), "one more");
}

TEST_F(InputTextsTest, RowsThatNobodyGaveAreRefused) {
  for (const auto& damage : std::vector<std::function<void(InputTextRow&)>>{
           [](InputTextRow& row) { row.sequence = 0; },
           [](InputTextRow& row) { row.sequence = uint64_t{1} << 63; },
           [](InputTextRow& row) { row.text = IdOf("other"); },
           [](InputTextRow& row) { row.text = kNoId; },
           [](InputTextRow& row) { row.size = 0; },
           [](InputTextRow& row) { row.size = kInputTextBytesMax + 1; },
           [](InputTextRow& row) { row.bytes[0] = 0; },
           [](InputTextRow& row) { row.bytes[31] = 1; }}) {
    TextState world;
    world.Keep("one");
    world.Keep("two");
    damage(world.rows().Mutable<InputTextRow>(1));
    EXPECT_EQ(CheckInputTexts(world.rows()).code(),
              absl::StatusCode::kDataLoss);
  }
}

TEST_F(InputTextsTest, MoreThanThereCanBeAreRefused) {
  world_.rows().Resize(kInputTextRowsMax + 1);
  const absl::Status status = CheckInputTexts(world_.rows());
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(std::string(status.message()),
            "snapshot: 262145 texts of 280 bytes each; there can be 262144");
}

}  // namespace
}  // namespace reprise::sim
