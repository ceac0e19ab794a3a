// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/inputs/input_texts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/field.h"
#include "sim/base/utf8.h"
#include "sim/state/row_schema.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

// Each time that texts were forgotten the next ones' sequences begin at a
// multiple of this, so that rows tell how many have come since.
constexpr uint64_t kEra = uint64_t{1} << 32;

// At one a tick no run comes near; a snapshot could.
constexpr uint64_t kSequenceMax = uint64_t{1} << 63;

std::string TextOf(const InputTextRow& row) {
  std::string text(row.size, '\0');
  std::memcpy(text.data(), row.bytes.data(), row.size);
  return text;
}

InputTextRow RowOf(std::string_view text, uint64_t sequence) {
  CHECK(text.size() <= kInputTextBytesMax, "{} bytes", text.size());
  InputTextRow row{
      .sequence = sequence, .text = IdOf(text), .size = text.size()};
  std::memcpy(row.bytes.data(), text.data(), text.size());
  return row;
}

// The last row's.
uint64_t LastSequence(const Table& rows) {
  return rows.Get<InputTextRow>(rows.row_count() - 1).sequence;
}

// The first row of a text.
uint32_t FindRow(const Table& rows, Id id) {
  uint32_t row = 0;
  while (row < rows.row_count() && rows.Get<InputTextRow>(row).text != id) {
    ++row;
  }
  return row;
}

bool IsRight(const InputTextRow& row) {
  if (row.size == 0 || row.size > kInputTextBytesMax || row.text == kNoId ||
      row.sequence >= kSequenceMax) {
    return false;
  }
  const std::string text = TextOf(row);
  return IsUtf8(text) && IdOf(text) == row.text &&
         RowOf(text, row.sequence).bytes == row.bytes;
}

}  // namespace

void InputTexts::Load() {
  if (!texts_.has_value()) return;
  const uint32_t count = rows().row_count();
  // Room for as many again as have come, and for what comes in a few ticks.
  index_.Clear(count == 0 ? 0 : size_t{2} * count + kInputTextsMax);
  for (uint32_t row = 0; row < count; ++row) {
    const auto& each = rows().Get<InputTextRow>(row);
    index_.Set(each.text, each.sequence);
  }
}

Id InputTexts::Keep(std::string_view text) {
  if (text.empty()) return kNoId;
  const Id id = IdOf(text);
  if (id == kNoId || !names_.NameOf(id).empty()) return id;
  CHECK(texts_.has_value(), "no table of texts");
  Table& table = state_.mutable_table(*texts_);
  const uint32_t count = table.row_count();
  const uint64_t sequence = count == 0 ? 0 : LastSequence(table) + 1;
  if (const std::optional<uint64_t> known = index_.Find(id);
      known.has_value()) {
    const uint32_t row = table.LowerBound(std::array{*known});
    if (count - row <= kInputTextsMax) {
      table.EraseRange(row, 1);
    } else if (count >= kInputTextRowsMax / 2) {
      return id;  // what is new needs the room
    }
    // An older one would take long to erase: it goes when others are forgotten.
  } else if (count >= kInputTextRowsMax) {
    return id;
  }
  const uint32_t row = table.row_count();
  table.Insert(row);
  table.Mutable<InputTextRow>(row) = RowOf(text, sequence);
  if (index_.is_full()) {
    Load();
  } else {
    index_.Set(id, sequence);
  }
  return id;
}

bool InputTexts::HasRoomFor(Id id) const {
  if (!texts_.has_value()) return false;
  return rows().row_count() < kValueTextRowsMax || index_.Find(id).has_value();
}

std::optional<std::string> InputTexts::Find(Id id) const {
  const std::optional<uint64_t> sequence = index_.Find(id);
  if (!sequence.has_value()) return std::nullopt;
  return TextOf(
      rows().Get<InputTextRow>(rows().LowerBound(std::array{*sequence})));
}

