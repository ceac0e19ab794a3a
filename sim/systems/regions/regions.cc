// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/regions/regions.h"

#include <algorithm>
#include <compare>
#include <string>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/systems/regions/region_events.h"
#include "sim/world/components/named_definitions.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

struct VisitKey {
  Id region;
  ObjectId object;

  friend auto operator<=>(const VisitKey&, const VisitKey&) = default;
};

struct Visit {
  VisitKey key;
  Tick stay_period = 0;
};

VisitKey KeyOf(const RegionVisitRow& row) { return {row.region, row.object}; }

// Along y and z; along x the points were searched.
bool IsWithin(const VolumeBounds& bounds, Vector3 point) {
  return bounds.low.y <= point.y && point.y <= bounds.high.y &&
         bounds.low.z <= point.z && point.z <= bounds.high.z;
}

// Whether the object is inside now, given the rows of the last tick.
bool IsInside(const RegionDefinition& region, const ObjectPoint& place,
              std::span<const RegionVisitRow> before) {
  if (Contains(region.volume, place.point)) return true;
  if (region.margin_m == 0.0) return false;
  return Contains(region.volume, place.point, region.margin_m) &&
         std::ranges::binary_search(before, VisitKey{region.name, place.object},
                                    {}, KeyOf);
}

// Merges the visits of two ticks into the new rows and what to say about them.
void MergeVisits(std::span<const RegionVisitRow> before,
                 std::span<const Visit> now, Tick tick,
                 std::vector<RegionVisitRow>& rows,
                 std::vector<RegionEvent>& events) {
  auto old = before.begin();
  const auto report = [&](Id type, const RegionVisitRow& row) {
    events.push_back({type, row.region, row.object, row.entered_at});
  };
  for (const auto& [key, stay_period] : now) {
    for (; old != before.end() && KeyOf(*old) < key; ++old) {
      report(kRegionLeft, *old);
    }
    if (old == before.end() || KeyOf(*old) != key) {
      rows.push_back({key.region, key.object, tick});
      report(kRegionEntered, rows.back());
      continue;
    }
    rows.push_back(*old);
    if (stay_period != 0 && (tick - old->entered_at) % stay_period == 0) {
      report(kRegionStayed, *old);
    }
    ++old;
  }
  for (; old != before.end(); ++old) report(kRegionLeft, *old);
}

}  // namespace

absl::Status ValidateRegions(std::string_view kind,
                             std::span<const RegionDefinition> regions,
                             std::span<const LayerDefinition> layers,
                             const NameTable& names) {
  std::vector<Id> ids;
  for (const RegionDefinition& region : regions) ids.push_back(region.name);
  if (absl::Status status = ValidateNames(kind, ids, kRegionsMax, names);
      !status.ok()) {
    return status;
  }
  for (const RegionDefinition& region : regions) {
    const std::string place =
        fmt::format("{} {}", kind, Quoted(names, region.name));
    if (const absl::Status status = ValidateVolume(region.volume);
        !status.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("{}: {}", place, std::string(status.message())));
    }
    if (!(region.margin_m >= 0.0 && region.margin_m <= kVolumeCoordinateMaxM)) {
      return absl::InvalidArgumentError(
          fmt::format("{}: its margin of {} m is not within [0, {}] m", place,
                      region.margin_m, kVolumeCoordinateMaxM));
    }
    if (absl::Status status =
            ValidateLayerName(region.layer, place, layers, names);
        !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

Regions::Regions(std::span<const RegionDefinition> regions) {
  for (const RegionDefinition& region : regions) {
    regions_.push_back({region, BoundsOf(region.volume, region.margin_m)});
  }
  // A total order: no two regions have the same name.
  std::ranges::sort(regions_, {}, [](const Region& region) {
    return region.definition.name;
  });
}

absl::Status Regions::CheckRows(const Table& rows) const {
  if (rows.row_count() > kRegionVisitsMax) {
    return absl::DataLossError("snapshot: too many visits of regions");
  }
  VisitKey before;
  for (const RegionVisitRow& row : ReadRows<RegionVisitRow>(rows)) {
    const bool is_known = std::ranges::binary_search(
        regions_, row.region, {},
        [](const Region& region) { return region.definition.name; });
    if (!is_known || KeyOf(row) <= before || row.entered_at > kTickMax) {
      return absl::DataLossError(
          "snapshot: the visits are not those of the pack's regions");
    }
    before = KeyOf(row);
  }
  return absl::OkStatus();
}

RegionUpdate Regions::Update(std::span<const ObjectPoint> points, Tick tick,
                             const Table& layers, Table& rows) const {
  const auto is_descending = [](const ObjectPoint& a, const ObjectPoint& b) {
    return a.object >= b.object;
  };
  CHECK(std::ranges::adjacent_find(points, is_descending) == points.end());

  // A region looks only at the points between its bounds along x.
  std::vector<ObjectPoint> by_x(points.begin(), points.end());
  // A total order: no two points belong to the same object.
  std::ranges::sort(by_x, [](const ObjectPoint& a, const ObjectPoint& b) {
    return a.point.x != b.point.x ? a.point.x < b.point.x : a.object < b.object;
  });
  const std::vector<RegionVisitRow> before = ReadRows<RegionVisitRow>(rows);
  std::vector<Visit> now;
  RegionUpdate update;
  for (const auto& [region, bounds] : regions_) {
    if (!IsLayerEnabled(layers, region.layer)) continue;
    const size_t first_visit = now.size();
    auto place = std::ranges::lower_bound(
        by_x, bounds.low.x, {}, [](const ObjectPoint& p) { return p.point.x; });
    for (; place != by_x.end() && place->point.x <= bounds.high.x; ++place) {
      if (IsWithin(bounds, place->point) && IsInside(region, *place, before)) {
        now.push_back({{region.name, place->object}, region.stay_period});
      }
    }
    // A total order: no two visits of a region are by the same object.
    std::ranges::sort(now.begin() + static_cast<ptrdiff_t>(first_visit),
                      now.end(), {}, &Visit::key);
    if (now.size() > kRegionVisitsMax) {
      update.dropped_visit_count += now.size() - kRegionVisitsMax;
      now.resize(kRegionVisitsMax);
    }
  }
  std::vector<RegionVisitRow> after;
  after.reserve(now.size());
  MergeVisits(before, now, tick, after, update.events);
  WriteTail<RegionVisitRow>(rows, 0, after);
  return update;
}

}  // namespace reprise::sim
