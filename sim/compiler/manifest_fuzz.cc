// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whatever stands in the files of a pack, those that it includes and its tables
// among them, reading it ends in a world or in a report whose every place is
// one in a file of the pack, and never in a crash. A line "=== PATH" of the
// input begins a file; what stands before the first one is the manifest.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/compiler/reading/csv_table.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kFileMark = "=== ";

// What begins with no path within a pack, or is there already, is left out.
PackArchive PackOf(std::string_view input) {
  PackArchive pack;
  std::string path(kPackManifestPath);
  std::string text;
  while (!input.empty()) {
    const size_t end = std::min(input.find('\n'), input.size() - 1) + 1;
    const std::string_view line = input.substr(0, end);
    input.remove_prefix(end);
    if (!line.starts_with(kFileMark)) {
      text += line;
      continue;
    }
    (void)pack.Add(path, text);
    path = line.substr(kFileMark.size());
    if (path.ends_with('\n')) path.pop_back();
    text.clear();
  }
  (void)pack.Add(path, text);
  return pack;
}

void CheckPlace(const PackProblem& problem, const PackArchive& pack) {
  const std::optional<std::string_view> text = pack.Find(problem.file);
  if (!text.has_value()) {
    CHECK(problem.file == kPackManifestPath && problem.line == 0);
    return;
  }
  const auto lines = std::ranges::count(*text, '\n') + 1;
  CHECK(problem.line <= static_cast<uint64_t>(lines), "{}",
        FormatProblem(problem));
}

void CheckTable(std::string_view text) {
  const CsvTable table = ParseCsv(text);
  uint32_t line = 0;
  for (const auto& row : table.rows) {
    CHECK(!row.empty());
    for (const CsvCell& cell : row) {
      CHECK(cell.line >= line && cell.column >= 1);
      line = cell.line;
    }
  }
  if (table.mistake.has_value()) CHECK(table.mistake->line >= line);
}

}  // namespace
}  // namespace reprise::sim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace sim = reprise::sim;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  sim::CheckTable(input);
  const sim::PackArchive pack = sim::PackOf(input);
  (void)sim::SimulationOf(pack);
  sim::PackReport report;
  const auto definition = sim::CompilePack(pack, /*seed=*/1, report);
  CHECK((definition == nullptr) == !report.ok());
  for (const sim::PackProblem& problem : report.problems()) {
    sim::CheckPlace(problem, pack);
  }
  return 0;
}
