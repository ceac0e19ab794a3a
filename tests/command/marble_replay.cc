// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/command/marble_replay.h"

#include <sstream>

namespace reprise::tests {
namespace {

constexpr char kManifest[] = "sim/packs/marble/pack.txtpb";

}  // namespace

CommandResult Reprise(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), kReprise);
  return RunCommand(arguments);
}

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string ValueOf(const std::string& text, const std::string& label) {
  for (const std::string& line : Lines(text)) {
    if (!line.starts_with(label + " ")) continue;
    return line.substr(line.find_first_not_of(' ', label.size()));
  }
  return "";
}

std::string MakeChangedPack(const std::string& name, const std::string& find,
                            const std::string& replacement) {
  const std::string folder = TemporaryPath(name);
  RunCommand({"mkdir", "-p", folder});
  std::string manifest = ReadFileBytes(kManifest);
  const size_t place = manifest.find(find);
  EXPECT_NE(place, std::string::npos);
  manifest.replace(place, find.size(), replacement);
  WriteFileBytes(folder + "/pack.txtpb", manifest);
  return folder;
}

std::string* MarbleReplayTest::replay_ = nullptr;

void MarbleReplayTest::SetUpTestSuite() {
  replay_ = new std::string(TemporaryPath("random.mcap"));
  const CommandResult result = Reprise(
      {"run", "marble", "--random-inputs", "3", "--seed", "11", "--ticks",
       "240", "--keyframe-stride", "60", "--record", *replay_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

std::string MarbleReplayTest::MakeChangedReplay() {
  const std::string path = TemporaryPath("changed.mcap");
  const CommandResult result =
      Reprise({"run", "--inputs", replay(), "--change-input",
               "100:0:roll_x=-32001", "--record", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return path;
}

}  // namespace reprise::tests
