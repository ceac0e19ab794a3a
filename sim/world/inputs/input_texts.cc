// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/inputs/input_texts.h"

#include <algorithm>
#include <cstring>

#include "sim/base/check.h"
#include "sim/base/utf8.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

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

// The row of a text; row_count() where it isn't kept.
uint32_t FindRow(const Table& texts, Id id) {
  uint32_t row = 0;
  while (row < texts.row_count() && texts.Get<InputTextRow>(row).text != id) {
    ++row;
  }
  return row;
}

}  // namespace

Id KeepInputText(std::string_view text, const NameTable& names, Table& texts) {
  if (text.empty()) return kNoId;
  const Id id = IdOf(text);
  if (!names.NameOf(id).empty()) return id;
  const uint32_t count = texts.row_count();
  const uint64_t sequence =
      count == 0 ? 0 : texts.Get<InputTextRow>(count - 1).sequence + 1;
  const uint32_t known = FindRow(texts, id);
  if (known < count) {
    texts.EraseRange(known, 1);
  } else if (count == kInputTextsMax) {
    texts.EraseRange(0, 1);
  }
  const uint32_t row = texts.row_count();
  texts.Insert(row);
  texts.Mutable<InputTextRow>(row) = RowOf(text, sequence);
  return id;
}

std::optional<std::string> FindInputText(const Table& texts, Id id) {
  const uint32_t row = FindRow(texts, id);
  if (row == texts.row_count()) return std::nullopt;
  return TextOf(texts.Get<InputTextRow>(row));
}

absl::Status CheckInputTexts(const Table& texts) {
  bool is_right = texts.row_count() <= kInputTextsMax;
  for (uint32_t row = 0; is_right && row < texts.row_count(); ++row) {
    const auto& each = texts.Get<InputTextRow>(row);
    is_right = each.size > 0 && each.size <= kInputTextBytesMax &&
               (row == 0 ||
                texts.Get<InputTextRow>(row - 1).sequence < each.sequence) &&
               FindRow(texts, each.text) == row;
    if (!is_right) break;
    const std::string text = TextOf(each);
    is_right = IsUtf8(text) && IdOf(text) == each.text &&
               RowOf(text, each.sequence).bytes == each.bytes;
  }
  return is_right ? absl::OkStatus()
                  : absl::DataLossError(
                        "snapshot: texts that no player can have given");
}

}  // namespace reprise::sim
