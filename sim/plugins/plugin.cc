// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/plugin.h"

#include <string_view>
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
  const absl::StatusOr<reprise_plugin> read =
      ReadStruct(calls, "reprise_plugin");
  if (!read.ok())
    return WrongPlugin(path, std::string(read.status().message()));
  Plugin plugin{.path = std::move(path), .name = "", .calls = *read};
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
