// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/recorded_fields.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/base/math.h"
#include "sim/expression/value.h"
#include "sim/game_description.h"
#include "sim/scalar_legend.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

using Json = nlohmann::json;
using sim::ScalarType;

// What a plot of a thousand points of height can show, and some.
constexpr int kDigits = 5;

Json NumberJson(double number) {
  if (!sim::IsFinite(number)) return fmt::to_string(number);
  const std::string text = fmt::format("{:.{}g}", number, kDigits);
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

bool IsNumber(ScalarType type) {
  return type != ScalarType::kId && type != ScalarType::kObject &&
         type != ScalarType::kHandle && type != ScalarType::kBool;
}

Json ValueJson(sim::FieldValue value, const sim::NameResolver& names,
               const sim::Legend* legend) {
  if (legend != nullptr) {
    const std::string name = legend->NameOf(value);
    if (!name.empty()) return name;
  }
  if (value.type == ScalarType::kBool) return value.bits != 0;
  if (IsNumber(value.type)) return NumberJson(value.AsNumber());
  return sim::FormatFieldValue(value, names);
}

Json ValueJson(const sim::ExpressionValue& value) {
  if (std::holds_alternative<sim::ExpressionAbsence>(value)) return nullptr;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* whole = std::get_if<sim::ExpressionInteger>(&value)) {
    return NumberJson(static_cast<double>(*whole));
  }
  return NumberJson(std::get<double>(value));
}

// Whether the rows of a table are one of the world or those of objects.
bool IsShown(const sim::Table& table) {
  const sim::RowSchema& schema = table.schema();
  if (schema.key_field_count() == 0) return table.row_count() == 1;
  return schema.key_field_count() == 1 &&
         schema.fields().front().scalar == ScalarType::kObject;
}

// Where an object is and how it is turned is a pose.
bool IsShown(const sim::Field& field) {
  return field.shape != sim::FieldShape::kMatrix3 &&
         field.shape != sim::FieldShape::kQuaternion &&
         !(field.shape == sim::FieldShape::kVector3 &&
           field.name == "position");
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordedFields>> RecordedFields::Create(
    const FrameStream* stream, const RecordedFieldsOptions& options) {
  absl::StatusOr<std::unique_ptr<ShownExpressions>> expressions =
      ShownExpressions::Create(stream, options.expressions);
  if (!expressions.ok()) return expressions.status();
  std::unique_ptr<RecordedFields> made(
      new RecordedFields(stream, *std::move(expressions)));
  made->has_components_ = options.has_components;
  made->components_ = options.components;
  return made;
}

absl::Status RecordedFields::AddFrame() {
  ++frame_count_;
  ++chunk_frames_;
  if (has_components_) AddComponents();
  AddExpressions();
  ForgetWhatIsGone();
  if (chunk_frames_ == 1) BeginChunk();
  if (values_.size() <= kColumnsMax) return absl::OkStatus();
  return absl::ResourceExhaustedError(fmt::format(
      "more than {} fields: leave them out (--no-fields)", kColumnsMax));
}

bool RecordedFields::IsWanted(const std::string& table) const {
  return components_.empty() ||
         std::ranges::find(components_, table) != components_.end();
}

void RecordedFields::AddComponents() {
  const sim::State& state = stream_.simulation().state();
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const sim::Table& table = state.table(sim::TableIndex{i});
    if (!IsShown(table) || !IsWanted(table.schema().name())) continue;
    const bool has_key = table.schema().key_field_count() == 1;
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      uint64_t serial = 0;
      if (has_key) {
        serial = sim::ReadScalar(table.schema(), table.Row(row), {}).bits;
        // What wasn't chosen has nothing to be inspected.
        if (!stream_.source().objects.empty() &&
            !stream_.IndexOf({serial}).has_value()) {
          continue;
        }
      }
      AddRow(sim::TableIndex{i}, row, serial);
    }
  }
}

