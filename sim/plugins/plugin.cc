// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/plugin.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "fmt/format.h"
#include "sim/plugins/plugin_text.h"

namespace reprise::sim {
namespace {

absl::Status WrongPlugin(const std::string& path, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", path, what));
}

}  // namespace

absl::StatusOr<Plugin> CheckPlugin(std::string path,
                                   const reprise_plugin* calls) {
  if (calls == nullptr) return WrongPlugin(path, "it describes nothing");
  // The two numbers stand in front in each version.
  if (calls->interface_version != REPRISE_INTERFACE_VERSION) {
    return WrongPlugin(
        path, fmt::format("it is of version {} of the interface, and this "
                          "program knows version {}",
                          calls->interface_version, REPRISE_INTERFACE_VERSION));
  }
  constexpr uint32_t kSizeMin = offsetof(reprise_plugin, outcome);
  if (calls->struct_size < kSizeMin) {
    return WrongPlugin(path, fmt::format("its description takes {} bytes, not "
                                         "{} or more",
                                         calls->struct_size, kSizeMin));
  }
  Plugin plugin{.path = std::move(path), .name = "", .calls = {}};
  std::memcpy(&plugin.calls, calls,
              std::min<size_t>(calls->struct_size, sizeof(plugin.calls)));
  const absl::Status named = CheckName(plugin.calls.name);
  if (!named.ok())
    return WrongPlugin(plugin.path, std::string(named.message()));
  plugin.name = plugin.calls.name;
  const std::pair<const char*, bool> calls_needed[] = {
      {"create", plugin.calls.create != nullptr},
      {"destroy", plugin.calls.destroy != nullptr},
      {"info", plugin.calls.info != nullptr},
      {"step", plugin.calls.step != nullptr},
      {"rows", plugin.calls.rows != nullptr},
      {"restore", plugin.calls.restore != nullptr}};
  for (const auto& [name, is_there] : calls_needed) {
    if (!is_there) {
      return WrongPlugin(plugin.path, fmt::format("it lacks `{}`", name));
    }
  }
  return plugin;
}

}  // namespace reprise::sim
