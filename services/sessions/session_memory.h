// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What one session has of memory, as its tenant and the server count it, and
// whether it may have more.

#ifndef REPRISE_SERVICES_SESSIONS_SESSION_MEMORY_H_
#define REPRISE_SERVICES_SESSIONS_SESSION_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "services/base/memory_budget.h"
#include "services/base/tenant_memory.h"
#include "sim/state/state.h"

namespace reprise::services {

// The bytes of all rows of a state.
uint64_t RowBytes(const sim::State& state);

// Used by one thread at a time, but for what it shows.
class SessionMemory {
 public:
  // Counts into `tenant`, until its destruction; either may be null: there is
  // no limit.
  SessionMemory(std::shared_ptr<TenantMemory> tenant, MemoryBudget* budget)
      : tenant_(std::move(tenant)), budget_(budget) {}
  SessionMemory(const SessionMemory&) = delete;
  SessionMemory& operator=(const SessionMemory&) = delete;
  ~SessionMemory() { Show(0, 0); }

  // The session begins with a state of so many bytes of rows.
  void Begin(uint64_t row_bytes) { first_row_bytes_ = row_bytes; }

  // Counts what it has now in place of what it had; see TenantMemory.
  void Show(uint64_t state_bytes, uint64_t loaded_bytes);
  // What was shown last. From any thread.
  uint64_t state_bytes() const { return state_bytes_; }
  uint64_t loaded_bytes() const { return loaded_bytes_; }

  // RESOURCE_EXHAUSTED: see TenantMemory::CheckRoom, MemoryBudget::CheckRoom.
  absl::Status CheckRoom() const;
  // The same for ticks of a state of so many bytes of rows: where the server
  // has none left, those of sessions that have grown have to wait, others go
  // on.
  absl::Status CheckRoomToStep(uint64_t row_bytes) const;
  absl::Status CheckGrowth(uint64_t row_bytes) const;

 private:
  const std::shared_ptr<TenantMemory> tenant_;
  MemoryBudget* const budget_;
  uint64_t first_row_bytes_ = 0;
  std::atomic<uint64_t> state_bytes_ = 0;
  std::atomic<uint64_t> loaded_bytes_ = 0;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_MEMORY_H_
