// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/components/slots.h"

#include <limits>
#include <vector>

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// A slot whose generations are used up is never used again.
constexpr uint64_t kGenerationMax = std::numeric_limits<uint32_t>::max();

}  // namespace

std::optional<Handle> ReserveSlot(uint32_t slots_max, Table& slots,
                                  AllocationRow& allocation) {
  uint32_t index = slots.row_count();
  if (allocation.first_free_slot != 0) {
    index = static_cast<uint32_t>(allocation.first_free_slot - 1);
    allocation.first_free_slot = slots.Get<SlotRow>(index).next_free;
  } else {
    if (index >= slots_max) return std::nullopt;
    slots.Resize(index + 1);
  }
  SlotRow& slot = slots.Mutable<SlotRow>(index);
  slot.next_free = 0;
  ++slot.generation;
  return Handle{.index = index,
                .generation = static_cast<uint32_t>(slot.generation)};
}

void SettleSlot(Handle handle, ObjectId object, Table& slots) {
  SlotRow& slot = slots.Mutable<SlotRow>(handle.index);
  CHECK(slot.generation == handle.generation && slot.object == kNoObject,
        "slot {} isn't reserved", handle.index);
  slot.object = object;
}

void FreeSlot(Handle handle, Table& slots, AllocationRow& allocation) {
  SlotRow& slot = slots.Mutable<SlotRow>(handle.index);
  CHECK(slot.generation == handle.generation, "slot {} was freed before",
        handle.index);
  slot.object = kNoObject;
  if (slot.generation == kGenerationMax) return;
  slot.next_free = allocation.first_free_slot;
  allocation.first_free_slot = uint64_t{handle.index} + 1;
}

ObjectId ObjectInSlot(const Table& slots, Handle handle) {
  if (handle.is_null() || handle.index >= slots.row_count()) return kNoObject;
  const auto& slot = slots.Get<SlotRow>(handle.index);
  return slot.generation == handle.generation ? slot.object : kNoObject;
}

absl::Status CheckSlots(const Table& slots, const AllocationRow& allocation) {
  const absl::Status bad =
      absl::DataLossError("snapshot: the list of free slots is broken");
  std::vector<bool> is_free(slots.row_count());
  uint64_t next = allocation.first_free_slot;
  while (next != 0) {
    if (next > slots.row_count() || is_free[next - 1]) return bad;
    is_free[next - 1] = true;
    next = slots.Get<SlotRow>(static_cast<uint32_t>(next - 1)).next_free;
  }
  for (uint32_t index = 0; index < slots.row_count(); ++index) {
    const auto& slot = slots.Get<SlotRow>(index);
    const bool is_empty = slot.object == kNoObject;
    const bool is_used_up = is_empty && slot.generation == kGenerationMax;
    const bool may_be_free = is_empty && !is_used_up;
    if (is_free[index] != may_be_free || slot.generation == 0 ||
        slot.generation > kGenerationMax ||
        (!is_free[index] && slot.next_free != 0)) {
      return bad;
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
