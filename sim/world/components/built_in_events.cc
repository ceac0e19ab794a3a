// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/components/built_in_events.h"

namespace reprise::sim {

std::vector<std::string_view> WorldNames() {
  std::vector<std::string_view> names(kWorldWords.begin(), kWorldWords.end());
  for (const EventDeclaration& event : kBuiltInEvents) {
    names.push_back(event.name);
    for (const ArgumentDeclaration& argument : event.described_arguments()) {
      names.push_back(argument.name);
    }
  }
  return names;
}

}  // namespace reprise::sim
