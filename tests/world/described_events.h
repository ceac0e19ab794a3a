// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Holds what a simulation tells against what its description declares.

#ifndef REPRISE_TESTS_WORLD_DESCRIBED_EVENTS_H_
#define REPRISE_TESTS_WORLD_DESCRIBED_EVENTS_H_

#include <algorithm>
#include <ranges>
#include <string>

#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/game_description.h"

namespace reprise::sim {

// Whether a value is of a declared type. An object is one by its handle, too:
// packs have one type for both.
inline bool IsOfType(ScalarType declared, ScalarType type) {
  return declared == type ||
         (declared == ScalarType::kHandle && type == ScalarType::kObject);
}

// Whether a declaration is of events like `event`: with these arguments and no
// others, each of its type. In the account of a run any event may also say who
// sent it.
inline bool Declares(const EventDescription& declared, const Event& event) {
  const bool has_only_declared =
      std::ranges::all_of(event.arguments, [&](const EventArgument& argument) {
        if (argument.name == IdOf("sender")) {
          return argument.value.type == ScalarType::kObject;
        }
        return std::ranges::any_of(
            declared.arguments, [&](const EventArgumentDescription& known) {
              return IdOf(known.name) == argument.name &&
                     IsOfType(known.type.value_or(argument.value.type),
                              argument.value.type);
            });
      });
  const bool has_all_required = std::ranges::all_of(
      declared.arguments, [&](const EventArgumentDescription& known) {
        return known.is_optional ||
               std::ranges::count(event.arguments, IdOf(known.name),
                                  &EventArgument::name) == 1;
      });
  return IdOf(declared.name) == event.type && has_only_declared &&
         has_all_required;
}

inline bool IsDeclared(const GameDescription& description, const Event& event) {
  return std::ranges::any_of(description.events,
                             [&](const EventDescription& declared) {
                               return Declares(declared, event);
                             });
}

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_WORLD_DESCRIBED_EVENTS_H_
