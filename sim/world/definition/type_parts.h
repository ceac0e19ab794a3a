// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a type of a pack has of each system, such as that its objects walk.

#ifndef REPRISE_SIM_WORLD_DEFINITION_TYPE_PARTS_H_
#define REPRISE_SIM_WORLD_DEFINITION_TYPE_PARTS_H_

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace reprise::sim {

// At most one part of each class. A part says its name, which no other class
// has:
//
//   struct RollerUse {
//     static constexpr std::string_view kPart = "roller";
//     ...
//   };
class TypeParts {
 public:
  // Null when there is none.
  template <typename Part>
  const Part* Find() const {
    for (const Entry& entry : entries_) {
      if (entry.name == Part::kPart) {
        return static_cast<const Part*>(entry.part.get());
      }
    }
    return nullptr;
  }

  // Takes the place of one that is there.
  template <typename Part>
  void Set(Part part) {
    auto owned = std::make_shared<const Part>(std::move(part));
    for (Entry& entry : entries_) {
      if (entry.name != Part::kPart) continue;
      entry.part = std::move(owned);
      return;
    }
    entries_.push_back({.name = Part::kPart, .part = std::move(owned)});
  }

 private:
  struct Entry {
    std::string_view name;
    std::shared_ptr<const void> part;
  };
  std::vector<Entry> entries_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEFINITION_TYPE_PARTS_H_
