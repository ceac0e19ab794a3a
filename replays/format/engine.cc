// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/engine.h"

#include <mutex>
#include <utility>

namespace reprise::replays {
namespace {

struct Engine {
  std::mutex mutex;
  std::string name;
  std::string (*find)() = nullptr;  // null: the name is known
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

}  // namespace reprise::replays
