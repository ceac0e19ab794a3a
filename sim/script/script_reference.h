// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What editors and readers are told of an API: all of it comes from the
// descriptions by which arguments are checked, so it can't be wrong.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_REFERENCE_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_REFERENCE_H_

#include <string>

#include "sim/script/functions/script_api.h"

namespace reprise::sim {

// Returns annotations for the Lua language server: a Lua file that is never
// run, with a function without a body for each of ours, and the types vector
// and handle.
std::string ScriptAnnotations(const ScriptApi& api);

// Returns the settings of the Lua language server (`.luarc.json`) for a pack
// whose annotations lie at `annotations_path`: the libraries that scripts don't
// have are off.
std::string ScriptEditorSettings(const std::string& annotations_path);

// Returns the reference in Markdown: each function with its parameters, units,
// ranges, result and errors, and what there is of Lua's libraries.
std::string ScriptReference(const ScriptApi& api);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_REFERENCE_H_
