// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/feedback/state_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "fmt/format.h"

namespace reprise::replays {
namespace {

// Where simulations keep what players hold: new inputs are no news of a game.
constexpr std::string_view kInputRoom = "input";

// Of a table with more rows, the first ones tell enough.
constexpr uint32_t kBucketRowsMax = 64;

// Of doubles, what is nearer to zero is none, and what is further is far.
constexpr int kExponentMin = -8;
constexpr int kExponentMax = 40;

template <typename Value>
Value Load(const std::byte* bytes) {
  Value value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

int64_t LoadInteger(const std::byte* bytes, sim::ScalarType type) {
  switch (type) {
    case sim::ScalarType::kInt16:
      return Load<int16_t>(bytes);
    case sim::ScalarType::kInt32:
      return Load<int32_t>(bytes);
    case sim::ScalarType::kUint32:
      return Load<uint32_t>(bytes);
    default:
      return Load<int64_t>(bytes);
  }
}

bool IsFinite(double value) {
  return value - value == 0.0;  // neither an infinity nor NaN
}

// The metre that a number lies in. REQUIRES: it is finite.
uint64_t MetreOf(double value) {
  constexpr double kLimit = 1e15;
  const double bounded = std::clamp(value, -kLimit, kLimit);
  const auto whole = static_cast<int64_t>(bounded);
  return static_cast<uint64_t>(static_cast<double>(whole) > bounded ? whole - 1
                                                                    : whole);
}

// Whether a number of the start is without bound, as limits that are none are.
bool HasInfinity(const sim::Table& table, uint32_t offset,
                 sim::ScalarType type) {
  if (type != sim::ScalarType::kDouble) return false;
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    if (!IsFinite(Load<double>(table.Row(row).data() + offset))) return true;
  }
  return false;
}

}  // namespace

uint64_t MixBuckets(uint64_t a, uint64_t b) {
  // The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  uint64_t mixed = a * 0x9E3779B97F4A7C15 + b;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

uint64_t BucketOfInteger(int64_t value) {
  if (value == 0) return 0;
  const bool is_negative = value < 0;
  const uint64_t magnitude =
      is_negative ? ~static_cast<uint64_t>(value) + 1 : value;
  const auto power = static_cast<uint64_t>(std::bit_width(magnitude));
  return is_negative ? 128 + power : power;
}

uint64_t BucketOfDouble(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  constexpr int kBias = 1023;
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF) - kBias;
  if (exponent < kExponentMin) return 0;
  const int bounded = std::min(exponent, kExponentMax) - kExponentMin;
  const auto power = static_cast<uint64_t>(bounded / 2 + 1);
  return value < 0.0 ? 128 + power : power;
}

StateScan::StateScan(const sim::State& start, double world_radius_m)
    : world_radius_m_(world_radius_m), seen_(start.table_count()) {
  for (uint32_t i = 0; i < start.table_count(); ++i) PlanTable(start, {i});
}

void StateScan::PlanTable(const sim::State& state, sim::TableIndex index) {
  const sim::Table& table = state.table(index);
  const sim::RowSchema& schema = table.schema();
  const std::string& room = state.room_of(index).name;
  TablePlan plan{.name = fmt::format("{}.{}", room, schema.name())};
  plan.has_buckets = room != kInputRoom && schema.key_field_count() <= 1;
  plan.has_key = schema.key_field_count() == 1;
  plan.rows_max = table.row_count() * kGrowthFactor + kGrowthRows;
  for (size_t f = 0; f < schema.fields().size(); ++f) {
    const sim::Field& field = schema.fields()[f];
    const bool is_key = f < schema.key_field_count();
    const bool is_position = field.shape == sim::FieldShape::kVector3 &&
                             field.name == "position" && field.unit == "m";
    const uint32_t size = sim::ScalarSize(field.scalar);
    for (uint32_t i = 0; i < field.count; ++i) {
      Column column{.offset = field.offset + i * size, .type = field.scalar};
      switch (field.scalar) {
        case sim::ScalarType::kBool:
          column.kind = Column::Kind::kFlag;
          break;
        case sim::ScalarType::kId:
          column.kind = Column::Kind::kName;
          break;
        case sim::ScalarType::kObject:
        case sim::ScalarType::kHandle:
          continue;
        case sim::ScalarType::kDouble:
          column.kind =
              is_position ? Column::Kind::kPosition : Column::Kind::kDouble;
          break;
        default:
          column.kind = Column::Kind::kInteger;
          break;
      }
      if (is_key) continue;
      column.salt = MixBuckets(index.value, column.offset);
      column.name = fmt::format("{}.{}", plan.name, field.ScalarName(i));
      column.may_be_infinite = HasInfinity(table, column.offset, column.type);
      plan.columns.push_back(std::move(column));
    }
  }
  plans_.push_back(std::move(plan));
}

void StateScan::Restore(const sim::State& snapshot) {
  for (uint32_t t = 0; t < snapshot.table_count(); ++t) {
    const sim::Table& table = snapshot.table({t});
    std::vector<SeenPage>& seen = seen_[t];
    seen.resize(table.page_count());
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      seen[page] = {.bytes = table.PageBytes(page).data(),
                    .stamp = table.PageStamp(page),
                    .buckets = 0};
    }
  }
}

