// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/inputs/text_index.h"

#include <bit>

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// 2^64 over the golden ratio: what differs in the low bits of ids differs in
// the high ones of the product (Knuth, The Art of Computer Programming, 6.4).
constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;

}  // namespace

void TextIndex::Clear(size_t count) {
  const size_t size = std::bit_ceil(2 * (count + 1));
  bits_ = static_cast<uint32_t>(std::countr_zero(size));
  count_ = 0;
  slots_.assign(size, Slot());
}

void TextIndex::Set(Id text, uint64_t sequence) {
  CHECK(text != kNoId);
  CHECK(!slots_.empty());
  Slot& slot = slots_[PlaceOf(text)];
  if (slot.text == kNoId) {
    CHECK(!is_full(), "{} texts", count_);
    slot.text = text;
    ++count_;
  }
  slot.sequence = sequence;
}

std::optional<uint64_t> TextIndex::Find(Id text) const {
  if (slots_.empty() || text == kNoId) return std::nullopt;
  const Slot& slot = slots_[PlaceOf(text)];
  if (slot.text == kNoId) return std::nullopt;
  return slot.sequence;
}

void TextIndex::Mark(Id text) {
  if (slots_.empty() || text == kNoId) return;
  Slot& slot = slots_[PlaceOf(text)];
  if (slot.text != kNoId) slot.is_marked = true;
}

bool TextIndex::IsMarked(Id text) const {
  return !slots_.empty() && slots_[PlaceOf(text)].is_marked;
}

size_t TextIndex::PlaceOf(Id text) const {
  size_t place =
      static_cast<size_t>((text.value * kMultiplier) >> (64 - bits_));
  while (slots_[place].text != kNoId && slots_[place].text != text) {
    place = (place + 1) & (slots_.size() - 1);
  }
  return place;
}

}  // namespace reprise::sim
