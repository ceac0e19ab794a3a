// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds and reads the scenarios that stand beside packs, in their folders
// tests/. Whatever is wrong with one is told with its file, line and field.

#ifndef REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_FILE_H_
#define REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_FILE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/text_format.h"
#include "reprise/v1/scenario.pb.h"

namespace reprise::tools {

// A step from a message to one of its fields; the index is -1 of one that isn't
// repeated.
struct FieldStep {
  std::string_view field;
  int index = -1;
};

struct Scenario {
  v1::Scenario message;
  std::string path;  // of its file
  int index = 0;     // among those of the file
  std::shared_ptr<const google::protobuf::TextFormat::ParseInfoTree> places;

  // "pong/tests/play.txtpb:12:3": where the field stands or, if it isn't there,
  // what would hold it.
  std::string PlaceOf(const std::vector<FieldStep>& field) const;
  // INVALID_ARGUMENT: the place, the scenario, the field and `reason`.
  absl::Status Error(const std::vector<FieldStep>& field,
                     std::string_view reason) const;
};

// The scenarios of one pack.
struct ScenarioPack {
  std::string path;  // of the pack
  std::vector<std::string> files;
};

// The packs with tests that a person means by `name`: a pack, by path or name;
// a file of scenarios; or a folder of packs, in the order of their names.
// NOT_FOUND: there is nothing. A pack that is named may have no files.
absl::StatusOr<std::vector<ScenarioPack>> FindScenarios(
    const std::string& name);

// Reads a text. INVALID_ARGUMENT: it is no v1::Scenarios, two scenarios have
// one name, or a scenario contradicts itself.
absl::StatusOr<std::vector<Scenario>> ParseScenarios(std::string_view text,
                                                     const std::string& path);

// Reads the files of a pack, whose scenarios have different names.
absl::StatusOr<std::vector<Scenario>> ReadScenarios(const ScenarioPack& pack);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_FILE_H_
