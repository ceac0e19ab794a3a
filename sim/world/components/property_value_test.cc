// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a value of each type comes out of its row as it went in, one by
// one and in lists; that values which can stand for each other do; and that
// what can't says which types, bounds and names there are.

#include "sim/world/components/property_value.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/world/components/component.h"
#include "sim/world/components/property_ref.h"

namespace reprise::sim {
namespace {

constexpr Handle kSomebody = {.index = 3, .generation = 7};

std::vector<PropertyValue> OneOfEachType() {
  return {PropertyValue::OfBool(true),
          PropertyValue::OfInt(-5),
          PropertyValue::OfNumber(0.1),
          PropertyValue::OfName(IdOf("key")),
          PropertyValue::OfText(IdOf("A key.")),
          PropertyValue::OfChoice(IdOf("red")),
          PropertyValue::OfVector2({1.0, -2.0}),
          PropertyValue::OfVector3({1.0, -2.0, 3.0}),
          PropertyValue::OfRotation({0.6, 0.0, 0.0, 0.8}),
          PropertyValue::OfReference(kSomebody)};
}

std::vector<FieldValue> ZeroOf(PropertyType type) {
  std::vector<FieldValue> zero(ScalarsOf(type), {ScalarTypeOf(type), 0});
  if (type == PropertyType::kQuaternion) zero[3] = FieldValue::OfDouble(1.0);
  if (type == PropertyType::kEnum) zero[0] = FieldValue::OfId(IdOf("green"));
  return zero;
}

// A component with one property and one list of four values.
ComponentDefinition ComponentOf(PropertyType type) {
  const std::vector<Id> choices = type == PropertyType::kEnum
                                      ? std::vector{IdOf("red"), IdOf("green")}
                                      : std::vector<Id>{};
  return MakeComponent(
      "thing", "",
      {{.name = "one",
        .type = type,
        .default_value = ZeroOf(type),
        .choices = choices},
       {.name = "several", .type = type, .capacity = 4, .choices = choices}});
}

PropertyDefinition Speed() {
  return {.name = "speed",
          .type = PropertyType::kDouble,
          .minimum = 0.0,
          .maximum = 10.0};
}

TEST(PropertyValueTest, EachTypeComesOutOfARowAsItWentIn) {
  for (const PropertyValue& value : OneOfEachType()) {
    const ComponentDefinition component = ComponentOf(value.type());
    std::vector<std::byte> row = DefaultRow(component);
    ASSERT_NE(ReadProperty(component, 0, row), value);
    WriteProperty(component, 0, value.scalars(), row);
    EXPECT_EQ(ReadProperty(component, 0, row), value);
    EXPECT_EQ(ReadProperty(component, 1, row).size(), 0u);
  }
}

TEST(PropertyValueTest, ListsOfEachTypeComeOutOfARowAsTheyWentIn) {
  for (const PropertyValue& value : OneOfEachType()) {
    const ComponentDefinition component = ComponentOf(value.type());
    std::vector<std::byte> row = DefaultRow(component);
    PropertyValue list = PropertyValue::ListOf(value.type());
    list.Append(value);
    list.Append(value);
    const absl::StatusOr<PropertyValue> fitting =
        FitValue(component.properties[1], list);
    ASSERT_TRUE(fitting.ok()) << fitting.status();
    WriteProperty(component, 1, fitting->scalars(), row);
    EXPECT_EQ(ReadProperty(component, 1, row), list);
    EXPECT_EQ(ReadProperty(component, 1, row).At(1), value);
  }
}

TEST(PropertyValueTest, ValuesAreReadAsWhatTheyAre) {
  const std::vector<PropertyValue> values = OneOfEachType();
  EXPECT_TRUE(values[0].AsBool());
  EXPECT_EQ(values[1].AsInt(), -5);
  EXPECT_EQ(values[2].AsNumber(), 0.1);
  EXPECT_EQ(values[3].AsId(), IdOf("key"));
  EXPECT_EQ(values[4].AsId(), IdOf("A key."));
  EXPECT_EQ(values[5].AsId(), IdOf("red"));
  EXPECT_EQ(values[6].AsVector2(), (Vector2{1.0, -2.0}));
  EXPECT_EQ(values[7].AsVector3(), (Vector3{1.0, -2.0, 3.0}));
  EXPECT_EQ(values[8].AsRotation(), (Quaternion{0.6, 0.0, 0.0, 0.8}));
  EXPECT_EQ(values[9].AsReference(), kSomebody);
}

TEST(PropertyValueTest, WholeNumberDoesForANumber) {
  const auto value = FitValue(Speed(), PropertyValue::OfInt(3));
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(*value, PropertyValue::OfNumber(3.0));
  const PropertyDefinition count{.name = "count", .type = PropertyType::kInt};
  EXPECT_EQ(FitValue(count, PropertyValue::OfNumber(3.0)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(PropertyValueTest, NamesTextsAndChoicesDoForEachOther) {
  const PropertyDefinition colour =
      ComponentOf(PropertyType::kEnum).properties[0];
  const auto value = FitValue(colour, PropertyValue::OfText(IdOf("red")));
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(*value, PropertyValue::OfChoice(IdOf("red")));
}

TEST(PropertyValueTest, RefusalsSayWhatIsWrong) {
  EXPECT_EQ(FitValue(Speed(), PropertyValue::OfName(IdOf("fast"))).status(),
            absl::InvalidArgumentError("'speed' wants a value of the kind "
                                       "number, not a value of the kind name"));
  EXPECT_EQ(
      FitValue(Speed(), PropertyValue::ListOf(PropertyType::kDouble)).status(),
      absl::InvalidArgumentError("'speed' wants a value of the kind number, "
                                 "not a list of values of the kind number"));
  EXPECT_EQ(FitValue(Speed(), PropertyValue::OfNumber(10.5)).status(),
            absl::OutOfRangeError("'speed': 10.5 is above the maximum 10"));
  // As a double it would be one less.
  const PropertyDefinition count{
      .name = "count", .type = PropertyType::kInt, .maximum = 10.0};
  EXPECT_EQ(FitValue(count, PropertyValue::OfInt(9007199254740993)).status(),
            absl::OutOfRangeError(
                "'count': 9007199254740993 is above the maximum 10"));
  EXPECT_EQ(FitValue(ComponentOf(PropertyType::kEnum).properties[0],
                     PropertyValue::OfChoice(IdOf("blue")))
                .status(),
            absl::OutOfRangeError("'one': the value isn't one of the choices"));
}

TEST(PropertyValueTest, ListThatIsTooLongIsRefused) {
  PropertyValue list = PropertyValue::ListOf(PropertyType::kInt);
  for (int i = 0; i < 5; ++i) list.Append(PropertyValue::OfInt(i));
  const ComponentDefinition component = ComponentOf(PropertyType::kInt);
  EXPECT_EQ(FitValue(component.properties[1], list).status(),
            absl::OutOfRangeError("'several': 5 values, but the list holds 4"));
}

TEST(PropertyRefTest, FindsAPropertyAndTheValuesOfAList) {
  const std::vector<ComponentDefinition> components = {
      ComponentOf(PropertyType::kVector3)};
  const auto list = FindProperty(components, "thing", "several");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->type, PropertyType::kVector3);
  EXPECT_EQ(list->capacity, 4u);
  // Behind the owner, its marks, `one` and the length.
  EXPECT_EQ(list->offset, 8u + 8u + 24u + 8u);
  EXPECT_EQ(list->At(2).offset, list->offset + 2 * 24u);
  EXPECT_EQ(list->At(2).capacity, 0u);
}

TEST(PropertyRefTest, WhatThereIsntSaysWhatThereIs) {
  const std::vector<ComponentDefinition> components = {
      ComponentOf(PropertyType::kInt)};
  EXPECT_EQ(FindProperty(components, "thign", "one").status(),
            absl::NotFoundError("the pack has no component 'thign'; did you "
                                "mean 'thing'?"));
  EXPECT_EQ(
      FindProperty(components, "thing", "severel").status(),
      absl::NotFoundError("the component 'thing' has no property 'severel'; "
                          "did you mean 'several'? There are one and several"));
}

}  // namespace
}  // namespace reprise::sim
