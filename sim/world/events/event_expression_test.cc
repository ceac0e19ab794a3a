// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no event of any source stops an expression: an argument of
// another type than is declared is unknown, as one that isn't there. Every
// declared type meets a value of every type there is.

#include "sim/world/events/event_expression.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "sim/expression/value.h"
#include "sim/state/field_value.h"
#include "sim/world/events/testing_receivers.h"

namespace reprise::sim {
namespace {

constexpr std::array kTypes = {ScalarType::kBool,   ScalarType::kInt64,
                               ScalarType::kUint64, ScalarType::kDouble,
                               ScalarType::kId,     ScalarType::kObject,
                               ScalarType::kHandle};

// What expressions can tell apart.
ExpressionType KindOf(ScalarType type) {
  switch (type) {
    case ScalarType::kBool:
      return ExpressionType::kBool;
    case ScalarType::kId:
    case ScalarType::kObject:
    case ScalarType::kHandle:
      return ExpressionType::kText;
    default:
      return ExpressionType::kNumber;
  }
}

// Whether a value of one type is anything to who asks for another. Objects are
// looked up, which a word can't be.
bool IsReadAs(ScalarType declared, ScalarType given) {
  const bool is_object =
      declared == ScalarType::kObject || declared == ScalarType::kHandle;
  if (is_object && given == ScalarType::kId) return false;
  return KindOf(declared) == KindOf(given);
}

// An expression that takes `value` for one of the type.
std::string_view ExpressionOf(ScalarType type) {
  switch (KindOf(type)) {
    case ExpressionType::kBool:
      return "value and not (value == false)";
    case ExpressionType::kNumber:
      return "max(value, 2) + abs(value) * sqrt(value) - value > 0 or "
             "-value < 3";
    default:
      return "value == 'somebody' or value != 'else'";
  }
}

EventExpression Parsed(std::string_view text, ScalarType type) {
  const std::vector<EventArgumentDescription> arguments = {
      {.name = "value", .type = type, .unit = ""}};
  absl::StatusOr<EventExpression> parsed =
      EventExpression::Parse(text, {.arguments = arguments,
                                    .components = {},
                                    .types = {},
                                    .find_object = {},
                                    .name_of = {}});
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return *std::move(parsed);
}

TEST(EventExpressionTest, AnArgumentOfAnotherTypeIsUnknown) {
  TestingReceivers receivers;
  const Handle somebody =
      receivers.Create([](const WorldEvent&) { return true; });
  const auto value_of = [&](ScalarType type) {
    if (type == ScalarType::kHandle) return FieldValue::OfHandle(somebody);
    return FieldValue{type, 1};
  };
  ExpressionEvaluator evaluator;
  for (const ScalarType declared : kTypes) {
    const EventExpression condition = Parsed(ExpressionOf(declared), declared);
    for (const ScalarType given : kTypes) {
      const WorldEvent event = {
          .type = IdOf("hit"), .arguments = {{IdOf("value"), value_of(given)}}};
      const ExpressionAnswer answer =
          condition.Evaluate(event, receivers, evaluator);
      ASSERT_TRUE(answer.ok()) << answer.status();
      const bool is_absent = std::holds_alternative<ExpressionAbsence>(*answer);
      EXPECT_EQ(is_absent, !IsReadAs(declared, given))
          << static_cast<int>(declared) << " is declared, "
          << static_cast<int>(given) << " is given";
      if (is_absent) {
        EXPECT_FALSE(condition.Holds(event, receivers, evaluator));
      }
    }
  }
}

TEST(EventExpressionTest, NamesThatAnArgumentCanNotBeAreMistakes) {
  const std::vector<EventArgumentDescription> arguments = {
      {.name = "region", .type = ScalarType::kId, .unit = ""}};
  const auto parse = [&](std::string_view text) {
    return EventExpression::Parse(
               text, {.arguments = arguments,
                      .components = {},
                      .types = {},
                      .find_object = {},
                      .name_of = {},
                      .names_in =
                          [](std::string_view argument) {
                            EXPECT_EQ(argument, "region");
                            return std::vector<std::string>{"lava", "pond"};
                          }})
        .status();
  };
  EXPECT_TRUE(parse("region == 'lava' or region != 'pond'").ok());
  EXPECT_EQ(parse("region == 'lav'").message(),
            "column 11: 'region' is lava or pond");
}

}  // namespace
}  // namespace reprise::sim
