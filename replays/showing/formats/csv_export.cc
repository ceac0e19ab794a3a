// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/formats/csv_export.h"

#include <algorithm>
#include <variant>

#include "fmt/format.h"
#include "fmt/ostream.h"
#include "sim/expression/value.h"

namespace reprise::replays {
namespace {

// Columns that every row has.
constexpr size_t kCommonColumns = 4;

// In quotes where it has to be.
std::string Escape(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// Texts without their quotes, what is absent as nothing.
std::string FormatCell(const sim::ExpressionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (std::holds_alternative<sim::ExpressionAbsence>(value)) return "";
  return sim::FormatExpressionValue(value);
}

}  // namespace

CsvExport::CsvExport(const FrameStream* stream,
                     std::unique_ptr<ShownExpressions> expressions,
                     CsvShape shape, std::ostream* out)
    : stream_(*stream),
      shape_(shape),
      out_(*out),
      expressions_(std::move(expressions)),
      replay_digest_(sim::FormatDigest(stream->source().replay_digest)) {}

absl::StatusOr<std::unique_ptr<CsvExport>> CsvExport::Create(
    const FrameStream* stream, const std::vector<std::string>& expressions,
    CsvShape shape, std::ostream* out) {
  absl::StatusOr<std::unique_ptr<ShownExpressions>> shown =
      ShownExpressions::Create(stream, expressions);
  if (!shown.ok()) return shown.status();
  if (expressions.empty()) {
    *out << "tick,time_s,object,type,serial,x_m,y_m,z_m,qx,qy,qz,qw,"
            "state_digest,replay_digest\n";
  } else if (shape == CsvShape::kLong) {
    *out << "tick,time_s,object,field,value,state_digest,replay_digest\n";
  }
  return std::unique_ptr<CsvExport>(
      new CsvExport(stream, *std::move(shown), shape, out));
}

absl::Status CsvExport::AddFrame() {
  if (expressions_->size() > 0) return AddValues();
  AddPoses();
  return absl::OkStatus();
}

void CsvExport::AddPoses() {
  const ShownFrame& frame = stream_.frame();
  const Row row = {.tick = frame.tick,
                   .time_ticks = frame.time_ticks(),
                   .state = frame.state,
                   .cells = {}};
  for (const auto& [index, position, rotation] : frame.poses) {
    const ShownObject& object = stream_.objects()[index];
    WriteRow(row,
             {object.name, object.type, fmt::to_string(object.object.serial),
              fmt::to_string(position.x), fmt::to_string(position.y),
              fmt::to_string(position.z), fmt::to_string(rotation.x),
              fmt::to_string(rotation.y), fmt::to_string(rotation.z),
              fmt::to_string(rotation.w)});
  }
}

absl::Status CsvExport::AddValues() {
  const ShownFrame& frame = stream_.frame();
  Row row = {.tick = frame.tick,
             .time_ticks = frame.time_ticks(),
             .state = frame.state,
             .cells = {}};
  absl::Status status;
  expressions_->Visit([&](size_t expression, const sim::StateSubject& subject,
                          const sim::ExpressionValue& value) {
    if (!status.ok()) return;
    status = AddCell(expression, subject, FormatCell(value), row);
  });
  if (status.ok() && shape_ == CsvShape::kWide) rows_.push_back(std::move(row));
  return status;
}

absl::Status CsvExport::AddCell(size_t expression,
                                const sim::StateSubject& subject,
                                std::string value, Row& row) {
  const std::string& text = expressions_->text(expression);
  const std::string name = expressions_->NameOf(expression, subject);
  if (shape_ == CsvShape::kLong) {
    WriteRow(row, {name, text, value});
    return absl::OkStatus();
  }
  const auto [known, is_new] = column_of_.try_emplace(
      {expression, expressions_->KeyOf(expression, subject)}, columns_.size());
  if (is_new) {
    if (columns_.size() + kCommonColumns == kColumnsMax) {
      return absl::ResourceExhaustedError(fmt::format(
          "more than {} columns: ask for fewer objects, or for a row a value "
          "(--long)",
          kColumnsMax));
    }
    columns_.push_back(name.empty() ? text : fmt::format("{}: {}", name, text));
  }
  row.cells.emplace_back(known->second, std::move(value));
  return absl::OkStatus();
}

void CsvExport::WriteRow(const Row& row,
                         const std::vector<std::string>& cells) {
  const uint32_t rate = stream_.source().tick_rate.ticks_per_second;
  fmt::print(out_, "{},{}", row.tick, row.time_ticks / rate);
  for (const std::string& cell : cells) out_ << ',' << Escape(cell);
  out_ << ',' << sim::FormatDigest(row.state) << ',' << replay_digest_ << '\n';
}

void CsvExport::Finish() {
  if (expressions_->size() == 0 || shape_ == CsvShape::kLong) return;
  // Columns by expression, then by subject, whenever it came.
  std::vector<std::string> header;
  std::vector<size_t> place_of(columns_.size());
  for (const auto& [key, column] : column_of_) {
    place_of[column] = header.size();
    header.push_back(columns_[column]);
  }
  out_ << "tick,time_s";
  for (const std::string& column : header) out_ << ',' << Escape(column);
  out_ << ",state_digest,replay_digest\n";
  std::vector<std::string> cells;
  for (const Row& row : rows_) {
    cells.assign(header.size(), "");
    for (const auto& [column, value] : row.cells) {
      cells[place_of[column]] = value;
    }
    WriteRow(row, cells);
  }
}

}  // namespace reprise::replays
