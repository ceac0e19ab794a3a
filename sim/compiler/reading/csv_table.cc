// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/reading/csv_table.h"

#include <utility>

#include "fmt/format.h"
#include "sim/base/utf8.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

class CsvParser {
 public:
  CsvParser(std::string_view text, size_t cells_max)
      : text_(text), cells_max_(cells_max) {
    if (text_.starts_with(kByteOrderMark)) {
      at_ = kByteOrderMark.size();
      line_begin_ = at_;
    }
  }

  CsvTable Parse() {
    std::vector<CsvCell> row;
    while (!IsAtEnd() && !table_.mistake) {
      if (row.empty() && SkipLineEnd()) continue;  // an empty line
      if (++cell_count_ > cells_max_) {
        Fail(fmt::format("more than {} cells", cells_max_));
        break;
      }
      row.push_back(ParseCell());
      if (table_.mistake) break;
      if (!IsAtEnd() && text_[at_] == ',') {
        ++at_;
        // A comma at the end of the text has an empty cell behind it.
        if (!IsAtEnd()) continue;
        row.push_back({.text = "", .line = line_, .column = Column()});
      }
      if (!IsAtEnd() && !SkipLineEnd()) {
        Fail("a carriage return without a line feed");
        break;
      }
      table_.rows.push_back(std::exchange(row, {}));
    }
    return std::move(table_);
  }

 private:
  bool IsAtEnd() const { return at_ == text_.size(); }

  uint32_t Column() const {
    return static_cast<uint32_t>(at_ - line_begin_ + 1);
  }

  void Fail(std::string message) {
    table_.mistake = {
        .line = line_, .column = Column(), .message = std::move(message)};
  }

  void BeginLine() {
    ++line_;
    line_begin_ = at_;
  }

  // Passes over LF or CRLF; false where there is none.
  bool SkipLineEnd() {
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with('\n') && !rest.starts_with("\r\n")) return false;
    at_ += rest[0] == '\n' ? 1 : 2;
    BeginLine();
    return true;
  }

  // Ends at a comma, a line's end or the text's.
  CsvCell ParseCell() {
    CsvCell cell{.text = "", .line = line_, .column = Column()};
    if (!IsAtEnd() && text_[at_] == '"') {
      ParseQuoted(cell.text);
    } else {
      const size_t end = text_.find_first_of(",\"\r\n", at_);
      cell.text = text_.substr(at_, end - at_);
      at_ = end == text_.npos ? text_.size() : end;
      if (!IsAtEnd() && text_[at_] == '"') {
        Fail("a quote within a cell that doesn't begin with one");
      }
    }
    if (!table_.mistake && !IsUtf8(cell.text)) {
      table_.mistake = {.line = cell.line,
                        .column = cell.column,
                        .message = "the cell isn't UTF-8"};
    }
    return cell;
  }

  void ParseQuoted(std::string& cell) {
    const CsvMistake open{.line = line_,
                          .column = Column(),
                          .message = "the quotes that begin here don't end"};
    ++at_;
    while (!IsAtEnd()) {
      const char character = text_[at_++];
      if (character == '"') {
        if (IsAtEnd() || text_[at_] != '"') {
          if (!IsAtEnd() && text_.substr(at_, 1).find_first_of(",\r\n") != 0) {
            Fail("text behind the quotes");
          }
          return;
        }
        ++at_;
      }
      cell += character;
      if (character == '\n') BeginLine();
    }
    table_.mistake = open;
  }

  std::string_view text_;
  const size_t cells_max_;
  size_t at_ = 0;
  size_t line_begin_ = 0;
  uint32_t line_ = 1;
  size_t cell_count_ = 0;
  CsvTable table_;
};

}  // namespace

CsvTable ParseCsv(std::string_view text, size_t cells_max) {
  return CsvParser(text, cells_max).Parse();
}

}  // namespace reprise::sim
