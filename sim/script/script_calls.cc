// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_calls.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/nearest_name.h"
#include "sim/script/functions/script_function.h"
#include "sim/script/functions/script_library.h"

namespace reprise::sim {
namespace {

using Names = std::set<std::string, std::less<>>;

// What Lua has elsewhere, with what scripts have for it: those of the game, and
// those of bots.
struct Lacking {
  std::string_view name;
  std::string_view instead;  // empty: nothing
  std::string_view instead_for_bots = instead;
};
constexpr auto kLackingGlobals = std::to_array<Lacking>({
    {"collectgarbage", ""},
    {"debug", ""},
    {"dofile", "require"},
    {"io", ""},
    {"load", "require"},
    {"loadfile", "require"},
    {"loadstring", "require"},
    {"os", "world.tick for the time", "view.tick for the time"},
    {"package", "require"},
    {"print", "log.info", "bot.log"},
    {"unpack", "table.unpack"},
    {"warn", "log.warning", "bot.log"},
});
constexpr auto kLackingFunctions = std::to_array<Lacking>({
    {"math.pow", "the operator ^"},
    {"math.random", "world.random or world.random_integer",
     "bot.random or bot.random_integer"},
    {"math.randomseed", "the seed of the run"},
    {"table.getn", "the operator #"},
});

bool IsOther(const std::vector<ScriptToken>& tokens, size_t index,
             std::string_view text) {
  return index < tokens.size() &&
         tokens[index].kind == ScriptTokenKind::kOther &&
         tokens[index].text == text;
}

bool IsName(const std::vector<ScriptToken>& tokens, size_t index) {
  return index < tokens.size() && tokens[index].kind == ScriptTokenKind::kName;
}

// Whether what stands there is a field of something.
bool IsField(const std::vector<ScriptToken>& tokens, size_t index) {
  return index > 0 &&
         (IsOther(tokens, index - 1, ".") || IsOther(tokens, index - 1, ":"));
}

// Whether the name there begins a call, or leads to a field.
bool IsUsed(const std::vector<ScriptToken>& tokens, size_t index) {
  const size_t behind = index + 1;
  return IsOther(tokens, behind, ".") || IsOther(tokens, behind, ":") ||
         IsOther(tokens, behind, "(") ||
         (behind < tokens.size() &&
          tokens[behind].kind == ScriptTokenKind::kString);
}

// Names that stand anywhere else than before a call or a field: as variables
// and arguments of the source's own, and as keys.
Names OwnNames(const std::vector<ScriptToken>& tokens) {
  Names names;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!IsName(tokens, i) || IsField(tokens, i)) continue;
    const bool is_declared =
        i > 0 && IsName(tokens, i - 1) &&
        (tokens[i - 1].text == "local" || tokens[i - 1].text == "function");
    if (is_declared || !IsUsed(tokens, i)) names.insert(tokens[i].text);
  }
  return names;
}

// Of each table of Lua's libraries and of `api` what is in it.
std::map<std::string, std::vector<std::string_view>, std::less<>> TablesOf(
    const ScriptApi& api) {
  std::map<std::string, std::vector<std::string_view>, std::less<>> tables;
  for (const ScriptLibrary& library : ScriptLibraries()) {
    if (library.name.empty()) continue;
    tables[std::string(library.name)].assign(library.names.begin(),
                                             library.names.end());
  }
  for (const ScriptFunction& function : api.functions()) {
    const std::string table = ScriptTableOf(function);
    if (table.empty()) continue;
    tables[table].push_back(
        std::string_view(function.name).substr(table.size() + 1));
  }
  return tables;
}

// "; scripts have log.info", or what is most like it.
std::string MeantBy(std::string_view name, std::span<const Lacking> lacking,
                    bool is_of_bot) {
  const auto found = std::ranges::find(lacking, name, &Lacking::name);
  if (found == lacking.end() || found->instead.empty()) return "";
  return fmt::format("; scripts have {}",
                     is_of_bot ? found->instead_for_bots : found->instead);
}

std::string MeantIn(std::string_view table, std::string_view name,
                    std::span<const std::string_view> names) {
  const std::string_view nearest = NearestName(name, names);
  if (nearest.empty()) return "";
  return fmt::format("; did you mean '{}.{}'?", table, nearest);
}

}  // namespace

std::vector<ScriptMisnomer> MissingFunctions(
    const std::vector<ScriptToken>& tokens, const ScriptApi& api) {
  const auto tables = TablesOf(api);
  const bool is_of_bot = tables.contains("bot");
  const Names own = OwnNames(tokens);
  std::vector<ScriptMisnomer> missing;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string& name = tokens[i].text;
    if (!IsName(tokens, i) || IsField(tokens, i) || own.contains(name)) {
      continue;
    }
    const auto table = tables.find(name);
    if (table == tables.end()) {
      if (std::ranges::find(kLackingGlobals, name, &Lacking::name) ==
          kLackingGlobals.end()) {
        continue;
      }
      missing.push_back(
          {.what = fmt::format("scripts don't have Lua's '{}'{}", name,
                               MeantBy(name, kLackingGlobals, is_of_bot)),
           .line = tokens[i].line});
      continue;
    }
    if (!IsOther(tokens, i + 1, ".") || !IsName(tokens, i + 2)) continue;
    const std::string& field = tokens[i + 2].text;
    if (std::ranges::find(table->second, field) != table->second.end()) {
      continue;
    }
    const std::string whole = fmt::format("{}.{}", name, field);
    const std::string instead = MeantBy(whole, kLackingFunctions, is_of_bot);
    missing.push_back(
        {.what = fmt::format(
             "there is no function '{}'{}", whole,
             instead.empty() ? MeantIn(name, field, table->second) : instead),
         .line = tokens[i + 2].line});
  }
  return missing;
}

}  // namespace reprise::sim
