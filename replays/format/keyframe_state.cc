// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/keyframe_state.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/common_shape.h"
#include "replays/format/schema_difference.h"
#include "sim/base/check.h"
#include "sim/state/state_codec.h"

namespace reprise::replays {
namespace {

absl::Status Refuse(std::string_view what,
                    std::span<const SchemaDifference> differences) {
  return absl::FailedPreconditionError(
      fmt::format("{}: {}", what, FormatSchemaDifferenceList(differences)));
}

// The bytes, which the file says to be of `shape`.
absl::StatusOr<sim::State> Decode(const ReplayKeyframe& keyframe,
                                  const sim::State& shape) {
  absl::StatusOr<sim::State> state =
      sim::DecodeState(std::as_bytes(std::span(keyframe.state)), shape);
  if (keyframe.shape == nullptr ||
      !absl::IsFailedPrecondition(state.status())) {
    return state;
  }
  return absl::DataLossError(
      "snapshot: it is of other tables than the file says");
}

// Whether rows of `recorded` lose something by it, or get something that nobody
// recorded.
bool TouchesRows(const SchemaDifference& difference,
                 const sim::State& recorded) {
  const std::optional<sim::TableIndex> index =
      recorded.Find(difference.room, difference.table);
  if (!index.has_value()) return false;
  const sim::Table& table = recorded.table(*index);
  if (table.row_count() == 0) return false;
  return difference.kind != SchemaDifference::Kind::kReordered ||
         std::ranges::any_of(
             table.schema().fields(), [&](const sim::Field& field) {
               return DependsOnSchema(difference.room, field.name);
             });
}

}  // namespace

absl::StatusOr<sim::State> DecodeRecordedState(const ReplayKeyframe& keyframe) {
  CHECK(keyframe.shape != nullptr);
  return Decode(keyframe, *keyframe.shape);
}

absl::StatusOr<sim::State> DecodeKeyframe(const ReplayKeyframe& keyframe,
                                          const sim::State& shape) {
  if (keyframe.shape != nullptr) {
    const std::vector<SchemaDifference> differences =
        CompareSchemas(*keyframe.shape, shape);
    if (!differences.empty()) return Refuse("it has other tables", differences);
  }
  return Decode(keyframe, shape);
}

absl::StatusOr<sim::State> CarryKeyframe(const ReplayKeyframe& keyframe,
                                         const sim::State& shape) {
  if (keyframe.shape == nullptr || keyframe.shape->CheckSameShape(shape).ok()) {
    return Decode(keyframe, shape);
  }
  const absl::StatusOr<sim::State> recorded = DecodeRecordedState(keyframe);
  if (!recorded.ok()) return recorded;
  std::vector<SchemaDifference> differences = CompareSchemas(*recorded, shape);
  std::erase_if(differences, [&](const SchemaDifference& difference) {
    return !TouchesRows(difference, *recorded);
  });
  if (!differences.empty()) {
    return Refuse("not all of it is found by name", differences);
  }
  const CommonShape common(*recorded, shape);
  sim::State carried = shape;
  for (uint32_t i = 0; i < carried.table_count(); ++i) {
    carried.mutable_table({i}).Resize(0);
  }
  common.Put(CommonShape::Side::kActual,
             common.Take(CommonShape::Side::kExpected, *recorded), carried);
  return carried;
}

}  // namespace reprise::replays
