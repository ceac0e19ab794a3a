// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/used_variables.h"

#include <cstdlib>
#include <map>
#include <mutex>

#include "fmt/format.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {
namespace {

struct UsedVariables {
  std::mutex mutex;
  std::map<std::string, std::string> values;  // by name
};

UsedVariables& Used() {
  static UsedVariables& used = *new UsedVariables;
  return used;
}

}  // namespace

std::string UseVariable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return "";
  UsedVariables& used = Used();
  const std::lock_guard lock(used.mutex);
  return used.values[name] = value;
}

std::string FormatReproduction(std::span<const std::string> arguments) {
  std::string text;
  UsedVariables& used = Used();
  const std::lock_guard lock(used.mutex);
  for (const auto& [name, value] : used.values) {
    text += fmt::format("{}={} ", name, ShellQuote(value));
  }
  return text + FormatCommandLine(arguments);
}

}  // namespace reprise::tools
