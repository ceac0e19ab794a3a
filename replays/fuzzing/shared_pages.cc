// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/shared_pages.h"

#include "sim/state/table.h"

namespace reprise::replays {
namespace {

// Calls `visit` with the address of each page.
template <typename Visit>
void ForEachPage(const sim::State& state, Visit visit) {
  for (uint32_t t = 0; t < state.table_count(); ++t) {
    const sim::Table& table = state.table({t});
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      visit(table.PageBytes(page).data());
    }
  }
}

}  // namespace

void SharedPages::Add(const sim::State& state, const SharedPages* others) {
  ForEachPage(state, [this, others](const std::byte* bytes) {
    if (others != nullptr && others->users_.contains(bytes)) return;
    ++users_[bytes];
  });
}

void SharedPages::Remove(const sim::State& state) {
  ForEachPage(state, [this](const std::byte* bytes) {
    const auto found = users_.find(bytes);
    if (found != users_.end() && --found->second == 0) users_.erase(found);
  });
}

uint64_t BytesBesidePages(const sim::State& state) {
  // Of each page a reference and a stamp.
  constexpr uint64_t kBytesOfReference =
      sizeof(sim::PageRef) + sizeof(uint64_t);
  uint64_t bytes = sizeof(sim::State);
  for (uint32_t t = 0; t < state.table_count(); ++t) {
    bytes +=
        sizeof(sim::Table) + state.table({t}).page_count() * kBytesOfReference;
  }
  for (const sim::State::Room& room : state.rooms()) {
    bytes += sizeof(room) + room.name.size();
  }
  return bytes;
}

}  // namespace reprise::replays
