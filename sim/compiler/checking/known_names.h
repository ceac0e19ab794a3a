// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The names that a manifest gives to things of a kind, for messages that say
// what there is.

#ifndef REPRISE_SIM_COMPILER_CHECKING_KNOWN_NAMES_H_
#define REPRISE_SIM_COMPILER_CHECKING_KNOWN_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "reprise/v1/pack.pb.h"

namespace reprise::sim {

// What an author calls `kind` ("region", "type or archetype", "button action"),
// each name once, ascending; those of the program included. Empty for a kind
// that isn't named in the manifest as a whole, such as a bone.
std::vector<std::string> KnownNames(const v1::Pack& manifest,
                                    std::string_view kind);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_KNOWN_NAMES_H_
