// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a shared library with a simulation in it exports, as
// include/reprise/simulation.h describes it.

#ifndef REPRISE_SIM_PLUGINS_PLUGIN_H_
#define REPRISE_SIM_PLUGINS_PLUGIN_H_

#include <string>

#include "absl/status/statusor.h"
#include "include/reprise/simulation.h"

namespace reprise::sim {

// Of a library that stays loaded until the process ends.
struct Plugin {
  std::string path;
  std::string name;  // of its simulation
  // What it exports; calls that it lacks are null.
  reprise_plugin calls = {};
};

// INVALID_ARGUMENT, with the path: `calls` are of another version, lack a call
// that isn't optional, or have a name that can't be.
absl::StatusOr<Plugin> CheckPlugin(std::string path,
                                   const reprise_plugin* calls);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_PLUGIN_H_