void RecordedFields::AddRow(sim::TableIndex index, uint32_t row,
                            uint64_t serial) {
  const sim::Simulation& simulation = stream_.simulation();
  const sim::Table& table = simulation.state().table(index);
  const sim::RowSchema& schema = table.schema();
  const std::span<const std::byte> now = table.Row(row);
  const std::string_view bytes(reinterpret_cast<const char*>(now.data()),
                               now.size());
  ShownRow& shown = rows_[{index.value, serial}];
  const bool was_there =
      !shown.columns.empty() && shown.seen_at + 1 == frame_count_;
  shown.seen_at = frame_count_;
  if (was_there && shown.bytes == bytes) {
    for (const uint32_t column : shown.columns) {
      values_[column].seen_at = frame_count_;
    }
    return;
  }
  shown.bytes = bytes;
  const std::string& room = simulation.state().room_of(index).name;
  const sim::NameResolver names = sim::NamesOf(simulation);
  const bool is_new = shown.columns.empty();
  size_t next = 0;
  for (uint32_t i = schema.key_field_count(); i < schema.fields().size(); ++i) {
    const sim::Field& field = schema.fields()[i];
    if (!IsShown(field)) continue;
    for (uint32_t scalar = 0; scalar < field.count; ++scalar) {
      if (is_new) {
        shown.columns.push_back(
            AddColumn(serial, schema.name() + "." + field.ScalarName(scalar),
                      field.unit));
      }
      const sim::Legend* const legend = sim::FindScalarLegend(
          simulation.description(), room, schema.name(), field, scalar);
      Set(shown.columns[next++],
          ValueJson(sim::ReadScalar(schema, now, {i, scalar}), names, legend));
    }
  }
}

void RecordedFields::AddExpressions() {
  expressions_->Visit([&](size_t i, const sim::StateSubject& subject,
                          const sim::ExpressionValue& value) {
    std::vector<uint64_t> key = expressions_->KeyOf(i, subject);
    // Of an object, its serial; of rows with several keys, the world's.
    const std::string name = expressions_->NameOf(i, subject);
    const bool is_object = key.size() == 1 && !name.empty();
    const uint64_t serial = is_object ? key.front() : 0;
    const auto [known, is_new] = column_of_.try_emplace({i, std::move(key)}, 0);
    if (is_new) {
      const std::string& text = expressions_->text(i);
      known->second = AddColumn(
          serial, is_object || name.empty() ? text : name + ": " + text, "");
    }
    Set(known->second, ValueJson(value));
  });
}

uint32_t RecordedFields::AddColumn(uint64_t serial, const std::string& name,
                                   const std::string& unit) {
  columns_.push_back({serial, name, unit});
  values_.emplace_back();
  return static_cast<uint32_t>(values_.size() - 1);
}

void RecordedFields::Set(uint32_t column, Json value) {
  Column& kept = values_[column];
  kept.seen_at = frame_count_;
  if (kept.value == value) return;
  kept.value = std::move(value);
  AddChange(column);
}

void RecordedFields::ForgetWhatIsGone() {
  for (uint32_t column = 0; column < values_.size(); ++column) {
    Column& kept = values_[column];
    if (kept.seen_at == frame_count_ || kept.value.is_null()) continue;
    kept.value = nullptr;
    AddChange(column);
  }
}

void RecordedFields::AddChange(uint32_t column) {
  const uint32_t frame = chunk_frames_ - 1;
  Column& kept = values_[column];
  ColumnChanges& changes = changes_[column];
  const bool is_first = changes.frames.empty();
  changes.frames.push_back(is_first ? frame : frame - kept.changed_at);
  changes.values.push_back(kept.value);
  kept.changed_at = frame;
}

// All that there is, whether it has changed or not.
void RecordedFields::BeginChunk() {
  changes_.clear();
  for (uint32_t column = 0; column < values_.size(); ++column) {
    if (!values_[column].value.is_null()) AddChange(column);
  }
}

Json RecordedFields::TakeChunk() {
  chunk_frames_ = 0;
  Json chunk = Json::array();
  for (auto& [column, changes] : changes_) {
    chunk.push_back(
        {column, std::move(changes.frames), std::move(changes.values)});
  }
  changes_.clear();
  return chunk;
}

}  // namespace reprise::replays
