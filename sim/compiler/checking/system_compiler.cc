// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/system_compiler.h"

#include <algorithm>
#include <utility>

namespace reprise::sim {
namespace {

std::vector<SystemModule>& Registry() {
  static std::vector<SystemModule> registry;
  return registry;
}

}  // namespace

bool RegisterSystem(SystemModule module) {
  RegisterSystemDeclaration(module.declaration);
  Registry().push_back(std::move(module));
  return true;
}

const std::vector<SystemModule>& RegisteredSystems() {
  // All are registered before main(); names are unique, or refused.
  static const std::vector<SystemModule> kSorted = [] {
    std::vector<SystemModule> systems = Registry();
    std::ranges::stable_sort(systems, {}, [](const SystemModule& module) {
      return module.declaration->name;
    });
    return systems;
  }();
  return kSorted;
}

}  // namespace reprise::sim
