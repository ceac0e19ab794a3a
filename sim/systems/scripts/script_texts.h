// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Texts that are told of scripts.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_TEXTS_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_TEXTS_H_

#include <string_view>

#include "sim/base/id.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Keeps as much of a text as can be kept, with '?' for what is no UTF-8:
// scripts may put any bytes into one. Returns the id of what is kept.
Id KeepText(const WorldParts& parts, std::string_view text);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_TEXTS_H_
