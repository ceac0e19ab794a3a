// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What verbs print with --format json: one document each, its keys in a fixed
// order, with the version of its schema first. Ticks and counts are numbers;
// integers of 64 bits (seeds, state) are strings, as in protobuf's JSON,
// because most readers of JSON keep 53 bits; digests are hexadecimal strings.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_JSON_OUTPUT_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_JSON_OUTPUT_H_

#include <string_view>

#include "nlohmann/json.hpp"
#include "replays/comparing/divergence_growth.h"
#include "replays/format/replay_metadata.h"
#include "replays/verifying/divergence.h"
#include "sim/simulation.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {

// Keeps its keys in the order in which they were added.
using Json = nlohmann::ordered_json;

// Goes up when a key changes its meaning or goes away, not when one is added.
inline constexpr int kJsonSchemaVersion = 1;

// The value of --format.
class OutputFormat {
 public:
  // The flag that sets it. `this` has to outlive the flag.
  Flag flag();

  bool is_json() const { return value_ == "json"; }

 private:
  std::string_view value_ = "human";
};

// A document of `command`, to be filled.
Json MakeJsonDocument(std::string_view command);

// Prints it, indented by two. Bytes that are not UTF-8
// become U+FFFD.
void PrintJson(const Json& document, Console& console);

Json ToJson(const sim::Outcome& outcome);
Json ToJson(const replays::Divergence& divergence);
Json ToJson(const replays::DivergenceGrowth& growth);
Json ToJson(const replays::ReplayRemarks& remarks);

// "running", "won", "lost".
std::string_view OutcomeName(sim::Outcome::Status status);

// "running", "won: goal": the same for people.
std::string FormatOutcome(const sim::Outcome& outcome);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_JSON_OUTPUT_H_
