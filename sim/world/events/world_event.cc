// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/world_event.h"

#include <algorithm>
#include <bit>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

absl::Status CheckValue(Id name, FieldValue value) {
  if (name == kNoId) {
    return absl::InvalidArgumentError("an argument without a name");
  }
  switch (value.type) {
    case ScalarType::kBool:
      if (value.bits <= 1) return absl::OkStatus();
      return absl::InvalidArgumentError(
          fmt::format("{} is no bool", value.bits));
    case ScalarType::kDouble:
      if (!IsNan(value.AsDouble())) return absl::OkStatus();
      return absl::InvalidArgumentError("not a number");
    case ScalarType::kInt64:
    case ScalarType::kUint64:
    case ScalarType::kId:
    case ScalarType::kObject:
    case ScalarType::kHandle:
      return absl::OkStatus();
    default:
      return absl::InvalidArgumentError(fmt::format(
          "no argument has scalar type {}", static_cast<int>(value.type)));
  }
}

}  // namespace

EventArguments::EventArguments(std::initializer_list<EventArgument> arguments) {
  for (const EventArgument& argument : arguments) {
    const absl::Status status = Set(argument.name, argument.value);
    CHECK(status.ok(), "argument id#{:016x}: {}", argument.name.value,
          status.ToString());
  }
}

absl::Status EventArguments::Set(Id name, FieldValue value) {
  if (absl::Status status = CheckValue(name, value); !status.ok()) {
    return status;
  }
  const auto end = arguments_.begin() + count_;
  const auto place = std::find_if(
      arguments_.begin(), end,
      [&](const EventArgument& argument) { return argument.name >= name; });
  if (place == end || place->name != name) {
    if (count_ == kEventArgumentsMax) {
      return absl::ResourceExhaustedError(
          fmt::format("an event has at most {} arguments", kEventArgumentsMax));
    }
    std::move_backward(place, end, end + 1);
    ++count_;
  }
  *place = {.name = name, .value = value};
  return absl::OkStatus();
}

const EventArgument* EventArguments::Find(Id name) const {
  const auto found = std::ranges::find(all(), name, &EventArgument::name);
  return found == all().end() ? nullptr : &*found;
}

absl::StatusOr<FieldValue> EventArguments::Get(Id name) const {
  const EventArgument* const argument = Find(name);
  if (argument == nullptr) {
    return absl::NotFoundError(
        fmt::format("the event has no argument id#{:016x}", name.value));
  }
  return argument->value;
}

absl::StatusOr<uint64_t> EventArguments::GetBits(Id name,
                                                 ScalarType type) const {
  const absl::StatusOr<FieldValue> value = Get(name);
  if (!value.ok()) return value.status();
  if (value->type != type) {
    return absl::InvalidArgumentError(fmt::format(
        "argument id#{:016x} has scalar type {}, not {}", name.value,
        static_cast<int>(value->type), static_cast<int>(type)));
  }
  return value->bits;
}

absl::StatusOr<bool> EventArguments::GetBool(Id name) const {
  const absl::StatusOr<uint64_t> bits = GetBits(name, ScalarType::kBool);
  if (!bits.ok()) return bits.status();
  return *bits != 0;
}

absl::StatusOr<int64_t> EventArguments::GetInt64(Id name) const {
  const absl::StatusOr<uint64_t> bits = GetBits(name, ScalarType::kInt64);
  if (!bits.ok()) return bits.status();
  return std::bit_cast<int64_t>(*bits);
}

absl::StatusOr<double> EventArguments::GetDouble(Id name) const {
  const absl::StatusOr<uint64_t> bits = GetBits(name, ScalarType::kDouble);
  if (!bits.ok()) return bits.status();
  return std::bit_cast<double>(*bits);
}

absl::StatusOr<Id> EventArguments::GetId(Id name) const {
  const absl::StatusOr<uint64_t> bits = GetBits(name, ScalarType::kId);
  if (!bits.ok()) return bits.status();
  return Id{*bits};
}

absl::StatusOr<ObjectId> EventArguments::GetObject(Id name) const {
  const absl::StatusOr<uint64_t> bits = GetBits(name, ScalarType::kObject);
  if (!bits.ok()) return bits.status();
  return ObjectId{*bits};
}

absl::StatusOr<Handle> EventArguments::GetHandle(Id name) const {
  const absl::StatusOr<uint64_t> bits = GetBits(name, ScalarType::kHandle);
  if (!bits.ok()) return bits.status();
  return std::bit_cast<Handle>(*bits);
}

}  // namespace reprise::sim
