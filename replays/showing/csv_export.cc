// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/csv_export.h"

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

// Whether a comma here stands between two expressions.
class Nesting {
 public:
  bool IsOutside(char c) {
    if (quote_ != 0) {
      if (c == quote_) quote_ = 0;
      return false;
    }
    if (c == '\'' || c == '"') quote_ = c;
    if (c == '(' || c == '[') ++depth_;
    if (c == ')' || c == ']') --depth_;
    return depth_ <= 0;
  }

 private:
  char quote_ = 0;
  int depth_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> SplitExpressions(
    std::string_view list) {
  std::vector<std::string> expressions(1);
  Nesting nesting;
  for (const char c : list) {
    if (nesting.IsOutside(c) && c == ',') {
      expressions.emplace_back();
    } else if (c != ' ' || !expressions.back().empty()) {
      expressions.back() += c;
    }
  }
  if (std::ranges::any_of(expressions, &std::string::empty)) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' has an empty expression: commas stand between two", list));
  }
  return expressions;
}

CsvExport::CsvExport(const FrameStream* stream, CsvShape shape,
                     std::ostream* out)
    : stream_(*stream),
      shape_(shape),
      out_(*out),
      replay_digest_(sim::FormatDigest(stream->source().replay_digest)) {}

absl::StatusOr<std::unique_ptr<CsvExport>> CsvExport::Create(
    const FrameStream* stream, const std::vector<std::string>& expressions,
    CsvShape shape, std::ostream* out) {
  std::unique_ptr<CsvExport> made(new CsvExport(stream, shape, out));
  for (const std::string& text : expressions) {
    absl::StatusOr<Query> query = Query::Parse(text, stream->simulation());
    if (!query.ok()) {
      return absl::Status(
          query.status().code(),
          fmt::format("{}: {}", text, std::string(query.status().message())));
    }
    made->expressions_.emplace_back(*std::move(query));
  }
  if (expressions.empty()) {
    *out << "tick,time_s,object,type,serial,x_m,y_m,z_m,qx,qy,qz,qw,"
            "state_digest,replay_digest\n";
  } else if (shape == CsvShape::kLong) {
    *out << "tick,time_s,object,field,value,state_digest,replay_digest\n";
  }
  return made;
}

absl::Status CsvExport::AddFrame() {
  if (!expressions_.empty()) return AddValues();
  AddPoses();
  return absl::OkStatus();
}

void CsvExport::AddPoses() {
  const ShownFrame& frame = stream_.frame();
  const Row row = {.tick = frame.tick, .state = frame.state, .cells = {}};
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
  Row row = {.tick = frame.tick, .state = frame.state, .cells = {}};
  absl::Status status;
  for (size_t i = 0; i < expressions_.size(); ++i) {
    QueryEvaluation& evaluation = expressions_[i].evaluation;
    evaluation.Visit(stream_.simulation(), frame.events,
                     [&](const sim::StateSubject& subject,
                         const sim::ExpressionAnswer& answer) {
                       if (!status.ok()) return;
                       if (answer.ok()) {
                         status = AddCell(i, subject, FormatCell(*answer), row);
                         return;
                       }
                       if (problem_count_++ > 0) return;
                       first_problem_ =
                           fmt::format("tick {}: {}: {}", frame.tick,
                                       expressions_[i].query.text(),
                                       std::string(answer.status().message()));
                     });
  }
  if (status.ok() && shape_ == CsvShape::kWide) rows_.push_back(std::move(row));
  return status;
}

absl::Status CsvExport::AddCell(size_t expression,
                                const sim::StateSubject& subject,
                                std::string value, Row& row) {
  const auto& [query, evaluation] = expressions_[expression];
  if (shape_ == CsvShape::kLong) {
    WriteRow(row, {evaluation.NameOf(subject), query.text(), value});
    return absl::OkStatus();
  }
  const auto [known, is_new] = column_of_.try_emplace(
      {expression, evaluation.KeyOf(subject)}, columns_.size());
  if (is_new) {
    if (columns_.size() + kCommonColumns == kColumnsMax) {
      return absl::ResourceExhaustedError(fmt::format(
          "more than {} columns: ask for fewer objects, or for a row a value "
          "(--long)",
          kColumnsMax));
    }
    const std::string name = evaluation.NameOf(subject);
    columns_.push_back(name.empty()
                           ? query.text()
                           : fmt::format("{}: {}", name, query.text()));
  }
  row.cells.emplace_back(known->second, std::move(value));
  return absl::OkStatus();
}

void CsvExport::WriteRow(const Row& row,
                         const std::vector<std::string>& cells) {
  const uint32_t rate = stream_.source().tick_rate.ticks_per_second;
  fmt::print(out_, "{},{}", row.tick, static_cast<double>(row.tick) / rate);
  for (const std::string& cell : cells) out_ << ',' << Escape(cell);
  out_ << ',' << sim::FormatDigest(row.state) << ',' << replay_digest_ << '\n';
}

void CsvExport::Finish() {
  if (expressions_.empty() || shape_ == CsvShape::kLong) return;
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
