// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/reading/value_text.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// Longer texts are cut off in messages.
constexpr size_t kQuotedBytesMax = 64;

absl::Status Wanted(std::string_view what, std::string_view text) {
  return absl::InvalidArgumentError(
      fmt::format("'{}{}' is not {}", text.substr(0, kQuotedBytesMax),
                  text.size() > kQuotedBytesMax ? "..." : "", what));
}

// Reads all of `text` as a number; the standard's conversion knows no locale.
template <typename Number>
bool ReadNumber(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const std::from_chars_result result =
      std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end;
}

// The numbers in `text`, with spaces between them; empty unless there are
// `count`.
std::vector<double> ReadNumbers(std::string_view text, size_t count) {
  std::vector<double> numbers;
  size_t at = text.find_first_not_of(' ');
  while (at != text.npos) {
    const size_t end = text.find(' ', at);
    double number = 0.0;
    if (numbers.size() == count ||
        !ReadNumber(text.substr(at, end - at), number) || !IsFinite(number)) {
      return {};
    }
    numbers.push_back(number);
    at = text.find_first_not_of(' ', end == text.npos ? text.size() : end);
  }
  if (numbers.size() != count) return {};
  return numbers;
}

void SetVector(const std::vector<double>& numbers, v1::Vector3& vector) {
  vector.set_x(numbers[0]);
  vector.set_y(numbers[1]);
  vector.set_z(numbers[2]);
}

}  // namespace

absl::StatusOr<v1::Value> ParseValueText(PropertyType type,
                                         std::string_view text) {
  v1::Value value;
  switch (type) {
    case PropertyType::kBool:
      if (text != "true" && text != "false") {
        return Wanted("true or false", text);
      }
      value.set_boolean(text == "true");
      return value;
    case PropertyType::kInt: {
      int64_t number = 0;
      if (!ReadNumber(text, number)) {
        return Wanted("a whole number of 64 bits, such as 60", text);
      }
      value.set_integer(number);
      return value;
    }
    case PropertyType::kDouble: {
      double number = 0.0;
      if (!ReadNumber(text, number) || IsNan(number)) {
        return Wanted("a number, such as 0.5", text);
      }
      value.set_number(number);
      return value;
    }
    case PropertyType::kVector2: {
      const std::vector<double> numbers = ReadNumbers(text, 2);
      if (numbers.empty()) return Wanted("two numbers, such as 1 0.5", text);
      value.mutable_vector2()->set_x(numbers[0]);
      value.mutable_vector2()->set_y(numbers[1]);
      return value;
    }
    case PropertyType::kVector3: {
      const std::vector<double> numbers = ReadNumbers(text, 3);
      if (numbers.empty()) {
        return Wanted("three numbers, such as 0 1 0.5", text);
      }
      SetVector(numbers, *value.mutable_vector3());
      return value;
    }
    case PropertyType::kQuaternion: {
      const std::vector<double> numbers = ReadNumbers(text, 3);
      if (numbers.empty()) {
        return Wanted("three angles in degrees, such as 0 90 0", text);
      }
      SetVector(numbers, *value.mutable_rotation_degrees());
      return value;
    }
    case PropertyType::kName:
    case PropertyType::kEnum:
    case PropertyType::kText:
    case PropertyType::kReference:
      break;
  }
  value.set_text(std::string(text));
  return value;
}

namespace {

absl::StatusOr<v1::Value> ParseFinite(PropertyType type,
                                      std::string_view text) {
  absl::StatusOr<v1::Value> value = ParseValueText(type, text);
  if (value.ok() && type == PropertyType::kDouble &&
      !IsFinite(value->number())) {
    return Wanted("a number, such as 0.5", text);
  }
  return value;
}

}  // namespace

absl::StatusOr<v1::Value> ParseValueTexts(PropertyType type, bool is_list,
                                          std::span<const std::string> texts) {
  if (!is_list) {
    if (texts.size() != 1) {
      return absl::InvalidArgumentError(
          fmt::format("wants one value, not {}", texts.size()));
    }
    return ParseFinite(type, texts[0]);
  }
  v1::Value list;
  list.mutable_list();
  for (const std::string& text : texts) {
    absl::StatusOr<v1::Value> value = ParseFinite(type, text);
    if (!value.ok()) return value.status();
    *list.mutable_list()->add_values() = *std::move(value);
  }
  return list;
}

}  // namespace reprise::sim
