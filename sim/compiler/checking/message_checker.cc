// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/message_checker.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "google/protobuf/descriptor.h"
#include "sim/base/math.h"
#include "sim/base/nearest_name.h"
#include "sim/base/pack_name.h"
#include "sim/compiler/checking/known_names.h"

namespace reprise::sim {
namespace {

// Whether the field `name` is one vector, whose numbers are fields themselves.
bool IsVector(const google::protobuf::Message& message, std::string_view name) {
  const google::protobuf::FieldDescriptor* const field =
      message.GetDescriptor()->FindFieldByName(std::string(name));
  return field != nullptr && !field->is_repeated() &&
         field->message_type() == v1::Vector3::descriptor();
}

}  // namespace

MessageChecker::MessageChecker(const google::protobuf::Message& message,
                               PackPlace place, PackReport& report)
    : message_(message), place_(std::move(place)), report_(report) {}

MessageChecker MessageChecker::In(const google::protobuf::Message& child,
                                  std::string_view name, int index) const {
  return MessageChecker(child, place_.In(message_, name, index), report_);
}

void MessageChecker::Problem(std::string_view name, std::string text) const {
  report_.Add(place_.ProblemWith(message_, name, std::move(text)));
}

void MessageChecker::Warning(std::string_view name, std::string text) const {
  report_.AddWarning(place_.ProblemWith(message_, name, std::move(text)));
}

void MessageChecker::LeadsNowhere(std::string_view name,
                                  std::string text) const {
  if (report_.policy().is_author) {
    Problem(name, std::move(text));
  } else {
    Warning(name, std::move(text));
  }
}

void MessageChecker::NeedsBaking(std::string_view name,
                                 std::string text) const {
  if (!report_.policy().is_baking) Problem(name, std::move(text));
}

void MessageChecker::NoSuch(std::string_view name, std::string_view kind,
                            const std::string& value) const {
  Problem(name, fmt::format("there is no {} '{}'{}", kind, value,
                            SuggestionFor(value, kind)));
}

void MessageChecker::NoSuch(std::string_view name, std::string_view kind,
                            const std::string& value,
                            std::span<const std::string> known) const {
  Problem(name, fmt::format("there is no {} '{}'{}", kind, value,
                            SuggestionFor(value, known)));
}

std::string MessageChecker::SuggestionFor(
    const std::string& value, std::span<const std::string> known) const {
  if (!report_.wants_details()) return "";
  const std::vector<std::string_view> names(known.begin(), known.end());
  if (std::ranges::find(names, value) != names.end()) return "";
  // A file without its folder is nearer to that file than to any other.
  const auto file = std::ranges::find_if(names, [&](std::string_view name) {
    return !value.empty() && name.ends_with(fmt::format("/{}", value));
  });
  if (file != names.end()) return fmt::format("; did you mean '{}'?", *file);
  return Suggestion(value, names);
}

std::string MessageChecker::SuggestionFor(const std::string& value,
                                          std::string_view kind) const {
  if (place_.manifest() == nullptr || !report_.wants_details()) return "";
  return SuggestionFor(value, KnownNames(*place_.manifest(), kind));
}

const std::string& MessageChecker::Name(std::string_view name,
                                        const std::string& value) const {
  if (!IsPackName(value)) {
    Problem(name, fmt::format("'{}' is not a name: 1 to 64 of a-z, 0-9 and _, "
                              "starting with a letter",
                              value));
  }
  return value;
}

uint32_t MessageChecker::Count(std::string_view name, uint32_t value,
                               uint32_t minimum, uint32_t maximum) const {
  if (value < minimum || value > maximum) {
    Problem(name, fmt::format("{} is not in {}..{}", value, minimum, maximum));
  }
  return value;
}

double MessageChecker::Number(std::string_view name, double value,
                              double minimum, double maximum) const {
  // Written so that NaN fails.
  if (!(value >= minimum && value <= maximum)) {
    Problem(name, fmt::format("{} is not in {}..{}", value, minimum, maximum));
  }
  return value;
}

double MessageChecker::Positive(std::string_view name, double value,
                                double maximum) const {
  if (!(value > 0.0 && value <= maximum)) {
    Problem(name,
            fmt::format("{} is not above 0 and at most {}", value, maximum));
  }
  return value;
}

Vector3 MessageChecker::Vector(std::string_view name, const v1::Vector3& value,
                               double limit) const {
  const auto check = [&](std::string_view part, double number) {
    if (Abs(number) <= limit) return;
    std::string text = fmt::format("{} is not within +-{}", number, limit);
    if (IsVector(message_, name)) {
      In(value, name).Problem(part, std::move(text));
    } else {
      Problem(name, std::move(text));
    }
  };
  check("x", value.x());
  check("y", value.y());
  check("z", value.z());
  return Vector3{value.x(), value.y(), value.z()};
}

Vector3 MessageChecker::Direction(std::string_view name,
                                  const v1::Vector3& value) const {
  const Vector3 vector = Vector(name, value);
  if (vector == Vector3{}) Problem(name, "a direction can't be zero");
  return Normalized(vector);
}

Quaternion MessageChecker::Rotation(std::string_view name,
                                    const v1::Vector3& degrees) const {
  return FromTurns(Vector(name, degrees));
}

}  // namespace reprise::sim
