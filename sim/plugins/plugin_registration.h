// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef REPRISE_SIM_PLUGINS_PLUGIN_REGISTRATION_H_
#define REPRISE_SIM_PLUGINS_PLUGIN_REGISTRATION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace reprise::sim {

// Loads libraries and makes their simulations known by their names to the whole
// program. ALREADY_EXISTS names two simulations of one name; other errors are
// LoadPlugin's. Called while there is one thread.
absl::Status RegisterPlugins(const std::vector<std::string>& paths);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_PLUGIN_REGISTRATION_H_