void InputTexts::Forget() {
  if (!texts_.has_value() || !HasMuchCome()) return;
  MarkReferences();
  DropOthers();
}

bool InputTexts::HasMuchCome() const {
  const uint32_t count = rows().row_count();
  if (count <= kInputTextsMax) return false;
  if (count >= kValueTextRowsMax) return true;
  const uint64_t era = LastSequence(rows()) / kEra * kEra;
  // The row that begins an era but the first came before it.
  const uint64_t begin = era == 0 ? 0 : era + 1;
  return count - rows().LowerBound(std::array{begin}) > kInputTextsMax;
}

void InputTexts::FindReferringTables() {
  for (uint32_t i = 0; i < state_.table_count(); ++i) {
    ReferringTable table{.table = {i}, .words = {}};
    if (table.table == *texts_) continue;
    for (const Field& field : state_.table(table.table).schema().fields()) {
      // Values of any type, as events have them, lie in words as their bits.
      if (field.scalar != ScalarType::kId &&
          field.scalar != ScalarType::kUint64) {
        continue;
      }
      std::vector<Words>& words = table.words;
      const uint32_t size = ScalarSize(ScalarType::kId);
      if (!words.empty() &&
          words.back().offset + words.back().count * size == field.offset) {
        words.back().count += field.count;
      } else {
        words.push_back({.offset = field.offset, .count = field.count});
      }
    }
    if (!table.words.empty()) referring_.push_back(std::move(table));
  }
}

void InputTexts::MarkReferences() {
  if (referring_.empty()) FindReferringTables();
  for (const ReferringTable& each : referring_) {
    const Table& table = state_.table(each.table);
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      const std::span<const std::byte> bytes = table.PageBytes(page);
      for (size_t row = 0; row < bytes.size(); row += table.row_size()) {
        for (const Words& words : each.words) {
          MarkWords(bytes.subspan(row + words.offset,
                                  words.count * sizeof(uint64_t)));
        }
      }
    }
  }
}

void InputTexts::MarkWords(std::span<const std::byte> bytes) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(uint64_t)) {
    Id id;
    std::memcpy(&id.value, bytes.data() + at, sizeof(id.value));
    index_.Mark(id);
  }
}

void InputTexts::DropOthers() {
  dropped_.clear();
  uint32_t unmarked = 0;
  for (uint32_t row = rows().row_count(); row > 0; --row) {
    const auto& each = rows().Get<InputTextRow>(row - 1);
    // One that was given again has a newer row.
    bool is_kept = index_.Find(each.text) == each.sequence;
    if (is_kept && !index_.IsMarked(each.text)) {
      is_kept = unmarked < kInputTextsMax;
      ++unmarked;
    }
    if (!is_kept) dropped_.push_back(row - 1);
  }
  std::ranges::reverse(dropped_);
  Table& table = state_.mutable_table(*texts_);
  table.Erase(dropped_);
  // The last one is always kept: it begins the era.
  table.Mutable<InputTextRow>(table.row_count() - 1).sequence =
      (LastSequence(table) / kEra + 1) * kEra;
  Load();
}

absl::Status CheckInputTexts(const Table& texts) {
  const uint32_t count = texts.row_count();
  if (count > kInputTextRowsMax) {
    return absl::DataLossError(
        fmt::format("snapshot: {} texts of {} bytes each; there can be {}",
                    count, texts.row_size(), kInputTextRowsMax));
  }
  bool is_right = true;
  for (uint32_t row = 0; is_right && row < count; ++row) {
    const auto& each = texts.Get<InputTextRow>(row);
    is_right = IsRight(each) &&
               (row == 0 ||
                texts.Get<InputTextRow>(row - 1).sequence < each.sequence) &&
               // Of more some may be there twice, until others are forgotten.
               (count > kInputTextsMax || FindRow(texts, each.text) == row);
  }
  return is_right ? absl::OkStatus()
                  : absl::DataLossError(
                        "snapshot: texts that nobody can have given");
}

}  // namespace reprise::sim
