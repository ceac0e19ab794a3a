// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Guesses what a mistyped name was meant to be.

#ifndef REPRISE_SIM_BASE_NEAREST_NAME_H_
#define REPRISE_SIM_BASE_NEAREST_NAME_H_

#include <span>
#include <string_view>

namespace reprise::sim {

// Returns the name that the fewest single-letter edits (insert, delete,
// replace) turn `typed` into, the first of them where several are as near;
// empty when even that one takes more edits than a third of its length and one,
// and so is no likely slip.
std::string_view NearestName(std::string_view typed,
                             std::span<const std::string_view> names);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_NEAREST_NAME_H_
