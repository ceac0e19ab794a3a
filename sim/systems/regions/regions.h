// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Regions: named volumes that notice which objects enter, stay and leave.
// Nothing collides with them; an object is where its point is.

#ifndef REPRISE_SIM_SYSTEMS_REGIONS_REGIONS_H_
#define REPRISE_SIM_SYSTEMS_REGIONS_REGIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector3.h"
#include "sim/geometry/volume.h"
#include "sim/state/table.h"
#include "sim/systems/layers/layers.h"

namespace reprise::sim {

inline constexpr size_t kRegionsMax = 4096;

// Objects in regions, counted once for each region: 24 MB of rows.
inline constexpr uint32_t kRegionVisitsMax = 1u << 20;

struct RegionDefinition {
  Id name;
  Volume volume;
  // Once inside, an object stays until it is outside the volume grown by this.
  double margin_m = 0.0;
  // While it is disabled, nobody is inside.
  Id layer = kNoId;
  // An object that has been inside for a multiple of this stays; 0: unreported.
  Tick stay_period = 0;
};

// While the row stands, the object is inside.
struct RegionVisitRow {
  Id region;
  ObjectId object;
  Tick entered_at = 0;

  static constexpr std::string_view kTable = "region_visits";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(RegionVisitRow, region, ""),
                      REPRISE_FIELD(RegionVisitRow, object, ""),
                      REPRISE_FIELD(RegionVisitRow, entered_at, "tick")};
  }
};

struct RegionEvent {
  Id type;
  Id region;
  ObjectId object;
  Tick entered_at = 0;

  friend bool operator==(const RegionEvent&, const RegionEvent&) = default;
};

struct RegionUpdate {
  // By region, then object; an object has one event a region.
  std::vector<RegionEvent> events;
  // Visits that were not noticed because kRegionVisitsMax were: the last ones
  // by region, then object.
  uint64_t dropped_visit_count = 0;
};

// Where an object is.
struct ObjectPoint {
  ObjectId object;
  Vector3 point;
};

// OK, or InvalidArgument or ResourceExhausted naming the region and what is
// wrong with it. `kind` is what the author calls it: "region".
absl::Status ValidateRegions(std::string_view kind,
                             std::span<const RegionDefinition> regions,
                             std::span<const LayerDefinition> layers,
                             const NameTable& names);

// The regions of a pack, ready to be asked. Immutable.
class Regions {
 public:
  // REQUIRES: `regions` passed ValidateRegions.
  explicit Regions(std::span<const RegionDefinition> regions);

  // OK, or DataLoss where `rows`, of a snapshot, can't be of these regions.
  absl::Status CheckRows(const Table& rows) const;

  // Brings `rows` (a table of RegionVisitRow) up to `tick`. Objects that
  // `points` doesn't mention are nowhere, and leave.
  // REQUIRES: points ascend by object, none twice, and none is NaN.
  RegionUpdate Update(std::span<const ObjectPoint> points, Tick tick,
                      const Table& layers, Table& rows) const;

 private:
  struct Region {
    RegionDefinition definition;
    VolumeBounds bounds;  // with the margin
  };

  std::vector<Region> regions_;  // ascending by name
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_REGIONS_REGIONS_H_
