// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an inspector shows beside poses: the fields of each object's components
// and of the world, and expressions that were asked for, by their changes.

#ifndef REPRISE_REPLAYS_SHOWING_RECORDED_FIELDS_H_
#define REPRISE_REPLAYS_SHOWING_RECORDED_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "replays/showing/frame_stream.h"
#include "replays/showing/shown_expressions.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"

namespace reprise::replays {

struct RecordedFieldsOptions {
  // Every scalar of tables whose rows are objects' or the world's, but what the
  // pose says.
  bool has_components = true;
  // Of which tables, by name; all if empty.
  std::vector<std::string> components = {};
  // In the language of queries.
  std::vector<std::string> expressions;
};

// Numbers have five digits: a plot shows less.
class RecordedFields {
 public:
  // `stream` must remain live. INVALID_ARGUMENT names the expression that is
  // wrong.
  static absl::StatusOr<std::unique_ptr<RecordedFields>> Create(
      const FrameStream* stream, const RecordedFieldsOptions& options);

  RecordedFields(const RecordedFields&) = delete;
  RecordedFields& operator=(const RecordedFields&) = delete;

  // Takes over the frame that the stream is at. RESOURCE_EXHAUSTED: more than
  // kColumnsMax.
  absl::Status AddFrame();

  // The frames since the last chunk: [[column, frames, values], ...], of each
  // column that has a value there, when it changed: the first frame, then how
  // far each is behind the one before. Null is no value any more. The next
  // frame begins a new chunk.
  nlohmann::json TakeChunk();

  // All columns so far: [serial, name, unit], the serial 0 for the world.
  const nlohmann::json& columns() const { return columns_; }

  // What was asked for, and how often there was no answer.
  const ShownExpressions& expressions() const { return *expressions_; }

 private:
  // 100,000 objects with forty fields each; a page that has more starts too
  // slowly to be of use.
  static constexpr size_t kColumnsMax = 4'000'000;

  struct Column {
    nlohmann::json value;
    uint64_t seen_at = 0;     // the number of frames up to its last one
    uint32_t changed_at = 0;  // the frame within the chunk
  };
  struct ColumnChanges {
    nlohmann::json frames = nlohmann::json::array();
    nlohmann::json values = nlohmann::json::array();
  };
  // A row of a table, as it was last.
  struct ShownRow {
    std::string bytes;
    std::vector<uint32_t> columns;  // of the scalars that are shown
    uint64_t seen_at = 0;           // as above
  };

  RecordedFields(const FrameStream* stream,
                 std::unique_ptr<ShownExpressions> expressions)
      : stream_(*stream), expressions_(std::move(expressions)) {}

  void AddComponents();
  bool IsWanted(const std::string& table) const;
  void AddRow(sim::TableIndex index, uint32_t row, uint64_t serial);
  void AddExpressions();
  uint32_t AddColumn(uint64_t serial, const std::string& name,
                     const std::string& unit);
  void Set(uint32_t column, nlohmann::json value);
  void ForgetWhatIsGone();
  void AddChange(uint32_t column);
  void BeginChunk();

  const FrameStream& stream_;
  const std::unique_ptr<ShownExpressions> expressions_;
  bool has_components_ = true;
  std::vector<std::string> components_;
  std::map<std::pair<uint32_t, uint64_t>, ShownRow> rows_;
  std::map<std::pair<size_t, std::vector<uint64_t>>, uint32_t> column_of_;
  nlohmann::json columns_ = nlohmann::json::array();
  std::vector<Column> values_;
  uint64_t frame_count_ = 0;
  uint32_t chunk_frames_ = 0;
  std::map<uint32_t, ColumnChanges> changes_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_RECORDED_FIELDS_H_
