// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The keys of a keyboard that are held. A key is known by its number on the
// keyboard page (0x07) of the USB HID usage tables, as packs and clients give
// it: key.proto has their names.

#ifndef REPRISE_SIM_INPUT_KEY_SET_H_
#define REPRISE_SIM_INPUT_KEY_SET_H_

#include <array>
#include <cstdint>

#include "sim/base/field.h"

namespace reprise::sim {

// 0 to 3 are no keys but reports of errors, and those behind the modifiers are
// reserved.
inline constexpr uint32_t kKeyMin = 4;
inline constexpr uint32_t kKeyMax = 231;

struct KeySet {
  // Bit k % 64 of word k / 64 is set while key k is held.
  std::array<uint64_t, 4> bits = {};

  // REQUIRES of all: key <= kKeyMax.
  constexpr bool Has(uint32_t key) const {
    return (bits[key / 64] >> (key % 64) & 1) != 0;
  }
  constexpr void Add(uint32_t key) {
    bits[key / 64] |= uint64_t{1} << (key % 64);
  }
  constexpr void Remove(uint32_t key) {
    bits[key / 64] &= ~(uint64_t{1} << (key % 64));
  }

  friend bool operator==(const KeySet&, const KeySet&) = default;
};

template <>
struct FieldTraits<KeySet> {
  static constexpr ScalarType kScalar = ScalarType::kUint64;
  static constexpr FieldShape kShape = FieldShape::kArray;
  static constexpr uint32_t kCount = 4;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_KEY_SET_H_
