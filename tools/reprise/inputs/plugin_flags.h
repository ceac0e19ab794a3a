// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plug-ins that a command line asks for, whatever its verb.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_PLUGIN_FLAGS_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_PLUGIN_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace reprise::tools {

// The variable that names plug-ins, with colons between them.
inline constexpr const char* kPluginsVariable = "REPRISE_PLUGINS";

// Takes each `--plugin FILE` and `--plugin=FILE` in front of a `--` out of
// `arguments`: the files. INVALID_ARGUMENT: the last has no file.
absl::StatusOr<std::vector<std::string>> TakePluginFlags(
    std::vector<std::string>& arguments);

// Loads those of the variable, and `files`. Has the processes that this one
// starts load them, too, and names `files` on each line that reproduces
// something. Errors are RegisterPlugins'. Called while there is one thread.
absl::Status LoadPlugins(const std::vector<std::string>& files);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_PLUGIN_FLAGS_H_
