// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that texts are found by their ids as long as they are kept, that the
// oldest go first, and that rows which nobody can have given are refused.

#include "sim/world/inputs/input_texts.h"

#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "sim/base/row_schema.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

class InputTextsTest : public testing::Test {
 protected:
  InputTextsTest() { EXPECT_TRUE(names_.Add("known").ok()); }

  Id Keep(const std::string& text) {
    return KeepInputText(text, names_, texts_);
  }

  NameTable names_;
  Table texts_{RowSchema::Of<InputTextRow>()};
};

TEST_F(InputTextsTest, TextIsFoundByItsId) {
  const std::string longest(kInputTextBytesMax, 'x');
  const Id hello = Keep("h\xC3\xA9llo");
  Keep(longest);

  EXPECT_EQ(hello, IdOf("h\xC3\xA9llo"));
  EXPECT_EQ(FindInputText(texts_, hello), "h\xC3\xA9llo");
  EXPECT_EQ(FindInputText(texts_, IdOf(longest)), longest);
  EXPECT_EQ(FindInputText(texts_, IdOf("other")), std::nullopt);
  EXPECT_TRUE(CheckInputTexts(texts_).ok());
}

TEST_F(InputTextsTest, NothingAndWhatThePackKnowsTakeNoRow) {
  EXPECT_EQ(Keep(""), kNoId);
  EXPECT_EQ(Keep("known"), IdOf("known"));
  EXPECT_EQ(texts_.row_count(), 0u);
}

TEST_F(InputTextsTest, OldestIsForgottenAndRepeatedOneIsAsNew) {
  for (uint32_t i = 0; i < kInputTextsMax; ++i) Keep(std::to_string(i));
  Keep("0");
  Keep("one more");

  EXPECT_EQ(texts_.row_count(), kInputTextsMax);
  EXPECT_EQ(FindInputText(texts_, IdOf("0")), "0");
  EXPECT_EQ(FindInputText(texts_, IdOf("1")), std::nullopt);
  EXPECT_EQ(FindInputText(texts_, IdOf("one more")), "one more");
  EXPECT_TRUE(CheckInputTexts(texts_).ok());
}

TEST_F(InputTextsTest, RowsThatNobodyGaveAreRefused) {
  for (const auto& damage : std::vector<std::function<void(InputTextRow&)>>{
           [](InputTextRow& row) { row.sequence = 0; },
           [](InputTextRow& row) { row.text = IdOf("other"); },
           [](InputTextRow& row) { row.size = 0; },
           [](InputTextRow& row) { row.size = kInputTextBytesMax + 1; },
           [](InputTextRow& row) { row.bytes[0] = 0; },
           [](InputTextRow& row) { row.bytes[31] = 1; }}) {
    texts_.Resize(0);
    Keep("one");
    Keep("two");
    damage(texts_.Mutable<InputTextRow>(1));
    EXPECT_EQ(CheckInputTexts(texts_).code(), absl::StatusCode::kDataLoss);
  }
}

}  // namespace
}  // namespace reprise::sim
