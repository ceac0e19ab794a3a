// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/random_values.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/base/pack_name.h"

namespace reprise::sim {
namespace {

// The last character of ASCII that is printed.
constexpr int64_t kAsciiMax = 0x7E;

// Every code point is a character but the surrogates, 0xD800 to 0xDFFF.
constexpr int64_t kCodePointMax = 0x10FFFF;
constexpr int64_t kSurrogateMin = 0xD800;
constexpr int64_t kSurrogates = 0x800;

std::string ToUtf8(uint32_t code_point) {
  const auto byte = [](uint32_t bits) { return static_cast<char>(bits); };
  const auto tail = [&](uint32_t shift) {
    return byte(0x80 | (code_point >> shift & 0x3F));
  };
  if (code_point < 0x80) return {byte(code_point)};
  if (code_point < 0x800) return {byte(0xC0 | code_point >> 6), tail(0)};
  if (code_point < 0x10000) {
    return {byte(0xE0 | code_point >> 12), tail(6), tail(0)};
  }
  return {byte(0xF0 | code_point >> 18), tail(12), tail(6), tail(0)};
}

// Three times in four one that is on every keyboard.
std::string NextCharacter(RandomStream& stream) {
  if (NextBelow(stream, 4) != 0) {
    return ToUtf8(static_cast<uint32_t>(NextInRange(stream, ' ', kAsciiMax)));
  }
  int64_t code_point = NextInRange(stream, 0, kCodePointMax - kSurrogates);
  if (code_point >= kSurrogateMin) code_point += kSurrogates;
  return ToUtf8(static_cast<uint32_t>(code_point));
}

std::string NextName(RandomStream& stream) {
  const uint64_t size = NextBelow(stream, kPackNameBytesMax + 1);
  constexpr std::string_view kCharacters =
      "abcdefghijklmnopqrstuvwxyz0123456789_";
  constexpr uint64_t kLetters = 26;
  std::string name;
  while (name.size() < size) {
    name += kCharacters[NextBelow(
        stream, name.empty() ? kLetters : kCharacters.size())];
  }
  return name;
}

double NextNumber(RandomStream& stream, const ActionArgument& argument) {
  const double share = NextUnit(stream);
  // The bounds may be too far apart for their difference.
  const double number =
      argument.number_minimum * (1.0 - share) + argument.number_maximum * share;
  return std::clamp(number, argument.number_minimum, argument.number_maximum);
}

Vector3 NextVector(RandomStream& stream, const ActionArgument& argument) {
  const double x = NextNumber(stream, argument);
  const double y = NextNumber(stream, argument);
  const double z = NextNumber(stream, argument);
  return {x, y, z};
}

SingleValue NextSingle(RandomStream& stream, const ActionArgument& argument) {
  switch (argument.type) {
    case PropertyType::kBool:
      return NextBelow(stream, 2) == 1;
    case PropertyType::kInt:
      return NextInRange(stream, argument.minimum, argument.maximum);
    case PropertyType::kDouble:
      return NextNumber(stream, argument);
    case PropertyType::kName:
    case PropertyType::kReference:
      return NextName(stream);
    case PropertyType::kEnum:
      return argument.choices[NextBelow(stream, argument.choices.size())];
    case PropertyType::kText:
      return NextText(stream, argument.bytes_max);
    case PropertyType::kVector2: {
      const double x = NextNumber(stream, argument);
      const double y = NextNumber(stream, argument);
      return Vector2{x, y};
    }
    case PropertyType::kVector3:
      return NextVector(stream, argument);
    case PropertyType::kQuaternion:
      return Turns{NextVector(stream, argument)};
  }
  return false;
}

}  // namespace

std::string NextText(RandomStream& stream, uint32_t bytes_max) {
  const uint64_t size = NextBelow(stream, uint64_t{bytes_max} + 1);
  std::string text;
  while (text.size() < size) {
    const std::string character = NextCharacter(stream);
    if (text.size() + character.size() <= size) text += character;
  }
  return text;
}

InputValue NextArgument(RandomStream& stream, const ActionArgument& argument) {
  if (argument.capacity == 0) return NextSingle(stream, argument);
  std::vector<SingleValue> list(
      NextBelow(stream, uint64_t{argument.capacity} + 1));
  for (SingleValue& value : list) value = NextSingle(stream, argument);
  return list;
}

}  // namespace reprise::sim
