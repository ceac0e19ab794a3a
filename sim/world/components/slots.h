// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Handles and the slots behind them. A slot that is freed is used again, last
// freed first; the generation tells its tenants apart, so a handle that was
// kept too long leads to nobody.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_SLOTS_H_
#define REPRISE_SIM_WORLD_COMPONENTS_SLOTS_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/state/table.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {

// Takes a slot for an object that is to be: until SettleSlot, its handle leads
// to nobody. nullopt when `slots_max` are taken. REQUIRES: `slots` is a table
// of SlotRow, and `allocation` the row that belongs to it.
std::optional<Handle> ReserveSlot(uint32_t slots_max, Table& slots,
                                  AllocationRow& allocation);

// Lets `object` move in. REQUIRES: `handle` came from ReserveSlot.
void SettleSlot(Handle handle, ObjectId object, Table& slots);

// Ends the tenancy, or the reservation, of `handle`: it is stale from now on.
// REQUIRES: it has not ended yet.
void FreeSlot(Handle handle, Table& slots, AllocationRow& allocation);

// The object that `handle` refers to; kNoObject for the null handle, a stale
// one and one of another world, and while a slot is only reserved.
ObjectId ObjectInSlot(const Table& slots, Handle handle);

// DATA_LOSS when the free list doesn't lead through all free slots exactly
// once.
absl::Status CheckSlots(const Table& slots, const AllocationRow& allocation);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_SLOTS_H_