void StateScan::Reset() {
  for (std::vector<SeenPage>& seen : seen_) seen.clear();
}

std::optional<ScanFinding> StateScan::Look(const sim::State& state,
                                           std::vector<uint64_t>& buckets,
                                           bool* has_changed) {
  std::optional<ScanFinding> finding;
  for (uint32_t t = 0; t < state.table_count(); ++t) {
    const sim::Table& table = state.table({t});
    const TablePlan& plan = plans_[t];
    if (table.row_count() > plan.rows_max && !finding) {
      finding = {.kind = ScanFinding::Kind::kGrowth,
                 .field = plan.name,
                 .table = {t},
                 .value = static_cast<double>(table.row_count())};
    }
    if (plan.columns.empty()) continue;
    std::vector<SeenPage>& seen = seen_[t];
    seen.resize(table.page_count());
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      const std::span<const std::byte> bytes = table.PageBytes(page);
      SeenPage now = {
          .bytes = bytes.data(), .stamp = table.PageStamp(page), .buckets = 0};
      if (seen[page].bytes == now.bytes && seen[page].stamp == now.stamp) {
        continue;
      }
      const size_t bucket_count = buckets.size();
      const uint32_t first = page * table.rows_per_page();
      const uint32_t count =
          std::min(table.rows_per_page(), table.row_count() - first);
      for (uint32_t i = 0; i < count; ++i) {
        auto of_row =
            ScanRow({t}, first + i, bytes.data() + size_t{i} * table.row_size(),
                    buckets);
        if (of_row && !finding) finding = std::move(of_row);
      }
      now.buckets = count;
      for (size_t i = bucket_count; i < buckets.size(); ++i) {
        now.buckets = MixBuckets(now.buckets, buckets[i]);
      }
      if (has_changed != nullptr && seen[page].buckets != 0 &&
          seen[page].buckets != now.buckets) {
        *has_changed = true;
      }
      seen[page] = now;
    }
  }
  return finding;
}

std::optional<ScanFinding> StateScan::ScanRow(
    sim::TableIndex index, uint32_t row, const std::byte* bytes,
    std::vector<uint64_t>& buckets) const {
  const TablePlan& plan = plans_[index.value];
  const bool has_buckets =
      plan.has_buckets && row < kBucketRowsMax && (plan.has_key || row == 0);
  const uint64_t row_salt = plan.has_key ? Load<uint64_t>(bytes) : 0;
  std::optional<ScanFinding> finding;
  const auto find = [&](ScanFinding::Kind kind, const Column& column,
                        double value) {
    if (finding) return;
    finding = {.kind = kind,
               .field = column.name,
               .table = index,
               .row = row,
               .value = value};
  };
  uint64_t place = 0;
  uint32_t place_axes = 0;
  for (const Column& column : plan.columns) {
    const std::byte* const scalar = bytes + column.offset;
    uint64_t bucket = 0;
    switch (column.kind) {
      case Column::Kind::kFlag:
        bucket = Load<uint8_t>(scalar);
        break;
      case Column::Kind::kName:
        bucket = Load<uint64_t>(scalar);
        break;
      case Column::Kind::kInteger:
        bucket = BucketOfInteger(LoadInteger(scalar, column.type));
        break;
      case Column::Kind::kDouble: {
        const auto value = Load<double>(scalar);
        if (!IsFinite(value) && !column.may_be_infinite) {
          find(ScanFinding::Kind::kNotFinite, column, value);
          continue;
        }
        bucket = BucketOfDouble(value);
        break;
      }
      case Column::Kind::kPosition: {
        const auto value = Load<double>(scalar);
        if (!IsFinite(value)) {
          find(ScanFinding::Kind::kNotFinite, column, value);
          continue;
        }
        if (value > world_radius_m_ || value < -world_radius_m_) {
          find(ScanFinding::Kind::kOutOfWorld, column, value);
        }
        place = MixBuckets(place, MetreOf(value));
        if (++place_axes < 3) continue;
        place_axes = 0;
        bucket = place;
        break;
      }
    }
    if (has_buckets) {
      buckets.push_back(MixBuckets(MixBuckets(column.salt, row_salt), bucket));
    }
  }
  return finding;
}

}  // namespace reprise::replays
