// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session_memory.h"

#include "sim/state/table.h"

namespace reprise::services {
namespace {

// What a state may gain, beside as much as it began with, and still count as
// one that doesn't grow.
constexpr uint64_t kGrowthBytesMax = uint64_t{1} << 20;

}  // namespace

uint64_t RowBytes(const sim::State& state) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const sim::Table& table = state.table({.value = i});
    bytes += uint64_t{table.row_count()} * table.row_size();
  }
  return bytes;
}

void SessionMemory::Show(uint64_t state_bytes, uint64_t loaded_bytes) {
  const uint64_t state_before = state_bytes_.exchange(state_bytes);
  const uint64_t loaded_before = loaded_bytes_.exchange(loaded_bytes);
  if (tenant_ == nullptr) return;
  tenant_->Replace(state_before, state_bytes);
  tenant_->ReplaceLoaded(loaded_before, loaded_bytes);
}

absl::Status SessionMemory::CheckRoom() const {
  if (tenant_ != nullptr) {
    if (absl::Status room = tenant_->CheckRoom(); !room.ok()) return room;
  }
  return budget_ == nullptr ? absl::OkStatus() : budget_->CheckRoom();
}

absl::Status SessionMemory::CheckRoomToStep(uint64_t row_bytes) const {
  if (tenant_ != nullptr) {
    if (absl::Status room = tenant_->CheckRoom(); !room.ok()) return room;
  }
  return CheckGrowth(row_bytes);
}

absl::Status SessionMemory::CheckGrowth(uint64_t row_bytes) const {
  const bool has_grown = row_bytes > 2 * first_row_bytes_ + kGrowthBytesMax;
  return budget_ == nullptr || !has_grown ? absl::OkStatus()
                                          : budget_->CheckRoom();
}

}  // namespace reprise::services
