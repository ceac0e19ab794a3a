// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A run as comma-separated values (RFC 4180): expressions of the query language
// at each frame, or, without any, the pose of each object.

#ifndef REPRISE_REPLAYS_SHOWING_FORMATS_CSV_EXPORT_H_
#define REPRISE_REPLAYS_SHOWING_FORMATS_CSV_EXPORT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/shown_expressions.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/expression/state_subjects.h"

namespace reprise::replays {

enum class CsvShape {
  // A row a frame, and a column an expression or, where it is about objects, an
  // expression and object. Written when all frames are there: columns come
  // with objects.
  kWide,
  // A row for each value, written as it comes.
  kLong,
};

// Each row has the tick, the frame's time, the digest of its state and the
// replay's. A value that isn't there, or that has no answer, is an empty cell.
class CsvExport {
 public:
  // As many as the widest spreadsheet takes, those of every row included.
  static constexpr size_t kColumnsMax = 16384;

  // Both must remain live while this export is in use. INVALID_ARGUMENT names
  // the expression that is wrong.
  static absl::StatusOr<std::unique_ptr<CsvExport>> Create(
      const FrameStream* stream, const std::vector<std::string>& expressions,
      CsvShape shape, std::ostream* out);

  CsvExport(const CsvExport&) = delete;
  CsvExport& operator=(const CsvExport&) = delete;

  // Takes over the frame that the stream is at. RESOURCE_EXHAUSTED: more
  // columns than kColumnsMax.
  absl::Status AddFrame();

  void Finish();

  // What they are of, and how often there was no answer.
  const ShownExpressions& expressions() const { return *expressions_; }

 private:
  struct Row {
    sim::Tick tick = 0;
    double time_ticks = 0;
    sim::Digest state;
    std::vector<std::pair<size_t, std::string>> cells;  // by column
  };
  // The number of an expression, and the key of its subject.
  using ColumnKey = std::pair<size_t, std::vector<uint64_t>>;

  CsvExport(const FrameStream* stream,
            std::unique_ptr<ShownExpressions> expressions, CsvShape shape,
            std::ostream* out);

  void AddPoses();
  absl::Status AddValues();
  absl::Status AddCell(size_t expression, const sim::StateSubject& subject,
                       std::string value, Row& row);
  void WriteRow(const Row& row, const std::vector<std::string>& cells);

  const FrameStream& stream_;
  const CsvShape shape_;
  std::ostream& out_;
  const std::unique_ptr<ShownExpressions> expressions_;
  const std::string replay_digest_;
  std::map<ColumnKey, size_t> column_of_;
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_FORMATS_CSV_EXPORT_H_
