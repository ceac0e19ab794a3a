// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/script_reloads/script_revision.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/bots/script_bot.h"
#include "sim/script/script_machine.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_hooks.h"
#include "sim/systems/scripts/script_states.h"

namespace reprise::sim {
namespace {

absl::Status Mistake(std::string_view file, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", file, what));
}

// Whether a pack that has `old` can do with `revised`.
absl::Status CheckDeclaration(std::string_view file,
                              const ScriptDeclaration& old,
                              const ScriptDeclaration& revised) {
  const std::pair<std::string_view, bool> wishes[] = {
      {"reads_others", revised.reads_others && !old.reads_others},
      {"queries", revised.queries && !old.queries},
      {"marks_timelines", revised.marks_timelines && !old.marks_timelines}};
  for (const auto& [wish, is_new] : wishes) {
    if (!is_new) continue;
    return Mistake(file, fmt::format("'{}' is new: the pack's script has to "
                                     "say it from the start",
                                     wish));
  }
  if (revised.states.empty() != old.states.empty()) {
    return Mistake(file, old.states.empty()
                             ? "states where the pack's script has none"
                             : "no states where the pack's script has some");
  }
  for (const ScriptParameterDeclaration& parameter : revised.parameters) {
    const auto known = std::ranges::find(old.parameters, parameter.name,
                                         &ScriptParameterDeclaration::name);
    if (known == old.parameters.end()) {
      return Mistake(file, fmt::format("the parameter '{}' is new: the pack "
                                       "gives it no value",
                                       parameter.name));
    }
    if (known->default_value.type() != parameter.default_value.type()) {
      return Mistake(file, fmt::format("the parameter '{}' has another type",
                                       parameter.name));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFile(std::string_view file, ScriptMachine& old,
                       ScriptMachine& revised) {
  const auto was = ReadDeclaration(old, file);
  CHECK(was.ok(), "{}", was.status().ToString());
  const auto is = ReadDeclaration(revised, file);
  if (!is.ok()) return is.status();
  const std::vector<ScriptMistake> mistakes = StateMistakes(revised, file);
  if (!mistakes.empty()) {
    const ScriptMistake& first = mistakes.front();
    return Mistake(first.line == 0 ? std::string(file)
                                   : fmt::format("{}:{}", file, first.line),
                   first.what);
  }
  return CheckDeclaration(file, *was, *is);
}

// Whether bots can decide by other sources.
absl::Status CheckBots(std::span<const BotDescription> bots,
                       const std::map<Id, std::string>& sources) {
  for (const BotDescription& bot : bots) {
    BotDescription revised = bot;
    revised.scripts = WithSources(std::move(revised.scripts), sources);
    if (revised.scripts == bot.scripts) continue;
    const absl::Status status = MakeScriptBot(revised).status();
    if (status.ok()) continue;
    return absl::Status(
        status.code(),
        fmt::format("the bot {}: {}", bot.name, std::string(status.message())));
  }
  return absl::OkStatus();
}

// Whether each source has a script that it is of.
bool HasAll(const ScriptsDefinition& scripts,
            std::span<const BotDescription> bots,
            const std::map<Id, std::string>& sources) {
  std::set<Id> known;
  for (const ScriptFile& file : scripts.program->files()) {
    known.insert(IdOf(file.name));
  }
  for (const BotDescription& bot : bots) {
    for (const BotScript& script : bot.scripts) known.insert(IdOf(script.name));
  }
  return std::ranges::all_of(
      sources, [&](const auto& each) { return known.contains(each.first); });
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ScriptProgram>> ReviseProgram(
    const ScriptsDefinition& scripts, std::span<const BotDescription> bots,
    const std::map<Id, std::string>& sources) {
  if (!HasAll(scripts, bots, sources)) {
    return absl::NotFoundError("the pack has no such script");
  }
  std::vector<ScriptFile> files = scripts.program->files();
  for (ScriptFile& file : files) {
    const auto source = sources.find(IdOf(file.name));
    if (source != sources.end()) file.source = source->second;
  }
  auto program = ScriptProgram::Compile(std::move(files));
  if (!program.ok()) return program.status();
  auto revised = ScriptMachine::Create(*program, WorldScriptApi());
  if (!revised.ok()) return revised.status();
  const auto old = ScriptMachine::Create(scripts.program, WorldScriptApi());
  CHECK(old.ok(), "{}", old.status().ToString());
  for (const std::string& file : scripts.files) {
    const absl::Status status = CheckFile(file, **old, **revised);
    if (!status.ok()) return status;
  }
  const absl::Status status = CheckBots(bots, sources);
  if (!status.ok()) return status;
  return *std::move(program);
}

}  // namespace reprise::sim
