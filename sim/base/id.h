// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Names as 64-bit numbers. An Id is the FNV-1a hash of a name, the same in
// every build and on every CPU, and a NameTable promises that within one
// simulation no two names share one.

#ifndef REPRISE_SIM_BASE_ID_H_
#define REPRISE_SIM_BASE_ID_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace reprise::sim {

struct Id {
  uint64_t value = 0;  // 0 is no name

  friend auto operator<=>(const Id&, const Id&) = default;
};

inline constexpr Id kNoId = {};

// Returns the FNV-1a 64-bit hash of the bytes of `name` (Fowler, Noll, Vo;
// offset basis and prime as published).
constexpr Id IdOf(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char character : name) {
    hash ^= static_cast<unsigned char>(character);
    hash *= 0x00000100000001b3;
  }
  return {hash};
}

// Longer than any full path of a pack that people would still read.
inline constexpr size_t kNameBytesMax = 1024;

// With this many names the odds of any collision are 1 in 2^25.
inline constexpr size_t kNamesMax = size_t{1} << 20;

// The names of one simulation, in the order of their ids, so that walking them
// is the same everywhere. Filled while a pack is loaded, read afterwards.
//
// One thread may write; any number may read once nobody writes.
class NameTable {
 public:
  // Adds `name` under IdOf(name). Adding a name again changes nothing.
  //
  // Fails with InvalidArgument for an empty name or one of more than
  // kNameBytesMax bytes, with AlreadyExists when another name has the same id
  // (both are named), and with ResourceExhausted beyond kNamesMax names. The
  // table is then as it was.
  absl::Status Add(std::string_view name);

  // As above with an id computed elsewhere: from a file that stores names
  // beside their ids, or from a test that needs a collision. kNoId is refused
  // with InvalidArgument.
  absl::Status Add(std::string_view name, Id id);

  // Returns the name of `id` for a report, or an empty view when it has none.
  // Valid as long as the table.
  std::string_view NameOf(Id id) const;

  // Every name by its id, in ascending order of ids.
  const std::map<Id, std::string>& names() const { return names_; }

 private:
  std::map<Id, std::string> names_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_ID_H_
