// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/engine.h"

#include <utility>

namespace reprise::replays {
namespace {

// Of the whole program, as it is the program that it names.
std::string& Engine() {
  static std::string* const engine = new std::string();
  return *engine;
}

}  // namespace

std::string CurrentEngine() { return Engine(); }

void SetEngine(std::string engine) { Engine() = std::move(engine); }

}  // namespace reprise::replays
