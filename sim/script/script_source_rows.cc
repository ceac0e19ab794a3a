// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_source_rows.h"

#include <algorithm>
#include <cstring>

#include "absl/status/status.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

constexpr uint64_t kBlocksMax = kSourceBytesMax / kSourceBlockBytes;

ScriptSourceRow RowOf(Id file, uint64_t block, std::string_view part) {
  ScriptSourceRow row{.file = file, .block = block, .size = part.size()};
  std::memcpy(row.bytes.data(), part.data(), part.size());
  return row;
}

std::string TextOf(const ScriptSourceRow& row) {
  std::string text(row.size, '\0');
  std::memcpy(text.data(), row.bytes.data(), row.size);
  return text;
}

}  // namespace

void WriteSource(Id file, std::string_view source, Table& table) {
  CHECK(source.size() <= kSourceBytesMax, "{} bytes", source.size());
  const uint32_t first = table.LowerBound(std::array{file.value, uint64_t{0}});
  uint32_t old = first;
  while (old < table.row_count() &&
         table.Get<ScriptSourceRow>(old).file == file) {
    ++old;
  }
  table.EraseRange(first, old - first);
  uint32_t row = first;
  uint64_t block = 0;
  do {
    const std::string_view part = source.substr(0, kSourceBlockBytes);
    table.Insert(row);
    table.Mutable<ScriptSourceRow>(row++) = RowOf(file, block++, part);
    source.remove_prefix(part.size());
  } while (!source.empty());
}

absl::StatusOr<std::map<Id, std::string>> ReadSources(const Table& table) {
  std::map<Id, std::string> sources;
  bool is_right = true;
  for (uint32_t i = 0; is_right && i < table.row_count(); ++i) {
    const auto& row = table.Get<ScriptSourceRow>(i);
    const bool is_last = i + 1 == table.row_count() ||
                         table.Get<ScriptSourceRow>(i + 1).file != row.file;
    const bool is_first =
        i == 0 || table.Get<ScriptSourceRow>(i - 1).file != row.file;
    is_right = row.size <= kSourceBlockBytes && row.block < kBlocksMax &&
               (is_last || row.size == kSourceBlockBytes) &&
               (row.size > 0 || (is_first && is_last)) &&
               row.block ==
                   (is_first ? 0 : table.Get<ScriptSourceRow>(i - 1).block + 1);
    if (!is_right) break;
    const std::string part = TextOf(row);
    is_right = RowOf(row.file, row.block, part).bytes == row.bytes;
    sources[row.file] += part;
  }
  if (is_right) return sources;
  return absl::DataLossError(
      "snapshot: sources of scripts that nobody can have given");
}

}  // namespace reprise::sim
