// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Pages: blocks of state that copies share until one of them writes.

#ifndef REPRISE_SIM_STATE_PAGE_H_
#define REPRISE_SIM_STATE_PAGE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace reprise::sim {

// The unit of sharing and of digests: the size of a virtual memory page, small
// enough to clone for one write and large enough to hash at full speed.
inline constexpr uint32_t kPageSize = 4096;

struct Page {
  alignas(64) std::array<std::byte, kPageSize> bytes = {};
  // The digest of the used bytes, once known. Threads that share the page may
  // compute it at the same time: they store the same value.
  std::atomic<uint64_t> digest = 0;
  std::atomic<bool> digest_is_known = false;
  std::atomic<uint32_t> reference_count = 1;
  Page* next_spare = nullptr;  // among the pages that a thread keeps
};

// Pages that a thread has freed and keeps for its next ones, so that a tick
// which clones as many pages as it frees allocates nothing: 16 MiB at most.
inline constexpr uint32_t kSparePagesMax = 4096;

// A counted reference to a page. Unlike std::shared_ptr it can say, in order
// with the other threads' last reads, that it is the only one.
class PageRef {
 public:
  PageRef() = default;  // refers to nothing
  PageRef(const PageRef& other) : page_(other.page_) { Retain(); }
  PageRef(PageRef&& other) noexcept
      : page_(std::exchange(other.page_, nullptr)) {}
  // Most pages of a copy of state that replaces an older one are the same.
  PageRef& operator=(const PageRef& other) noexcept {
    if (page_ != other.page_) *this = PageRef(other);
    return *this;
  }
  PageRef& operator=(PageRef&& other) noexcept {
    std::swap(page_, other.page_);
    return *this;
  }
  ~PageRef() { Release(); }

  // A new page of zeros.
  static PageRef Allocate();

  // A new page with the bytes of this one.
  PageRef Clone() const;

  // Whether no other reference exists, so that the page may be written.
  bool is_unique() const {
    return page_->reference_count.load(std::memory_order_acquire) == 1;
  }

  Page* operator->() const { return page_; }
  friend bool operator==(const PageRef& a, const PageRef& b) = default;

 private:
  explicit PageRef(Page* page) : page_(page) {}

  void Retain() {
    if (page_ == nullptr) return;
    page_->reference_count.fetch_add(1, std::memory_order_relaxed);
  }
  void Release() {
    if (page_ == nullptr) return;
    if (page_->reference_count.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      Free(page_);
    }
  }
  static void Free(Page* page);

  Page* page_ = nullptr;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_STATE_PAGE_H_
