// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the script of a bot remembers from one decision to the next: named
// values, since scripts themselves keep nothing.

#ifndef REPRISE_SIM_BOTS_BOT_MEMORY_H_
#define REPRISE_SIM_BOTS_BOT_MEMORY_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// What fits on a page of notes, and stays small beside any world.
inline constexpr size_t kBotMemoriesMax = 256;
inline constexpr size_t kBotMemoryBytesMax = 1024;  // of a name, or a text

using BotMemoryValue = std::variant<double, std::string, Vector3>;

class BotMemory {
 public:
  // nullptr: nothing of that name is remembered.
  const BotMemoryValue* Find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }

  // Remembers a value, or forgets what has the name. INVALID_ARGUMENT beyond a
  // bound above.
  absl::Status Set(std::string_view name, std::optional<BotMemoryValue> value) {
    const auto* const text =
        value ? std::get_if<std::string>(&*value) : nullptr;
    if (name.size() > kBotMemoryBytesMax ||
        (text != nullptr && text->size() > kBotMemoryBytesMax)) {
      return absl::InvalidArgumentError(
          fmt::format("{} bytes are the most", kBotMemoryBytesMax));
    }
    const auto found = values_.find(name);
    if (found == values_.end()) {
      if (!value) return absl::OkStatus();
      if (values_.size() >= kBotMemoriesMax) {
        return absl::InvalidArgumentError(
            fmt::format("{} values are the most", kBotMemoriesMax));
      }
      changes_.emplace_back(std::string(name), std::nullopt);
      values_.emplace(std::string(name), *std::move(value));
      return absl::OkStatus();
    }
    changes_.emplace_back(std::string(name), std::move(found->second));
    if (value) {
      found->second = *std::move(value);
    } else {
      values_.erase(found);
    }
    return absl::OkStatus();
  }

  // All since the last Begin was right, or wrong: then it is as before.
  void Begin() { changes_.clear(); }
  void RollBack() {
    while (!changes_.empty()) {
      auto& [name, value] = changes_.back();
      if (value) {
        values_.insert_or_assign(name, *std::move(value));
      } else {
        values_.erase(name);
      }
      changes_.pop_back();
    }
  }

 private:
  std::map<std::string, BotMemoryValue, std::less<>> values_;
  // What there was before, oldest first.
  std::vector<std::pair<std::string, std::optional<BotMemoryValue>>> changes_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_BOT_MEMORY_H_
