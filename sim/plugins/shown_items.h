// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Memory of ours that a plug-in reads and mustn't write: items or one struct,
// the same once more, and a guard behind them, so that it shows if it does.

#ifndef REPRISE_SIM_PLUGINS_SHOWN_ITEMS_H_
#define REPRISE_SIM_PLUGINS_SHOWN_ITEMS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "include/reprise/simulation.h"
#include "sim/plugins/foreign_call.h"

namespace reprise::sim {

// Keeps its memory from one use to the next.
template <typename Item>
class ShownItems {
 public:
  static_assert(std::is_trivially_copyable_v<Item>);

  // Forgets all; `count` items will not move. REQUIRES of all others: Reset
  // was called once.
  void Reset(size_t count) {
    items_.clear();
    items_.reserve(count + kGuardItems);
  }

  // REQUIRES: there is room for it, and Seal wasn't called since.
  Item& Add(const Item& item) { return items_.emplace_back(item); }
  Item& operator[](size_t index) { return items_[index]; }

  size_t size() const { return items_.size(); }
  const Item* data() const { return items_.data(); }

  // Those from `first` on that are there by now.
  reprise_list From(size_t first) const {
    return {.items = items_.data() + first,
            .count = static_cast<uint32_t>(items_.size() - first),
            .item_size = sizeof(Item)};
  }

  // Behind the last Add, and before a plug-in sees them.
  void Seal() {
    shown_bytes_ = items_.size() * sizeof(Item);
    items_.resize(items_.size() + kGuardItems);
    std::memset(bytes() + shown_bytes_, kPluginGuard, kGuardBytes);
    copy_.resize(shown_bytes_ + kGuardBytes);
    std::memcpy(copy_.data(), bytes(), copy_.size());
  }

  // ABORTED: they aren't what they were at the last Seal, or what is behind
  // them isn't. `what` they are: "the players".
  absl::Status Check(std::string_view what) const {
    if (std::memcmp(bytes(), copy_.data(), copy_.size()) == 0) {
      return absl::OkStatus();
    }
    const bool is_behind =
        std::memcmp(bytes(), copy_.data(), shown_bytes_) == 0;
    return absl::AbortedError(fmt::format("it wrote {} {} that it was shown",
                                          is_behind ? "behind" : "into", what));
  }

 private:
  static constexpr size_t kGuardItems =
      (kPluginGuardBytes + sizeof(Item) - 1) / sizeof(Item);
  static constexpr size_t kGuardBytes = kGuardItems * sizeof(Item);

  std::byte* bytes() { return reinterpret_cast<std::byte*>(items_.data()); }
  const std::byte* bytes() const {
    return reinterpret_cast<const std::byte*>(items_.data());
  }

  std::vector<Item> items_;  // and the guard
  size_t shown_bytes_ = 0;   // without it
  std::vector<std::byte> copy_;
};

// The same of one struct, without memory of its own.
template <typename Struct>
class ShownStruct {
 public:
  static_assert(std::is_trivially_copyable_v<Struct>);

  explicit ShownStruct(const Struct& value)
      : value_(new (bytes_.data()) Struct(value)) {
    std::memcpy(copy_.data(), bytes_.data(), sizeof(Struct));
  }
  ShownStruct(const ShownStruct&) = delete;
  ShownStruct& operator=(const ShownStruct&) = delete;

  const Struct* get() const { return value_; }

  // ABORTED: it isn't what it was, or what is behind it isn't. `what` it is:
  // "reprise_step_arguments".
  absl::Status Check(std::string_view what) const {
    if (std::memcmp(bytes_.data(), copy_.data(), sizeof(Struct)) != 0) {
      return absl::AbortedError(
          fmt::format("it wrote into {} that it was shown", what));
    }
    return bytes_.Check(what);
  }

 private:
  GuardedText<sizeof(Struct)> bytes_;
  const Struct* const value_;
  std::array<char, sizeof(Struct)> copy_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_SHOWN_ITEMS_H_
