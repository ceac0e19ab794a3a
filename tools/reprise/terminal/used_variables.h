// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which variables of the environment took part in what the command did: the
// line that reproduces it sets them, so that it works in another shell.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_USED_VARIABLES_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_USED_VARIABLES_H_

#include <span>
#include <string>

namespace reprise::tools {

// The value of the variable `name`, which from now on was used; empty where it
// isn't set, or set to nothing, and so decided nothing. Safe for concurrent
// use.
std::string UseVariable(const std::string& name);

// "REPRISE_PACKS=game reprise verify x.mcap --pack marble": what
// FormatCommandLine gives behind the variables that were used, in the order of
// their names, as a shell takes it.
std::string FormatReproduction(std::span<const std::string> arguments);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_USED_VARIABLES_H_
