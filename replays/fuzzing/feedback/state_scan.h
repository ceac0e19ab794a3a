// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Looks through the tables of a state for what is new there and what can't be
// right, page by page, and only through pages that changed since the last look.

#ifndef REPRISE_REPLAYS_FUZZING_FEEDBACK_STATE_SCAN_H_
#define REPRISE_REPLAYS_FUZZING_FEEDBACK_STATE_SCAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::replays {

// Something of a state that can't be right: "number", or "place", of a field.
struct ScanFinding {
  enum class Kind : uint8_t { kNotFinite, kOutOfWorld, kGrowth };

  Kind kind = Kind::kNotFinite;
  std::string field;  // "physics.bodies.position.y"; of growth the table
  sim::TableIndex table;
  uint32_t row = 0;
  double value = 0.0;  // of growth the number of rows
};

// What a scan tells apart of a state is a bucket of a property: a flag, a name,
// a number's sign and power of two (of a double, of four), a position's metre.
// Buckets are finite, so what counts on for ever is new ever more seldom. The
// tables of inputs, rows known by several keys and rows without keys of which
// there are several are left out.
//
// Used by one thread at a time.
class StateScan {
 public:
  // `start` is a state of the shape of all others; tables that grow to more
  // than kGrowth times its rows and kGrowthRows are told.
  StateScan(const sim::State& start, double world_radius_m);

  static constexpr uint64_t kGrowthFactor = 8;
  static constexpr uint64_t kGrowthRows = 4096;

  // The next state is another one's, which was looked at before: what it still
  // has of `snapshot` isn't looked at again.
  void Restore(const sim::State& snapshot);
  // Nothing is known of the next state.
  void Reset();

  // Appends the buckets of what changed since the last look. Returns the first
  // thing that can't be right. `has_changed`, which may be null, becomes true
  // where a page that was looked at before has other buckets than it had.
  std::optional<ScanFinding> Look(const sim::State& state,
                                  std::vector<uint64_t>& buckets,
                                  bool* has_changed = nullptr);

 private:
  struct Column {
    enum class Kind : uint8_t { kFlag, kName, kInteger, kDouble, kPosition };

    Kind kind = Kind::kInteger;
    uint32_t offset = 0;
    sim::ScalarType type = sim::ScalarType::kUint64;
    uint64_t salt = 0;
    bool may_be_infinite = false;
    std::string name;
  };
  struct TablePlan {
    std::string name;
    bool has_buckets = true;
    bool has_key = false;  // its first field tells rows apart
    uint64_t rows_max = 0;
    std::vector<Column> columns;
  };
  struct SeenPage {
    const std::byte* bytes = nullptr;
    uint64_t stamp = 0;
    // Of the buckets; 0 until they were looked at.
    uint64_t buckets = 0;
  };

  void PlanTable(const sim::State& state, sim::TableIndex index);
  std::optional<ScanFinding> ScanRow(sim::TableIndex index, uint32_t row,
                                     const std::byte* bytes,
                                     std::vector<uint64_t>& buckets) const;

  const double world_radius_m_;
  std::vector<TablePlan> plans_;             // of each table
  std::vector<std::vector<SeenPage>> seen_;  // of each table, by page
};

// A hash of both, for buckets; never state.
uint64_t MixBuckets(uint64_t a, uint64_t b);

// Which power of two a number reaches, with its sign; 0 of 0.
uint64_t BucketOfInteger(int64_t value);
uint64_t BucketOfDouble(double value);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FEEDBACK_STATE_SCAN_H_
