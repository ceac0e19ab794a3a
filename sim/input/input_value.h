// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A value as somebody outside gives it to a command: what it says, not yet what
// it stands for. Which object or text of the pack is meant, the simulation
// finds out at its tick.

#ifndef REPRISE_SIM_INPUT_INPUT_VALUE_H_
#define REPRISE_SIM_INPUT_INPUT_VALUE_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// A rotation, as turns about the axes x, then y, then z.
struct Turns {
  Vector3 degrees;

  friend bool operator==(const Turns&, const Turns&) = default;
};

// One value. It is made of what it says: 5, true, "hello", Vector2{1, 2}.
struct SingleValue {
  enum class Kind : uint8_t {
    kBoolean,
    kInteger,
    kNumber,
    kText,  // UTF-8; stands for names, choices, texts and objects
    kVector2,
    kVector3,
    kTurns,
  };

  Kind kind = Kind::kBoolean;
  int64_t integer = 0;  // of a kInteger; 0 or 1 of a kBoolean
  Vector3 numbers;      // x of a kNumber, x and y of a kVector2, degrees
  std::string text;     // of a kText

  SingleValue() = default;
  // NOLINTBEGIN(google-explicit-constructor)
  template <std::same_as<bool> Boolean>
  SingleValue(Boolean value) : kind(Kind::kBoolean), integer(value ? 1 : 0) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) SingleValue(Integer value)
      : kind(Kind::kInteger), integer(value) {}
  SingleValue(double value)
      : kind(Kind::kNumber), numbers{.x = value, .y = 0.0, .z = 0.0} {}
  SingleValue(std::string value) : kind(Kind::kText), text(std::move(value)) {}
  SingleValue(const char* value) : kind(Kind::kText), text(value) {}
  SingleValue(Vector2 value)
      : kind(Kind::kVector2), numbers{.x = value.x, .y = value.y, .z = 0.0} {}
  SingleValue(Vector3 value) : kind(Kind::kVector3), numbers(value) {}
  SingleValue(Turns value) : kind(Kind::kTurns), numbers(value.degrees) {}
  // NOLINTEND(google-explicit-constructor)

  friend bool operator==(const SingleValue&, const SingleValue&) = default;
};

// One value, or those of a list.
struct InputValue {
  bool is_list = false;
  std::vector<SingleValue> values;  // exactly one where it is no list

  // NOLINTBEGIN(google-explicit-constructor)
  template <std::convertible_to<SingleValue> Single>
  InputValue(Single value) : values{SingleValue(std::move(value))} {}
  InputValue(std::vector<SingleValue> list)
      : is_list(true), values(std::move(list)) {}
  // NOLINTEND(google-explicit-constructor)

  friend bool operator==(const InputValue&, const InputValue&) = default;
};

// As a person reads it: 5, true, "hello", (1, 2, 0.5), [1, 2].
std::string FormatInputValue(const InputValue& value);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_INPUT_VALUE_H_
