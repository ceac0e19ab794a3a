// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a server may use of memory, and what it uses: of the whole process, as
// its allocator counts it. Where nothing is left, what would be new is refused,
// before the system ends the process with all that goes well in it.

#ifndef REPRISE_SERVICES_BASE_MEMORY_BUDGET_H_
#define REPRISE_SERVICES_BASE_MEMORY_BUDGET_H_

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "services/base/clock.h"

namespace reprise::services {

// Says how many bytes are in use. Safe to call from any thread.
using MemoryMeter = std::function<uint64_t()>;

// The bytes that this process has allocated and not given back; where the
// allocator doesn't say, those of its pages in memory.
uint64_t AllocatedBytes();

// What a server may use of this machine unless somebody says otherwise: three
// quarters of its memory, or of the least that a control group above the
// process allows; a half of what the process may map, which holds more than is
// in use.
uint64_t DefaultMemoryBytesMax();

// RESOURCE_EXHAUSTED: as much is in use as may be. Trying again may help.
absl::Status MemoryFullError(uint64_t bytes_max);

// RESOURCE_EXHAUSTED: an allocation has failed in the midst of something.
absl::Status MemoryExhaustedError();

class MemoryBudget;

// Memory that somebody is about to use. It counts as used until this goes.
class MemoryClaim {
 public:
  // Of nothing.
  MemoryClaim() = default;
  MemoryClaim(MemoryClaim&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)), bytes_(other.bytes_) {}
  MemoryClaim& operator=(MemoryClaim&& other) noexcept {
    Release();
    budget_ = std::exchange(other.budget_, nullptr);
    bytes_ = other.bytes_;
    return *this;
  }
  ~MemoryClaim() { Release(); }

  void Release();

 private:
  friend class MemoryBudget;

  MemoryClaim(MemoryBudget* budget, uint64_t bytes)
      : budget_(budget), bytes_(bytes) {}

  MemoryBudget* budget_ = nullptr;
  uint64_t bytes_ = 0;
};

// Safe to use from any thread.
class MemoryBudget {
 public:
  // Bytes of 0: no limit, and nothing is measured.
  MemoryBudget(uint64_t bytes_max, MemoryMeter meter, Clock clock)
      : bytes_max_(bytes_max),
        meter_(std::move(meter)),
        clock_(std::move(clock)) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // RESOURCE_EXHAUSTED: so much isn't left, beside what others have claimed.
  absl::StatusOr<MemoryClaim> Claim(uint64_t bytes);

  // Whether anything is left, as it was a tenth of a second ago at most.
  absl::Status CheckRoom();

  uint64_t bytes_max() const { return bytes_max_; }
  // Measured now, without what is claimed.
  uint64_t bytes_in_use() const { return meter_(); }

 private:
  friend class MemoryClaim;

  void Return(uint64_t bytes);

  const uint64_t bytes_max_;
  const MemoryMeter meter_;
  const Clock clock_;

  std::mutex mutex_;  // guards what follows
  uint64_t claimed_bytes_ = 0;
  uint64_t measured_bytes_ = 0;
  absl::Time measured_ = absl::InfinitePast();
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_MEMORY_BUDGET_H_
