// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Names and lists as a plug-in gives them, which nobody has checked yet.

#ifndef REPRISE_SIM_PLUGINS_PLUGIN_TEXT_H_
#define REPRISE_SIM_PLUGINS_PLUGIN_TEXT_H_

#include <algorithm>
#include <cstddef>
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

// Far more than a struct of the interface will ever take.
inline constexpr uint32_t kPluginStructBytesMax = 4096;

// Bytes of a struct as the version of the interface first had it: the least
// that a library of the version gives. Those that have grown since stand below.
template <typename Struct>
inline constexpr uint32_t kSizeAtFirst = sizeof(Struct);
// All behind `restore` may be left out.
template <>
inline constexpr uint32_t kSizeAtFirst<reprise_plugin> =
    offsetof(reprise_plugin, outcome);
template <>
inline constexpr uint32_t kSizeAtFirst<reprise_info> = offsetof(reprise_info,
                                                                regions);

// INVALID_ARGUMENT for a null pointer, an empty or too long name, one with
// control characters or that isn't UTF-8; a unit may be null or empty.
absl::Status CheckName(const char* name);
absl::Status CheckUnit(const char* unit);

// The beginning of a name that may be anything, without what isn't printable.
std::string PrintableName(const char* name);

// An item of a list that a plug-in gives, as sentences call it: "field
// 'speed'", or "field 3", counted from 0, where it has no name.
std::string PluginItem(std::string_view kind, uint32_t index, const char* name);

// What an object is called that has no name, or one that can't be: its number
// and, unless `why` is OK, the reason.
std::string NamelessObject(ObjectId object, const absl::Status& why);

// The same status with `where` in front of its message; OK as it is.
absl::Status At(std::string_view where, const absl::Status& status);

// OK if a struct of `size` bytes, of which the first version had `size_min`,
// can be: compilers make it a multiple of its alignment, so that no pointer is
// cut. INVALID_ARGUMENT names it.
absl::Status CheckStructSize(std::string_view name, uint32_t size,
                             uint32_t size_min, uint32_t alignment);

// A struct that begins with its size, as a plug-in gives it by its address:
// what an older one's lacks is zero, and what a newer one's has more is left
// out. INVALID_ARGUMENT names one whose size can't be, or that is none.
template <typename Struct>
absl::StatusOr<Struct> ReadStruct(const Struct* given, std::string_view name) {
  if (given == nullptr) return absl::InvalidArgumentError("it was none");
  // No more of it may be there to be read.
  uint32_t size = 0;
  std::memcpy(&size, given, sizeof(size));
  const absl::Status status =
      CheckStructSize(name, size, kSizeAtFirst<Struct>, alignof(Struct));
  if (!status.ok()) return status;
  Struct result = {};
  std::memcpy(&result, given, std::min<size_t>(sizeof(Struct), size));
  return result;
}

// The items of a list. What an older plug-in's items lack is zero, and what a
// newer one's have more is left out. INVALID_ARGUMENT for lists that can't be.
template <typename Item>
absl::StatusOr<std::vector<Item>> ReadList(const reprise_list& list) {
  if (list.count == 0) return std::vector<Item>();
  if (list.items == nullptr || list.item_size < kSizeAtFirst<Item> ||
      list.item_size > kPluginStructBytesMax ||
      list.item_size % alignof(Item) != 0 || list.count > kPluginItemsMax) {
    return absl::InvalidArgumentError(fmt::format(
        "a list of {} items of {} bytes{} can't be: at most {}, of "
        "{} to {} bytes",
        list.count, list.item_size, list.items == nullptr ? " at null" : "",
        kPluginItemsMax, kSizeAtFirst<Item>, kPluginStructBytesMax));
  }
  std::vector<Item> items(list.count);
  for (uint32_t i = 0; i < list.count; ++i) {
    std::memcpy(&items[i], REPRISE_ITEM(list, unsigned char, i),
                std::min<size_t>(sizeof(Item), list.item_size));
  }
  return items;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_PLUGIN_TEXT_H_
