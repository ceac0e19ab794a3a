// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads comma-separated values by RFC 4180, with each cell's place.

#ifndef REPRISE_SIM_COMPILER_READING_CSV_TABLE_H_
#define REPRISE_SIM_COMPILER_READING_CSV_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::sim {

// More is no table that a person balances.
inline constexpr size_t kCsvCellsMax = 200000;

struct CsvCell {
  std::string text;  // without the quotes around it
  // Where it begins, from 1; columns count bytes.
  uint32_t line = 0;
  uint32_t column = 0;
};

// What is wrong with a text, and where.
struct CsvMistake {
  uint32_t line = 0;
  uint32_t column = 0;
  std::string message;
};

struct CsvTable {
  // At least one cell each; lines without any character are left out.
  std::vector<std::vector<CsvCell>> rows;
  // The first one, behind the rows; nothing is read after it.
  std::optional<CsvMistake> mistake;
};

// The cells of `text`. Lines end with LF or CRLF, the last one need not; a byte
// order mark is passed over. A cell in quotes may have commas, line ends and,
// doubled, quotes. Mistakes: quotes within a cell without or behind one with
// them, quotes that don't end, a carriage return alone, text that isn't UTF-8,
// more than `cells_max` cells.
CsvTable ParseCsv(std::string_view text, size_t cells_max = kCsvCellsMax);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_READING_CSV_TABLE_H_
