// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The sources that stand in the place of those of the pack, as rows: so a state
// says which scripts it goes on with.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_SOURCE_ROWS_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_SOURCE_ROWS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/state/table.h"

namespace reprise::sim {

inline constexpr size_t kSourceBlockBytes = 256;
inline constexpr size_t kSourceBytesMax = 1 << 16;

// Where a state has them.
inline constexpr std::string_view kSourceRoom = "script_reloads";

// A part of a source; those of a file are in order, all but the last are full.
struct ScriptSourceRow {
  Id file;
  uint64_t block = 0;
  uint64_t size = 0;                                       // in bytes
  std::array<uint64_t, kSourceBlockBytes / 8> bytes = {};  // zeros behind it

  static constexpr std::string_view kTable = "script_sources";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ScriptSourceRow, file, ""),
                      REPRISE_FIELD(ScriptSourceRow, block, ""),
                      REPRISE_FIELD(ScriptSourceRow, size, ""),
                      REPRISE_FIELD(ScriptSourceRow, bytes, "")};
  }
};

// Takes the place of what is there of the file. An empty source has one row.
// REQUIRES: at most kSourceBytesMax bytes.
void WriteSource(Id file, std::string_view source, Table& table);

// All sources, by the ids of their files. DATA_LOSS: the rows are none that
// WriteSource leaves.
absl::StatusOr<std::map<Id, std::string>> ReadSources(const Table& table);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_SOURCE_ROWS_H_
