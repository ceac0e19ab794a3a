// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/event_connections.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// Whose events connections follow, as the first of two numbers; the second says
// which of them.
enum SourceKind : uint64_t { kAnybody, kOfType, kOfName, kOfObject };

using Path = std::tuple<uint64_t, uint64_t, Id>;

Path PathOf(const EventConnection& connection) {
  if (connection.source_type != kNoId) {
    return {kOfType, connection.source_type.value, connection.type};
  }
  if (connection.source_name != kNoId) {
    return {kOfName, connection.source_name.value, connection.type};
  }
  return {connection.source == kNoObject ? kAnybody : kOfObject,
          connection.source.serial, connection.type};
}

using Key = std::pair<Path, Id>;

Key KeyOf(const EventConnection& connection) {
  return {PathOf(connection), connection.name};
}

// How many ways of naming one thing are used.
int CountOf(std::initializer_list<bool> ways) {
  return static_cast<int>(std::ranges::count(ways, true));
}

absl::Status Invalid(size_t position, std::string_view text) {
  return absl::InvalidArgumentError(
      fmt::format("connection {}: {}", position, text));
}

// Checks the inputs that a connection sets, all of them together.
absl::Status CheckInputs(const EventConnection& connection, size_t position) {
  EventArguments inputs;
  const auto add = [&](Id name, FieldValue value) {
    if (inputs.Find(name) != nullptr) {
      return Invalid(position, "an input is set twice");
    }
    const absl::Status status = inputs.Set(name, value);
    if (status.ok()) return status;
    return absl::Status(status.code(),
                        fmt::format("connection {}: {}", position,
                                    std::string(status.message())));
  };
  for (const EventConnection::Mapping& mapping : connection.mappings) {
    if (mapping.output == kNoId) {
      return Invalid(position, "an output without a name");
    }
    absl::Status status = add(mapping.input, FieldValue::OfInt64(0));
    if (!status.ok()) return status;
  }
  for (const EventArgument& constant : connection.constants) {
    absl::Status status = add(constant.name, constant.value);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// `value` as one of the type that an argument is said to have.
FieldValue Become(FieldValue value, ScalarType type,
                  const EventReceivers& receivers) {
  if (value.type == type) return value;
  if (value.type == ScalarType::kInt64 && type == ScalarType::kDouble) {
    return FieldValue::OfDouble(
        static_cast<double>(static_cast<int64_t>(value.bits)));
  }
  if (value.type == ScalarType::kObject && type == ScalarType::kHandle) {
    return FieldValue::OfHandle(receivers.HandleOf(ObjectId{value.bits}));
  }
  if (value.type == ScalarType::kHandle && type == ScalarType::kObject) {
    return FieldValue::OfObject(receivers.ObjectOf(value.AsHandle()));
  }
  return value;
}

}  // namespace

absl::Status ValidateEventConnections(
    std::span<const EventConnection> connections) {
  if (connections.size() > kEventConnectionsMax) {
    return absl::ResourceExhaustedError(
        fmt::format("{} connections; at most {}", connections.size(),
                    kEventConnectionsMax));
  }
  std::vector<std::pair<Key, size_t>> keys;
  for (size_t i = 0; i < connections.size(); ++i) {
    const EventConnection& connection = connections[i];
    if (connection.type == kNoId || connection.name == kNoId ||
        (connection.posted_type == kNoId && connection.effects.empty())) {
      return Invalid(i, "an event type or the name is missing");
    }
    if (CountOf({connection.source != kNoObject,
                 connection.source_type != kNoId,
                 connection.source_name != kNoId}) > 1) {
      return Invalid(i, "more than one source");
    }
    if (CountOf({connection.target != kNoObject,
                 connection.participant.has_value(),
                 !connection.target_types.empty()}) > 1) {
      return Invalid(i, "more than one target");
    }
    if (connection.delay > kTickMax) return Invalid(i, "the delay is too long");
    if (absl::Status status = CheckInputs(connection, i); !status.ok()) {
      return status;
    }
    keys.emplace_back(KeyOf(connection), i);
  }
  // A total order: positions differ.
  std::ranges::sort(keys);
  const auto twice =
      std::ranges::adjacent_find(keys, {}, &std::pair<Key, size_t>::first);
  if (twice != keys.end()) {
    return Invalid(
        std::next(twice)->second,
        fmt::format("has the source, type and name of {}", twice->second));
  }
  return absl::OkStatus();
}

WorldEvent ConnectedEvent(const EventConnection& connection,
                          const WorldEvent& sent, Handle target,
                          const EventReceivers& receivers) {
  WorldEvent event = {.type = connection.posted_type,
                      .sender = sent.sender,
                      .target = target,
                      .priority = connection.priority};
  const auto set = [&](Id name, FieldValue value) {
    const absl::Status status = event.arguments.Set(name, value);
    CHECK(status.ok(), "{}", status.ToString());
  };
  for (const EventConnection::Mapping& mapping : connection.mappings) {
    const EventArgument* const output = sent.arguments.Find(mapping.output);
    if (output == nullptr) continue;
    set(mapping.input,
        Become(output->value, mapping.becomes.value_or(output->value.type),
               receivers));
  }
  for (const EventArgument& constant : connection.constants) {
    set(constant.name, constant.value);
  }
  return event;
}

EventConnections::EventConnections(std::vector<EventConnection> connections)
    : connections_(std::move(connections)) {
  const absl::Status status = ValidateEventConnections(connections_);
  CHECK(status.ok(), "{}", status.ToString());
  // A total order: a valid connection has its key alone.
  std::ranges::sort(connections_, {}, KeyOf);
}

std::span<const EventConnection> EventConnections::Find(ObjectId source,
                                                        Id type) const {
  return FindPath(source == kNoObject ? kAnybody : kOfObject, source.serial,
                  type);
}

std::span<const EventConnection> EventConnections::FindOfType(Id source_type,
                                                              Id type) const {
  return FindPath(kOfType, source_type.value, type);
}

std::span<const EventConnection> EventConnections::FindOfName(Id source_name,
                                                              Id type) const {
  return FindPath(kOfName, source_name.value, type);
}

std::span<const EventConnection> EventConnections::FindPath(uint64_t kind,
                                                            uint64_t source,
                                                            Id type) const {
  const Path path(kind, source, type);
  return {std::ranges::lower_bound(connections_, path, {}, PathOf),
          std::ranges::upper_bound(connections_, path, {}, PathOf)};
}

}  // namespace reprise::sim
