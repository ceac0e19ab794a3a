// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Counts the memory of many copies of a state: of pages that several share each
// one once.

#ifndef REPRISE_REPLAYS_FUZZING_SHARED_PAGES_H_
#define REPRISE_REPLAYS_FUZZING_SHARED_PAGES_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "sim/state/page.h"
#include "sim/state/state.h"

namespace reprise::replays {

// Used by one thread at a time; what only asks may be asked by many.
class SharedPages {
 public:
  // What a page takes: itself, its place in this index (an entry and its
  // bucket, 48 bytes), and what aligning it to 64 bytes costs the allocator.
  static constexpr uint64_t kBytesOfPage = sizeof(sim::Page) + 128;

  // `state` must remain live and unchanged until it is removed. `others`, which
  // may be null, has pages that aren't counted here.
  void Add(const sim::State& state, const SharedPages* others = nullptr);
  // REQUIRES: `state` was added without others, and not removed since.
  void Remove(const sim::State& state);
  void Clear() { users_.clear(); }

  uint64_t page_count() const { return users_.size(); }
  uint64_t bytes() const { return users_.size() * kBytesOfPage; }

 private:
  // How many states have a page. Never walked through: the order of addresses
  // is nobody's.
  std::unordered_map<const std::byte*, uint32_t> users_;
};

// What a copy of `state` takes beside its pages: tables and references.
uint64_t BytesBesidePages(const sim::State& state);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_SHARED_PAGES_H_
