// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The words that stand in a script: names of events, reasons, texts. Reports
// write them out where the state has their ids.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_WORDS_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

namespace reprise::sim {

// The short strings of a source, without those that have escapes, in their
// order. What looks like one in a comment comes, too: it does no harm.
std::vector<std::string> WordsOfScript(std::string_view source);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_WORDS_H_
