// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/event_connections.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

auto KeyOf(const EventConnection& connection) {
  return std::tuple(connection.source, connection.type, connection.name);
}

auto PathOf(const EventConnection& connection) {
  return std::pair(connection.source, connection.type);
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
  using Key = std::tuple<ObjectId, Id, Id>;
  std::vector<std::pair<Key, size_t>> keys;
  for (size_t i = 0; i < connections.size(); ++i) {
    const EventConnection& connection = connections[i];
    if (connection.type == kNoId || connection.name == kNoId ||
        connection.posted_type == kNoId) {
      return Invalid(i, "an event type or the name is missing");
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
  const std::pair path(source, type);
  return {std::ranges::lower_bound(connections_, path, {}, PathOf),
          std::ranges::upper_bound(connections_, path, {}, PathOf)};
}

}  // namespace reprise::sim
