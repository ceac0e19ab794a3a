// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where values of a batch's objects lie, found a page at a time and not for
// each object: what columns go along.

#ifndef REPRISE_SIM_WORLD_UPDATES_PROPERTY_CURSOR_H_
#define REPRISE_SIM_WORLD_UPDATES_PROPERTY_CURSOR_H_

#include <cstddef>
#include <cstdint>

#include "sim/base/id.h"
#include "sim/geometry/transform.h"
#include "sim/state/table.h"
#include "sim/world/components/component.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// Where the next object's value of a property lies, and what the property
// allows. Small, so that a loop has it in registers.
struct PropertyLane {
  std::byte* at = nullptr;
  size_t row_size = 0;
  double minimum = 0.0;  // finite, both
  double maximum = 0.0;
  bool is_open = false;  // its page may be written

  bool Allows(double value) const {
    return value >= minimum && value <= maximum;
  }
};

// Goes through the values of a property in runs: those of a batch's objects
// that lie one behind the other in one page.
class PropertyCursor {
 public:
  // REQUIRES: one value of the property takes `value_size` bytes.
  PropertyCursor(UpdateContext& context, const PropertyRef& property,
                 size_t value_size);

  // Begins the run of object i, which nobody may write yet.
  void Begin(uint32_t i);
  // One behind its last object.
  uint32_t end() const { return end_; }

  // Goes to object i of the run, wherever its page is now.
  void GoTo(uint32_t i);
  // The same, and the page may be written from now on.
  void Open(uint32_t i);
  // Whether a page of the table has moved since.
  bool is_stale() const { return write_count_ != table_.write_count(); }

  // At the object of the last Begin, GoTo or Open.
  const PropertyLane& lane() const { return lane_; }

  bool AllowsChoice(Id value) const;
  void TellRefused(uint32_t i) const;

 private:
  // REQUIRES: object i has the component.
  uint32_t RowOf(uint32_t i) const;

  UpdateContext& context_;
  Table& table_;
  const PropertyDefinition& definition_;
  PropertyLane lane_;
  uint32_t component_;
  uint32_t offset_;
  uint64_t write_count_ = 0;  // of the table
  uint32_t base_ = 0;  // object i of the run has row base_ + i, modulo 2^32
  uint32_t end_ = 0;
  bool has_gaps_ = true;  // in the rows of the batch
};

// The same for places.
class PlaceCursor {
 public:
  explicit PlaceCursor(UpdateContext& context);

  Transform Load(uint32_t i);
  // REQUIRES: the last call was Load(i).
  void Store(uint32_t i, const Transform& place);

 private:
  UpdateContext& context_;
  bool has_body_;
  uint32_t row_ = 0;  // of the last object without a body, among the places
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_PROPERTY_CURSOR_H_
