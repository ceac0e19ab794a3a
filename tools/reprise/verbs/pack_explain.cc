// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise pack explain`: what a field of a pack is.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/reprise/reports/field_reference.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {

Command MakePackExplainCommand() {
  Command command;
  command.name = "pack explain";
  command.summary = "Says what a field of a pack is: unit, range, default";
  command.description =
      "FIELD is a path as `pack check` prints it, or its end, or a message "
      "that "
      "it names, with a field or without. All fields stand in "
      "docs/pack_reference.md.";
  command.arguments = {"FIELD", 1, 1};
  command.examples = {
      {"What is wrong with this friction?",
       "reprise pack explain types[2].body.friction"},
      {"What can stand in a body?", "reprise pack explain types.body"},
      {"OutcomeEffect has no field 'lost': which has it?",
       "reprise pack explain OutcomeEffect"},
  };
  command.run = [](const std::vector<std::string>& arguments,
                   Console& console) -> absl::StatusOr<ExitCode> {
    const absl::StatusOr<std::string> text =
        ExplainField(FieldReferencePage(), arguments[0]);
    if (!text.ok()) {
      return absl::InvalidArgumentError(text.status().message());
    }
    console.out() << *text;
    return ExitCode::kOk;
  };
  return command;
}

}  // namespace reprise::tools
