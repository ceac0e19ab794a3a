// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that each type of value is read from its text, numbers to the last
// bit, and that everything else is refused with what was wanted.

#include "sim/compiler/reading/value_text.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

v1::Value Parse(PropertyType type, std::string_view text) {
  const absl::StatusOr<v1::Value> value = ParseValueText(type, text);
  EXPECT_TRUE(value.ok()) << value.status();
  return value.value_or(v1::Value());
}

std::string Refusal(PropertyType type, std::string_view text) {
  return std::string(ParseValueText(type, text).status().message());
}

TEST(ValueTextTest, EachTypeIsReadFromItsText) {
  EXPECT_TRUE(Parse(PropertyType::kBool, "true").boolean());
  EXPECT_FALSE(Parse(PropertyType::kBool, "false").boolean());
  EXPECT_EQ(Parse(PropertyType::kInt, "-9223372036854775808").integer(),
            std::numeric_limits<int64_t>::min());
  for (const PropertyType type :
       {PropertyType::kName, PropertyType::kEnum, PropertyType::kText,
        PropertyType::kReference}) {
    EXPECT_EQ(Parse(type, "60").text(), "60");
  }
  EXPECT_EQ(Parse(PropertyType::kVector2, "1 -2.5").vector2().y(), -2.5);
  EXPECT_EQ(Parse(PropertyType::kVector3, " 1  2 3e2 ").vector3().z(), 300.0);
  EXPECT_EQ(Parse(PropertyType::kQuaternion, "0 90 0").rotation_degrees().y(),
            90.0);
}

TEST(ValueTextTest, NumbersAreRoundedToTheNearest) {
  // 0.1 is 0x3fb999999999999a; the second lies just above half way between two
  // doubles, which only the last digit tells.
  EXPECT_EQ(
      std::bit_cast<uint64_t>(Parse(PropertyType::kDouble, "0.1").number()),
      0x3fb999999999999au);
  EXPECT_EQ(Parse(PropertyType::kDouble,
                  "9007199254740993.00000000000000000000000000000000001")
                .number(),
            9007199254740994.0);
  EXPECT_EQ(Parse(PropertyType::kDouble, "60").number(), 60.0);
}

TEST(ValueTextTest, OtherTextsAreRefusedWithWhatWasWanted) {
  EXPECT_EQ(Refusal(PropertyType::kBool, "1"), "'1' is not true or false");
  for (const char* text : {"", "6.0", " 6", "6 ", "+6", "6x", "1e3", "0x10",
                           "9223372036854775808"}) {
    EXPECT_EQ(Refusal(PropertyType::kInt, text),
              "'" + std::string(text) +
                  "' is not a whole number of 64 bits, such as 60");
  }
  for (const char* text :
       {"", "0,5", "1.0f", " 1", "1e400", "0x1p3", "nan", "-nan"}) {
    EXPECT_EQ(Refusal(PropertyType::kDouble, text),
              "'" + std::string(text) + "' is not a number, such as 0.5");
  }
  EXPECT_EQ(Refusal(PropertyType::kVector2, "1"),
            "'1' is not two numbers, such as 1 0.5");
  EXPECT_EQ(Refusal(PropertyType::kVector3, "1 2 3 4"),
            "'1 2 3 4' is not three numbers, such as 0 1 0.5");
  EXPECT_EQ(Refusal(PropertyType::kQuaternion, "1,2,3"),
            "'1,2,3' is not three angles in degrees, such as 0 90 0");
  EXPECT_EQ(Refusal(PropertyType::kBool, std::string(100, 'x')),
            "'" + std::string(64, 'x') + "...' is not true or false");
}

TEST(ValueTextTest, ValuesOfPropertiesAreFinite) {
  for (const std::string text : {"nan", "inf", "-inf", "1e309"}) {
    for (const bool is_list : {false, true}) {
      EXPECT_EQ(ParseValueTexts(PropertyType::kDouble, is_list, {&text, 1})
                    .status()
                    .message(),
                "'" + text + "' is not a number, such as 0.5");
    }
    EXPECT_EQ(Refusal(PropertyType::kVector2, "1 " + text),
              "'1 " + text + "' is not two numbers, such as 1 0.5");
  }
}

TEST(ValueTextTest, ListsHaveOneTextAValueAndOthersOne) {
  const std::vector<std::string> two = {"1", "2"};
  const auto list = ParseValueTexts(PropertyType::kInt, true, two);
  ASSERT_EQ(list->list().values_size(), 2);
  EXPECT_EQ(list->list().values(1).integer(), 2);
  const auto empty = ParseValueTexts(PropertyType::kInt, true, {});
  EXPECT_TRUE(empty->has_list());
  EXPECT_EQ(empty->list().values_size(), 0);
  EXPECT_EQ(ParseValueTexts(PropertyType::kInt, false, two).status().message(),
            "wants one value, not 2");
  EXPECT_EQ(ParseValueTexts(PropertyType::kInt, false, {}).status().message(),
            "wants one value, not 0");
  EXPECT_FALSE(ParseValueTexts(PropertyType::kInt, true,
                               std::vector<std::string>{"1", "x"})
                   .ok());
}

}  // namespace
}  // namespace reprise::sim
