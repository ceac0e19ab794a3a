// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Names and lists as a plug-in gives them, which nobody has checked yet.

#ifndef REPRISE_SIM_PLUGINS_PLUGIN_TEXT_H_
#define REPRISE_SIM_PLUGINS_PLUGIN_TEXT_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "include/reprise/simulation.h"
#include "sim/base/object_id.h"

namespace reprise::sim {

// Far more than any game describes of one kind.
inline constexpr uint32_t kPluginItemsMax = 65536;

// INVALID_ARGUMENT for a null pointer, an empty or too long name, one with
// control characters or that isn't UTF-8; a unit may be null or empty.
absl::Status CheckName(const char* name);
absl::Status CheckUnit(const char* unit);

// The beginning of a name that may be anything, without what isn't printable.
std::string PrintableName(const char* name);

// What an object is called that has no name, or one that can't be: its number
// and, unless `why` is OK, the reason.
std::string NamelessObject(ObjectId object, const absl::Status& why);

// The same status with `where` in front of its message; OK as it is.
absl::Status At(std::string_view where, const absl::Status& status);

// The items of a list. What an older plug-in's items lack is zero, and what a
// newer one's have more is left out. INVALID_ARGUMENT for lists that can't be.
template <typename Item>
absl::StatusOr<std::vector<Item>> ReadList(const reprise_list& list) {
  if (list.count == 0) return std::vector<Item>();
  if (list.items == nullptr || list.item_size == 0 || list.item_size > 4096 ||
      list.count > kPluginItemsMax) {
    return absl::InvalidArgumentError(
        fmt::format("a list of {} items of {} bytes{} can't be", list.count,
                    list.item_size, list.items == nullptr ? " at null" : ""));
  }
  std::vector<Item> items(list.count);
  for (uint32_t i = 0; i < list.count; ++i) {
    std::memcpy(&items[i], REPRISE_ITEM(list, unsigned char, i),
                std::min<size_t>(sizeof(Item), list.item_size));
  }
  return items;
}

// A list of ours for a plug-in. Valid as long as `items` stay where they are.
template <typename Item>
reprise_list ListOf(const std::vector<Item>& items) {
  return {.items = items.data(),
          .count = static_cast<uint32_t>(items.size()),
          .item_size = sizeof(Item)};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_PLUGIN_TEXT_H_
