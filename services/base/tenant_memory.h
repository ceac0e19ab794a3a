// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the sessions of one tenant hold in memory, kept up to date by them:
// their states and snapshots, what their clients are told differences to, and
// what making them took besides.

#ifndef REPRISE_SERVICES_BASE_TENANT_MEMORY_H_
#define REPRISE_SERVICES_BASE_TENANT_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "services/base/tenant_quotas.h"

namespace reprise::services {

// Safe to use from any thread.
class TenantMemory {
 public:
  // 0: it may hold whatever it likes.
  explicit TenantMemory(uint64_t bytes_max) : bytes_max_(bytes_max) {}

  // Tells that one of them, which held `before`, holds `after` now.
  void Replace(uint64_t before, uint64_t after) {
    bytes_.fetch_add(after - before, std::memory_order_relaxed);
  }
  // The same of what making it took, which has no limit of its own.
  void ReplaceLoaded(uint64_t before, uint64_t after) {
    loaded_bytes_.fetch_add(after - before, std::memory_order_relaxed);
  }

  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  uint64_t loaded_bytes() const {
    return loaded_bytes_.load(std::memory_order_relaxed);
  }

  // Whether they may come to hold more. RESOURCE_EXHAUSTED: they hold as much
  // as they may. What is begun below the limit may end above it.
  absl::Status CheckRoom() const {
    if (bytes_max_ == 0 || bytes() < bytes_max_) return absl::OkStatus();
    return QuotaError("bytes of states", bytes_max_);
  }

 private:
  const uint64_t bytes_max_;
  std::atomic<uint64_t> bytes_ = 0;
  std::atomic<uint64_t> loaded_bytes_ = 0;
};

// What something holds of a tenant's memory, counted until it goes. Used by one
// thread at a time.
class MemoryShare {
 public:
  // Counts nothing.
  MemoryShare() = default;
  explicit MemoryShare(std::shared_ptr<TenantMemory> memory)
      : memory_(std::move(memory)) {}
  MemoryShare(MemoryShare&& other) noexcept
      : memory_(std::move(other.memory_)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryShare& operator=(MemoryShare&& other) noexcept {
    if (this == &other) return *this;
    Set(0);
    memory_ = std::move(other.memory_);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  ~MemoryShare() { Set(0); }

  void Set(uint64_t bytes) {
    if (memory_ == nullptr) return;
    memory_->Replace(std::exchange(bytes_, bytes), bytes);
  }

 private:
  std::shared_ptr<TenantMemory> memory_;
  uint64_t bytes_ = 0;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_TENANT_MEMORY_H_
