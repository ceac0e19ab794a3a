// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where kept texts stand, by their ids: a table of hashes, for what is looked
// for in each tick. It follows from the rows and is no state.

#ifndef REPRISE_SIM_WORLD_INPUTS_TEXT_INDEX_H_
#define REPRISE_SIM_WORLD_INPUTS_TEXT_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/id.h"

namespace reprise::sim {

// Ids that somebody made to collide are found as slowly as in a list, and no
// slower.
class TextIndex {
 public:
  // Forgets all. Memory for `count` texts is there, and is used again.
  void Clear(size_t count);

  // Whether one more needs a Clear with more room.
  bool is_full() const { return 2 * (count_ + 1) > slots_.size(); }

  // Puts a text in, or in another place. REQUIRES: it is not kNoId, and is
  // there or is_full() is false.
  void Set(Id text, uint64_t sequence);

  // The sequence of its row; nullopt where it isn't there.
  std::optional<uint64_t> Find(Id text) const;

  // Marks a text until the next Clear. Nothing where it isn't there.
  void Mark(Id text);
  bool IsMarked(Id text) const;

 private:
  struct Slot {
    Id text;  // kNoId: the slot is free
    uint64_t sequence = 0;
    bool is_marked = false;
  };

  // Of the text, or the free one that it would take. REQUIRES: there are slots.
  size_t PlaceOf(Id text) const;

  std::vector<Slot> slots_;  // a power of two, half of them free; or none
  uint32_t bits_ = 0;        // of a slot's number
  size_t count_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_INPUTS_TEXT_INDEX_H_
