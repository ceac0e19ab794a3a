// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/state/page.h"

namespace reprise::sim {
namespace {

// The address sanitizer finds a page used after it was freed only if it is.
#ifdef __SANITIZE_ADDRESS__
constexpr uint32_t kKeptPagesMax = 0;
#else
constexpr uint32_t kKeptPagesMax = kSparePagesMax;
#endif

// Trivially destructible, so that pages freed while a thread ends find it.
struct SparePages {
  Page* first = nullptr;
  uint32_t count = 0;
  uint32_t count_max = kKeptPagesMax;
};
thread_local SparePages spare_pages;

// Gives the pages back when the thread ends; from then on none are kept.
struct SparePagesEnd {
  ~SparePagesEnd() {
    spare_pages.count_max = 0;
    while (spare_pages.first != nullptr) {
      Page* const page = spare_pages.first;
      spare_pages.first = page->next_spare;
      delete page;
    }
  }
};

// A page whose bytes are anything.
Page* TakePage() {
  static thread_local const SparePagesEnd end;
  Page* const page = spare_pages.first;
  if (page == nullptr) return new Page;
  spare_pages.first = page->next_spare;
  --spare_pages.count;
  page->digest_is_known.store(false, std::memory_order_relaxed);
  page->reference_count.store(1, std::memory_order_relaxed);
  return page;
}

}  // namespace

PageRef PageRef::Allocate() {
  Page* const page = TakePage();
  page->bytes = {};
  return PageRef(page);
}

PageRef PageRef::Clone() const {
  Page* const page = TakePage();
  page->bytes = page_->bytes;
  return PageRef(page);
}

void PageRef::Free(Page* page) {
  if (spare_pages.count >= spare_pages.count_max) {
    delete page;
    return;
  }
  page->next_spare = spare_pages.first;
  spare_pages.first = page;
  ++spare_pages.count;
}

}  // namespace reprise::sim
