// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/plugin_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "include/reprise/simulation.h"
#include "replays/format/engine.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"
#include "sim/plugins/plugin_simulation.h"
#include "sim/simulation_registry.h"
#include "tools/reprise/terminal/program_digest.h"

namespace reprise::tools {
namespace {

constexpr const char* kExport = "reprise_plugin_describe";

absl::Status WrongLibrary(const std::string& path, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", path, what));
}

// By its bytes where they can still be read.
std::string NameOf(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  const absl::StatusOr<sim::ContentDigest> digest = DigestOfFile(path);
  return digest.ok() ? fmt::format("{} {}", name, sim::FormatDigest(*digest))
                     : name;
}

}  // namespace

absl::StatusOr<sim::Plugin> LoadPlugin(const std::string& path) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::absolute(path, error);
  if (error || !std::filesystem::exists(file, error)) {
    return absl::NotFoundError(fmt::format("{}: there is no such file", path));
  }
  // Symbols of one plug-in don't reach another, and all are looked up now, not
  // in the middle of a tick. It is never closed: threads and handlers of a
  // library outlive what opened it.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    return WrongLibrary(path,
                        reason == nullptr ? "it can't be loaded" : reason);
  }
  const auto describe =
      reinterpret_cast<reprise_plugin_function>(dlsym(library, kExport));
  if (describe == nullptr) {
    return WrongLibrary(
        path, fmt::format("it is no plug-in: it exports no {}", kExport));
  }
  return sim::CheckPlugin(path, describe());
}

absl::Status RegisterPlugins(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    absl::StatusOr<sim::Plugin> loaded = LoadPlugin(path);
    if (!loaded.ok()) return loaded.status();
    const std::vector<std::string> names = sim::SimulationNames();
    if (std::ranges::find(names, loaded->name) != names.end()) {
      return absl::AlreadyExistsError(fmt::format(
          "{}: there is a simulation '{}' already", path, loaded->name));
    }
    // Not before somebody asks: it may be large.
    replays::SetPluginFinder(loaded->name, [path] { return NameOf(path); });
    const auto plugin = std::make_shared<const sim::Plugin>(*std::move(loaded));
    sim::RegisterSimulation(
        plugin->name, [plugin](const sim::PackArchive& pack, uint64_t seed) {
          return sim::PluginSimulation::Create(plugin, pack, seed);
        });
  }
  return absl::OkStatus();
}

}  // namespace reprise::tools
