// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the numbers of an enumeration are called: a list beside it, from which
// whoever shows state takes the names.
//
//   inline constexpr auto kDoorStatusNames = std::to_array<ValueName>({
//       {DoorStatus::kClosed, "closed"},
//       {DoorStatus::kOpen, "open"},
//   });

#ifndef REPRISE_SIM_BASE_VALUE_NAME_H_
#define REPRISE_SIM_BASE_VALUE_NAME_H_

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace reprise::sim {

struct ValueName {
  template <typename Value>
  requires std::is_enum_v<Value> || std::integral<Value>
  constexpr ValueName(Value named_value, std::string_view its_name)
      : value(static_cast<int64_t>(named_value)), name(its_name) {}

  int64_t value;
  std::string_view name;  // outlives whoever keeps it: a literal
};

// The name of `value`; empty where it has none.
template <typename Value>
constexpr std::string_view NameOfValue(std::span<const ValueName> names,
                                       Value value) {
  for (const ValueName& entry : names) {
    if (entry.value == static_cast<int64_t>(value)) return entry.name;
  }
  return {};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_VALUE_NAME_H_
