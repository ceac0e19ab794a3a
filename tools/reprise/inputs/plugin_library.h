// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Shared libraries with a simulation in them.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_PLUGIN_LIBRARY_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_PLUGIN_LIBRARY_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/plugins/plugin.h"

namespace reprise::tools {

// Loads the library at `path`. NOT_FOUND: nothing is there. INVALID_ARGUMENT,
// with the linker's words: it is no library or no plug-in, and as
// sim::CheckPlugin says.
absl::StatusOr<sim::Plugin> LoadPlugin(const std::string& path);

// Loads libraries and makes their simulations known by their names to the whole
// program. ALREADY_EXISTS names two simulations of one name; other errors as
// above. Called while there is one thread.
absl::Status RegisterPlugins(const std::vector<std::string>& paths);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_PLUGIN_LIBRARY_H_
