// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/script_coverage.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <span>

#include "fmt/format.h"
#include "sim/script/script_profile.h"
#include "sim/script/script_program.h"

namespace reprise::tools {

void ScriptCoverage::Add(const std::string& folder,
                         const sim::ScriptMachine& machine) {
  const sim::ScriptProfile& profile = machine.profile();
  const std::vector<sim::ScriptFile>& files = machine.program().files();
  for (size_t i = 0; i < files.size(); ++i) {
    File& file =
        files_[folder.empty() ? files[i].name : folder + "/" + files[i].name];
    const auto lines = profile.lines(static_cast<int>(i));
    for (size_t line = 0; line < lines.size(); ++line) {
      if (!lines[line].has_code) continue;
      Line& sum = file[static_cast<int>(line) + 1];
      sum.runs += lines[line].runs;
      sum.instructions += lines[line].instructions;
    }
    std::map<int, size_t> counts;  // of the branches of a line so far
    for (const auto& branch : profile.branches(static_cast<int>(i))) {
      auto& sums = file[branch.line].branches;
      const size_t place = counts[branch.line]++;
      sums.resize(std::max(sums.size(), place + 1));
      for (size_t way = 0; way < branch.ways.size(); ++way) {
        sums[place][way] += branch.ways[way];
      }
    }
  }
}

std::string ScriptCoverage::ToLcov() const {
  std::string text = "TN:\n";
  for (const auto& [path, lines] : files_) {
    text += fmt::format("SF:{}\n", path);
    size_t ways_found = 0;
    size_t ways_hit = 0;
    for (const auto& [number, line] : lines) {
      for (size_t block = 0; block < line.branches.size(); ++block) {
        const std::array<int64_t, 2>& ways = line.branches[block];
        const bool is_reached = ways[0] + ways[1] > 0;
        for (size_t way = 0; way < ways.size(); ++way) {
          // "-": its condition was never asked.
          text += fmt::format("BRDA:{},{},{},{}\n", number, block, way,
                              is_reached ? std::to_string(ways[way]) : "-");
          ++ways_found;
          if (ways[way] > 0) ++ways_hit;
        }
      }
    }
    text += fmt::format("BRF:{}\nBRH:{}\n", ways_found, ways_hit);
    size_t lines_hit = 0;
    for (const auto& [number, line] : lines) {
      text += fmt::format("DA:{},{}\n", number, line.runs);
      if (line.runs > 0) ++lines_hit;
    }
    text +=
        fmt::format("LF:{}\nLH:{}\nend_of_record\n", lines.size(), lines_hit);
  }
  return text;
}

std::string ScriptCoverage::ToProfile() const {
  struct Entry {
    std::string place;
    const Line* line;
  };
  std::vector<Entry> entries;  // as they stand in the files
  int64_t total = 0;
  for (const auto& [path, lines] : files_) {
    for (const auto& [number, line] : lines) {
      if (line.instructions == 0) continue;
      entries.push_back(
          {.place = fmt::format("{}:{}", path, number), .line = &line});
      total += line.instructions;
    }
  }
  std::ranges::stable_sort(
      entries, std::ranges::greater(),
      [](const Entry& entry) { return entry.line->instructions; });
  std::string text = "instructions   share        runs  line\n";
  for (const Entry& entry : entries) {
    text += fmt::format("{:12} {:5.1f} % {:11}  {}\n", entry.line->instructions,
                        100.0 * static_cast<double>(entry.line->instructions) /
                            static_cast<double>(total),
                        entry.line->runs, entry.place);
  }
  return text + fmt::format("{:12}                       all\n", total);
}

namespace {

absl::Status WriteText(const std::string& text, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) {
    return absl::UnavailableError(path + ": can't be written");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteScriptCoverage(const ScriptCoverage& coverage,
                                 const std::string& path) {
  return WriteText(coverage.ToLcov(), path);
}

absl::Status WriteScriptProfile(const ScriptCoverage& coverage,
                                const std::string& path) {
  return WriteText(coverage.ToProfile(), path);
}

}  // namespace reprise::tools
