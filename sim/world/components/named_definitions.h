// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Checks of lists of named definitions, in words that an author understands.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_NAMED_DEFINITIONS_H_
#define REPRISE_SIM_WORLD_COMPONENTS_NAMED_DEFINITIONS_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "sim/base/id.h"

namespace reprise::sim {

// The name of `id` in quotes, or its number where the table doesn't know it.
std::string Quoted(const NameTable& names, Id id);

// OK when there are at most `count_max` names, none of them kNoId and no two
// the same; InvalidArgument or ResourceExhausted otherwise. `kind` is what is
// being named: "region".
absl::Status ValidateNames(std::string_view kind, std::span<const Id> ids,
                           size_t count_max, const NameTable& names);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_NAMED_DEFINITIONS_H_
