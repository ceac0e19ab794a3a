// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Writes the golden files of the format's revision that this build writes, into
// the folder that is named. A revision that was released is never made again.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include "fmt/format.h"
#include "replays/format/replay_metadata.h"
#include "replays/testing/golden_replay.h"
#include "replays/testing/tiny_recording.h"

namespace reprise::replays {
namespace {

int Main(const std::string& folder) {
  const Bytes file = RecordGolden();
  const std::string text = *PrintGolden(**OpenReplay(file));
  const std::string base =
      fmt::format("{}/format_{}", folder, kReplayFormatRevision);
  if (std::filesystem::exists(base + ".mcap")) {
    std::cerr << base << ".mcap is there; it is made once\n";
    return 1;
  }
  std::ofstream replay_stream(base + ".mcap", std::ios::binary);
  replay_stream.write(reinterpret_cast<const char*>(file.data()),
                      static_cast<std::streamsize>(file.size()));
  std::ofstream text_stream(base + ".txtpb", std::ios::binary);
  text_stream << text;
  return replay_stream.flush() && text_stream.flush() ? 0 : 1;
}

}  // namespace
}  // namespace reprise::replays

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: golden_replay_main FOLDER\n";
    return 2;
  }
  return reprise::replays::Main(argv[1]);
}
