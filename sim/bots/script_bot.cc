// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/bots/script_bot.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/bots/bot_memory.h"
#include "sim/bots/script_turn.h"
#include "sim/script/functions/script_error.h"
#include "sim/script/script_machine.h"
#include "sim/script/script_program.h"

namespace reprise::sim {
namespace {

// A decision makes few and small things; a runaway one is to stop soon.
constexpr int64_t kDecisionBytes = 4 << 20;

class ScriptBot final : public Bot {
 public:
  explicit ScriptBot(const BotDescription* description)
      : description_(*description) {}

  absl::Status Load(bool is_profiled) {
    std::vector<ScriptFile> files;
    for (const BotScript& script : description_.scripts) {
      files.push_back({.name = script.name, .source = script.source});
    }
    absl::StatusOr<std::shared_ptr<const ScriptProgram>> program =
        ScriptProgram::Compile(std::move(files));
    if (!program.ok()) return program.status();
    const ScriptLimits limits = {
        .call_instructions = description_.instructions_max,
        .call_bytes = kDecisionBytes};
    absl::StatusOr<std::unique_ptr<ScriptMachine>> machine =
        ScriptMachine::Create(*std::move(program), BotScriptApi(), limits,
                              is_profiled);
    if (!machine.ok()) return machine.status();
    const std::optional<ScriptEntry> decide =
        (*machine)->Find(description_.script, "decide");
    if (!decide) {
      return absl::InvalidArgumentError(
          fmt::format("{}: it returns no table with a function 'decide'",
                      description_.script));
    }
    if (machine_ != nullptr && is_counted_) {
      replaced_.push_back(std::move(machine_));
    }
    machine_ = *std::move(machine);
    is_counted_ = is_profiled;
    decide_ = *decide;
    return absl::OkStatus();
  }

  absl::Status Decide(BotTurn& turn) override {
    ScriptTurn context = {
        .turn = turn, .memory = memory_, .description = description_};
    memory_.Begin();
    const std::optional<ScriptError> error =
        machine_->Call(decide_, {}, &context);
    if (!error) return absl::OkStatus();
    memory_.RollBack();
    return error->ToStatus();
  }

  absl::Status TakeScripts() override { return Load(is_counted_); }

  void CountScripts() override {
    const absl::Status status = Load(/*is_profiled=*/true);
    CHECK(status.ok(), "{}", status.ToString());  // it was loaded before
  }

  std::vector<const ScriptMachine*> counting_machines() const override {
    std::vector<const ScriptMachine*> machines;
    if (!is_counted_) return machines;
    for (const auto& machine : replaced_) machines.push_back(machine.get());
    machines.push_back(machine_.get());
    return machines;
  }

 private:
  const BotDescription& description_;
  std::unique_ptr<ScriptMachine> machine_;
  bool is_counted_ = false;
  // What counted before other scripts took their place.
  std::vector<std::unique_ptr<ScriptMachine>> replaced_;
  ScriptEntry decide_;
  BotMemory memory_;
};

}  // namespace

std::vector<BotScript> WithSources(std::vector<BotScript> scripts,
                                   const std::map<Id, std::string>& sources) {
  for (BotScript& script : scripts) {
    const auto source = sources.find(IdOf(script.name));
    if (source != sources.end()) script.source = source->second;
  }
  return scripts;
}

absl::StatusOr<std::unique_ptr<Bot>> MakeScriptBot(
    const BotDescription& description) {
  auto bot = std::make_unique<ScriptBot>(&description);
  absl::Status status = bot->Load(/*is_profiled=*/false);
  if (!status.ok()) return status;
  return bot;
}

}  // namespace reprise::sim
