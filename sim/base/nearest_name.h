// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Guesses what a mistyped name was meant to be, and says so in messages.

#ifndef REPRISE_SIM_BASE_NEAREST_NAME_H_
#define REPRISE_SIM_BASE_NEAREST_NAME_H_

#include <span>
#include <string>
#include <string_view>

namespace reprise::sim {

// Returns the name that the fewest single-letter edits (insert, delete,
// replace) turn `typed` into, the first of them where several are as near;
// empty when even that one takes more edits than a third of its length and one,
// or leaves no letter in place, and so is no likely slip. What is longer than
// 256 bytes is nobody's slip.
std::string_view NearestName(std::string_view typed,
                             std::span<const std::string_view> names);

// "; did you mean 'verify'?", or nothing.
std::string DidYouMean(std::string_view typed,
                       std::span<const std::string_view> names);

// "there is no verb 'verfy'; did you mean 'verify'? There are run and verify":
// `kind` is what people call such a thing. The list of what there is, in the
// order of `names`, only where it is short: at most 24 names of 600 bytes.
std::string ThereIsNo(std::string_view kind, std::string_view typed,
                      std::span<const std::string_view> names);

// What stands behind "there is no verb 'verfy'", for other sentences.
std::string Suggestion(std::string_view typed,
                       std::span<const std::string_view> names);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_NEAREST_NAME_H_
