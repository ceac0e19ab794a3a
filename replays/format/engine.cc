// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/engine.h"

#include <map>
#include <mutex>
#include <utility>

namespace reprise::replays {
namespace {

struct PluginName {
  std::string name;
  std::function<std::string()> find;  // none: the name is known
};

struct Engine {
  std::mutex mutex;
  std::string name;
  std::string (*find)() = nullptr;            // null: the name is known
  std::map<std::string, PluginName> plugins;  // by simulation
};

// Of the whole program, as it is the program that it names.
Engine& TheEngine() {
  static Engine* const engine = new Engine();
  return *engine;
}

}  // namespace

std::string CurrentEngine() {
  Engine& engine = TheEngine();
  const std::scoped_lock lock(engine.mutex);
  if (engine.find != nullptr) {
    engine.name = std::exchange(engine.find, nullptr)();
  }
  return engine.name;
}

void SetEngine(std::string engine) {
  TheEngine().name = std::move(engine);
  TheEngine().find = nullptr;
}

void SetEngineFinder(std::string (*find)()) { TheEngine().find = find; }

std::string CurrentPlugin(const std::string& simulation) {
  Engine& engine = TheEngine();
  const std::scoped_lock lock(engine.mutex);
  const auto plugin = engine.plugins.find(simulation);
  if (plugin == engine.plugins.end()) return "";
  auto& [name, find] = plugin->second;
  if (find) name = std::exchange(find, nullptr)();
  return name;
}

void SetPluginFinder(const std::string& simulation,
                     std::function<std::string()> find) {
  TheEngine().plugins[simulation] = {.name = "", .find = std::move(find)};
}

}  // namespace reprise::replays
