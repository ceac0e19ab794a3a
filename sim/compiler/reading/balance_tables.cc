// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/reading/balance_tables.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/nearest_name.h"
#include "sim/compiler/reading/csv_table.h"
#include "sim/compiler/reading/value_text.h"

namespace reprise::sim {
namespace {

using Row = std::vector<CsvCell>;

// Types and archetypes by name; of several of one name, which the compiler
// refuses, the first.
using Owners = std::map<std::string, SettingOwner, std::less<>>;

Owners OwnersOf(const v1::Pack& pack) {
  Owners owners;
  for (int i = 0; i < pack.types_size(); ++i) {
    owners.try_emplace(pack.types(i).name(), SettingOwner{"types", i});
  }
  for (int i = 0; i < pack.archetypes_size(); ++i) {
    owners.try_emplace(pack.archetypes(i).name(),
                       SettingOwner{"archetypes", i});
  }
  return owners;
}

// The texts of the values in a cell.
std::vector<std::string> TextsOf(const std::string& cell, bool is_list) {
  if (!is_list) return {cell};
  std::vector<std::string> texts;
  size_t begin = 0;
  while (true) {
    const size_t end = cell.find(';', begin);
    texts.push_back(cell.substr(begin, end - begin));
    if (end == cell.npos) return texts;
    begin = end + 1;
  }
}

// Reads one table.
class TableReader {
 public:
  TableReader(std::string file, const Owners& owners,
              const KnownProperties& properties, SettingWriter& writer,
              PackReport& report)
      : file_(std::move(file)),
        owners_(owners),
        properties_(properties),
        writer_(writer),
        report_(report) {}

  void Read(const CsvTable& table) {
    if (!table.rows.empty()) {
      if (!ReadHeader(table.rows[0])) return;
      for (size_t i = 1; i < table.rows.size(); ++i) ReadRow(table.rows[i]);
    }
    if (table.mistake.has_value()) {
      Add({.file = file_,
           .line = table.mistake->line,
           .column = table.mistake->column,
           .field = ""},
          table.mistake->message);
    } else if (table.rows.empty()) {
      Add({.file = file_, .field = ""}, "the table is empty");
    }
  }

 private:
  void Add(FixedPlace place, std::string message) const {
    report_.Add({.file = std::move(place.file),
                 .line = place.line,
                 .column = place.column,
                 .field = std::move(place.field),
                 .message = std::move(message)});
  }

  FixedPlace PlaceOf(const CsvCell& cell, std::string column) const {
    return {.file = file_,
            .line = cell.line,
            .column = cell.column,
            .field = std::move(column)};
  }

  // False where nothing else is worth reading.
  bool ReadHeader(const Row& header) {
    if (header.size() > kTableColumnsMax) {
      Add(PlaceOf(header[kTableColumnsMax], ""),
          fmt::format("more than {} columns", kTableColumnsMax));
      return false;
    }
    column_count_ = header.size();
    std::set<std::string_view> names;
    for (size_t i = 1; i < header.size(); ++i) {
      const CsvCell& cell = header[i];
      const auto problem = [&](std::string message) {
        Add(PlaceOf(cell, ""), std::move(message));
      };
      columns_.push_back(FindProperty(cell.text, properties_, problem));
      if (!names.insert(cell.text).second) {
        problem(fmt::format("there are two columns '{}'", cell.text));
        columns_.back().component.clear();
      }
    }
    return true;
  }

  void ReadRow(const Row& row) {
    const CsvCell& name = row[0];
    if (row.size() != column_count_) {
      Add(PlaceOf(name, ""), fmt::format("{} cells, but the first line has {}",
                                         row.size(), column_count_));
      return;
    }
    const auto owner = owners_.find(name.text);
    if (owner == owners_.end()) {
      Add(PlaceOf(name, ""), NoOwner(name.text));
      return;
    }
    const auto [line, is_new] = lines_.try_emplace(name.text, name.line);
    if (!is_new) {
      Add(PlaceOf(name, ""),
          fmt::format("'{}' stands in line {}, too", name.text, line->second));
      return;
    }
    for (size_t i = 0; i < columns_.size(); ++i) {
      ReadCell(owner->second, columns_[i], row[i + 1]);
    }
  }

  void ReadCell(const SettingOwner& owner, const FoundProperty& property,
                const CsvCell& cell) {
    if (property.component.empty() || cell.text.empty()) return;
    const FixedPlace place = PlaceOf(
        cell, fmt::format("{}.{}", property.component, property.property));
    absl::StatusOr<v1::Value> value =
        ParseValueTexts(property.kind.type, property.kind.is_list,
                        TextsOf(cell.text, property.kind.is_list));
    if (!value.ok()) {
      Add(place, std::string(value.status().message()));
      return;
    }
    const std::string problem = writer_.Write(
        owner, property, *std::move(value), {.setting = place, .value = place});
    if (!problem.empty()) Add(place, problem);
  }

  std::string NoOwner(const std::string& name) const {
    std::vector<std::string_view> names;
    if (report_.wants_details()) {
      for (const auto& [each, owner] : owners_) names.push_back(each);
    }
    return ThereIsNo("type or archetype", name, names);
  }

  const std::string file_;
  const Owners& owners_;
  const KnownProperties& properties_;
  SettingWriter& writer_;
  PackReport& report_;
  // Those behind the first; no component for one that was reported.
  std::vector<FoundProperty> columns_;
  size_t column_count_ = 0;
  std::map<std::string, uint32_t, std::less<>> lines_;  // of each name
};

}  // namespace

void ReadBalanceTables(const PackArchive& archive,
                       const KnownProperties& properties,
                       const MessageChecker& checker, const v1::Pack& pack,
                       SettingWriter& writer, PackReport& report) {
  if (pack.tables().empty()) return;
  const Owners owners = OwnersOf(pack);
  std::vector<std::string> files;
  for (const auto& [path, contents] : archive.files()) files.push_back(path);
  std::set<std::string> read;
  size_t cell_count = 0;
  for (int i = 0; i < pack.tables_size(); ++i) {
    const std::string& file = pack.tables(i).file();
    const MessageChecker place = checker.In(pack.tables(i), "tables", i);
    if (const absl::Status status = CheckPackPath(file); !status.ok()) {
      place.Problem("file", std::string(status.message()));
      continue;
    }
    const std::optional<std::string_view> text = archive.Find(file);
    if (!text.has_value()) {
      place.NoSuch("file", "file", file, files);
      continue;
    }
    if (!read.insert(file).second) {
      place.Problem("file", fmt::format("there are two tables '{}'", file));
      continue;
    }
    const CsvTable table = ParseCsv(*text);
    for (const Row& row : table.rows) cell_count += row.size();
    if (cell_count > kTableCellsMax) {
      place.Problem("file", fmt::format("more than {} cells in all tables",
                                        kTableCellsMax));
      return;
    }
    TableReader(file, owners, properties, writer, report).Read(table);
  }
}

}  // namespace reprise::sim
