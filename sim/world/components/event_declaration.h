// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How the world and each system say which events they send and understand. The
// ids by which events are sent are taken from these tables, so there is none
// that they don't describe.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_EVENT_DECLARATION_H_
#define REPRISE_SIM_WORLD_COMPONENTS_EVENT_DECLARATION_H_

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"

namespace reprise::sim {

struct ArgumentDeclaration {
  std::string_view name;
  ScalarType type = ScalarType::kId;
  std::string_view unit = {};  // an SI symbol; empty for a pure number
  bool is_optional = false;    // there are such events without it
};

// Two objects, a point and a normal: nothing that the world says is longer.
using DeclaredArguments = std::array<ArgumentDeclaration, 8>;

struct EventDeclaration {
  std::string_view name;
  std::string_view sender;
  std::string_view receiver;
  std::string_view when;
  DeclaredArguments arguments = {};  // those with a name

  constexpr std::span<const ArgumentDeclaration> described_arguments() const {
    size_t count = 0;
    while (count < arguments.size() && !arguments[count].name.empty()) ++count;
    return {arguments.data(), count};
  }
};

// Senders and receivers. What a pack sends comes from its connections, timers,
// commands and objectives, and from behaviours.
inline constexpr std::string_view kByPack = "the pack";
inline constexpr std::string_view kByWorld = "the world";
inline constexpr std::string_view kByItself = "the object";
inline constexpr std::string_view kToItself = "the object";
inline constexpr std::string_view kToInterested = "all with interest";
// Nothing can react to it, but an objective.
inline constexpr std::string_view kToAccount = "the account of the run";

// The id of an event of the table; for any other it doesn't compile.
consteval Id EventIdIn(std::span<const EventDeclaration> events,
                       std::string_view name) {
  for (const EventDeclaration& event : events) {
    if (event.name == name) return IdOf(name);
  }
  throw "the table has no such event";
}

// The id of an argument of the table's events.
consteval Id WordIdIn(std::span<const EventDeclaration> events,
                      std::string_view name) {
  for (const EventDeclaration& event : events) {
    for (const ArgumentDeclaration& argument : event.described_arguments()) {
      if (argument.name == name) return IdOf(name);
    }
  }
  throw "no event of the table has such an argument";
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_EVENT_DECLARATION_H_
