// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_states.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <variant>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/base/nearest_name.h"
#include "sim/script/script_program.h"
#include "sim/script/script_tokens.h"

namespace reprise::sim {
namespace {

constexpr auto kStateKeys =
    std::to_array<std::string_view>({"enter", "exit", "update", "after_physics",
                                     "on", "steps", "finished", "next"});
constexpr auto kStateFunctions = std::to_array<std::string_view>(
    {"enter", "exit", "update", "after_physics", "finished"});
constexpr double kWaitMaxTicks = 1e9;

// A kind of steps, as scripts write it.
struct StepWords {
  ScriptStepKind kind;
  std::string_view word;
  std::string_view amount;  // the key of what it also needs
};
constexpr auto kStepWords = std::to_array<StepWords>({
    {ScriptStepKind::kWait, "wait", ""},
    {ScriptStepKind::kWaitUntil, "wait_until", ""},
    {ScriptStepKind::kMoveTo, "move_to", "speed"},
    {ScriptStepKind::kPlay, "play", "ticks"},
    {ScriptStepKind::kCall, "call", ""},
});

bool Has(const std::vector<std::string>& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

std::string TextIn(const ScriptValue& value) {
  const auto* const text = std::get_if<std::string_view>(&value);
  return text == nullptr ? std::string() : std::string(*text);
}

std::optional<double> NumberIn(const ScriptValue& value) {
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  if (const auto* const integer = std::get_if<int64_t>(&value)) {
    return static_cast<double>(*integer);
  }
  return std::nullopt;
}

ScriptArgument ArgumentAt(ScriptMachine& machine, std::string_view file,
                          const std::string& path) {
  ScriptArgument argument{.function = machine.Find(file, path)};
  const ScriptValue value = machine.Value(file, path);
  argument.number = NumberIn(value).value_or(0.0);
  if (const auto* const vector = std::get_if<Vector3>(&value)) {
    argument.vector = *vector;
  }
  return argument;
}

const StepWords* WordsOf(const std::vector<std::string>& keys) {
  const auto found = std::ranges::find_if(
      kStepWords,
      [&](const StepWords& words) { return Has(keys, words.word); });
  return found == kStepWords.end() ? nullptr : &*found;
}

// A function, or the name of one of the file's table.
std::optional<ScriptEntry> FunctionAt(ScriptMachine& machine,
                                      std::string_view file,
                                      const std::string& path) {
  const std::string name = TextIn(machine.Value(file, path));
  return machine.Find(file, name.empty() ? path : name);
}

ScriptStep StepAt(ScriptMachine& machine, std::string_view file,
                  const std::string& path) {
  const StepWords* const words = WordsOf(machine.Keys(file, path));
  CHECK(words != nullptr);
  const std::string own = fmt::format("{}.{}", path, words->word);
  ScriptStep step{.kind = words->kind};
  switch (words->kind) {
    case ScriptStepKind::kWait:
      step.amount = ArgumentAt(machine, file, own);
      break;
    case ScriptStepKind::kMoveTo:
      step.to = ArgumentAt(machine, file, own);
      step.amount = ArgumentAt(machine, file, path + ".speed");
      break;
    case ScriptStepKind::kPlay:
      step.timeline = IdOf(TextIn(machine.Value(file, own)));
      step.amount = ArgumentAt(machine, file, path + ".ticks");
      break;
    case ScriptStepKind::kWaitUntil:
    case ScriptStepKind::kCall:
      step.function = FunctionAt(machine, file, own);
      break;
  }
  return step;
}

// By state, as its source has them.
std::map<std::string, std::vector<int>> StepLines(const ScriptMachine& machine,
                                                  std::string_view file) {
  const int index = machine.program().Find(file);
  if (index < 0) return {};
  return LinesOfSteps(TokensOfScript(machine.program().files()[index].source));
}

ScriptState StateAt(ScriptMachine& machine, std::string_view file,
                    const std::string& name) {
  const std::string path = "states." + name;
  ScriptState state{
      .name = IdOf(name),
      .text = name,
      .enter = machine.Find(file, path + ".enter"),
      .exit = machine.Find(file, path + ".exit"),
      .update = machine.Find(file, path + ".update"),
      .after_physics = machine.Find(file, path + ".after_physics"),
      .finished = machine.Find(file, path + ".finished")};
  for (const std::string& event : machine.Keys(file, path + ".on")) {
    state.handlers.emplace_back(
        IdOf(event), machine.Find(file, fmt::format("{}.on.{}", path, event)));
  }
  // A total order: events differ.
  std::ranges::sort(state.handlers, {},
                    [](const auto& each) { return each.first; });
  const int64_t steps = machine.ListSize(file, path + ".steps");
  for (int64_t step = 1; step <= steps; ++step) {
    state.steps.push_back(
        StepAt(machine, file, fmt::format("{}.steps.{}", path, step)));
  }
  const std::string next = TextIn(machine.Value(file, path + ".next"));
  if (!next.empty()) state.next = IdOf(next);
  return state;
}

// Gathers what is wrong with the states of one file.
class StateChecker {
 public:
  StateChecker(ScriptMachine& machine, std::string_view file)
      : machine_(machine), file_(file), names_(machine.Keys(file, "states")) {}

  std::vector<ScriptMistake> Check() {
    if (names_.empty()) return {};
    if (names_.size() > kScriptStatesMax) {
      Add(fmt::format("more than {} states", kScriptStatesMax), "states");
      return std::move(mistakes_);
    }
    CheckNamesState("initial", "initial", /*is_needed=*/true);
    for (const std::string& name : names_) CheckState(name);
    return std::move(mistakes_);
  }

 private:
  void Add(std::string what, std::string_view word, int line = 0) {
    mistakes_.push_back(
        {.what = std::move(what), .word = std::string(word), .line = line});
  }

  void CheckNamesState(const std::string& path, std::string_view key,
                       bool is_needed) {
    const std::string name = TextIn(machine_.Value(file_, path));
    if (name.empty()) {
      if (is_needed || Has(KeysAround(path), key)) {
        Add(fmt::format("'{}' names no state; there are {}", path,
                        fmt::join(names_, ", ")),
            is_needed ? "states" : key);
      }
      return;
    }
    if (Has(names_, name)) return;
    const std::vector<std::string_view> known(names_.begin(), names_.end());
    Add(fmt::format("there is no state '{}'{}", name, DidYouMean(name, known)),
        name);
  }

  std::vector<std::string> KeysAround(const std::string& path) {
    const size_t dot = path.rfind('.');
    return machine_.Keys(file_,
                         dot == std::string::npos ? "" : path.substr(0, dot));
  }

  void CheckState(const std::string& name) {
    const std::string path = "states." + name;
    const std::vector<std::string> keys = machine_.Keys(file_, path);
    for (const std::string& key : keys) {
      if (std::ranges::find(kStateKeys, key) == kStateKeys.end()) {
        Add(fmt::format("a state has no '{}'{}", key,
                        DidYouMean(key, kStateKeys)),
            key);
      }
    }
    for (const std::string_view key : kStateFunctions) {
      if (Has(keys, key) &&
          !machine_.Find(file_, fmt::format("{}.{}", path, key)).has_value()) {
        Add(fmt::format("'{}.{}' is no function", path, key), name);
      }
    }
    for (const std::string& event : machine_.Keys(file_, path + ".on")) {
      CheckHandler(fmt::format("{}.on.{}", path, event), event);
    }
    CheckNamesState(path + ".next", "next", /*is_needed=*/false);
    CheckSteps(path, name, Has(keys, "steps"));
  }

  void CheckHandler(const std::string& path, const std::string& event) {
    if (machine_.Find(file_, path).has_value()) return;
    const ScriptValue value = machine_.Value(file_, path);
    const auto* const flag = std::get_if<bool>(&value);
    if (flag != nullptr && !*flag) return;
    Add(fmt::format("'{}' is neither a function nor false", path), event);
  }

  void CheckSteps(const std::string& path, const std::string& name,
                  bool is_there) {
    const int64_t count = machine_.ListSize(file_, path + ".steps");
    if (is_there && count == 0) {
      Add(fmt::format("'{}.steps' is no list of steps", path), name);
    }
    if (count > int64_t{kScriptStepsMax}) {
      Add(fmt::format("'{}' has more than {} steps", path, kScriptStepsMax),
          name);
      return;
    }
    for (int64_t step = 1; step <= count; ++step) {
      CheckStep(fmt::format("{}.steps.{}", path, step), name);
    }
  }

  void CheckStep(const std::string& path, const std::string& state) {
    const std::vector<std::string> keys = machine_.Keys(file_, path);
    const StepWords* const words = WordsOf(keys);
    if (words == nullptr) {
      Add(fmt::format("'{}' is no step: wait, wait_until, move_to, play or "
                      "call",
                      path),
          keys.empty() ? state : keys.front());
      return;
    }
    for (const std::string& key : keys) {
      if (key == words->word || key == words->amount) continue;
      Add(fmt::format("'{}': a {} has no '{}'", path, words->word, key), key);
    }
    const std::string own = fmt::format("{}.{}", path, words->word);
    switch (words->kind) {
      case ScriptStepKind::kWait:
        CheckNumber(own, "wait", "a whole number of ticks from 0 to 1e9", 0.0);
        break;
      case ScriptStepKind::kMoveTo:
        CheckVector(own);
        CheckNumber(path + ".speed", "move_to", "a speed in m/s above 0");
        break;
      case ScriptStepKind::kPlay:
        if (TextIn(machine_.Value(file_, own)).empty()) {
          Add(fmt::format("'{}' is no name of a timeline", own), "play");
        }
        CheckNumber(path + ".ticks", "play",
                    "a whole number of ticks from 1 to 1e9", 1.0);
        break;
      case ScriptStepKind::kWaitUntil:
      case ScriptStepKind::kCall:
        CheckFunction(own, words->word);
        break;
    }
  }

  void CheckFunction(const std::string& path, std::string_view key) {
    if (FunctionAt(machine_, file_, path).has_value()) return;
    const std::string name = TextIn(machine_.Value(file_, path));
    if (name.empty()) {
      Add(fmt::format("'{}' is no function, nor the name of one", path), key);
      return;
    }
    const std::vector<std::string> names = machine_.FunctionNames(file_);
    const std::vector<std::string_view> known(names.begin(), names.end());
    Add(fmt::format("the script has no function '{}'{}", name,
                    DidYouMean(name, known)),
        name);
  }

  void CheckVector(const std::string& path) {
    if (machine_.Find(file_, path).has_value()) return;
    const ScriptValue value = machine_.Value(file_, path);
    if (std::holds_alternative<Vector3>(value)) return;
    Add(fmt::format("'{}' is neither a vector nor a function", path),
        "move_to");
  }

  // Whole numbers from `minimum`; without one any number above 0.
  void CheckNumber(const std::string& path, std::string_view word,
                   std::string_view wanted,
                   std::optional<double> minimum = std::nullopt) {
    if (machine_.Find(file_, path).has_value()) return;
    const std::optional<double> number = NumberIn(machine_.Value(file_, path));
    const bool is_right = number.has_value() && IsFinite(*number) &&
                          (minimum.has_value() ? *number >= *minimum &&
                                                     *number <= kWaitMaxTicks &&
                                                     Floor(*number) == *number
                                               : *number > 0.0);
    if (is_right) return;
    Add(fmt::format("'{}' is neither {} nor a function", path, wanted), word);
  }

  ScriptMachine& machine_;
  std::string_view file_;
  std::vector<std::string> names_;
  std::vector<ScriptMistake> mistakes_;
};

}  // namespace

const std::optional<ScriptEntry>* ScriptState::FindHandler(Id event) const {
  const auto found = std::ranges::lower_bound(
      handlers, event, {}, [](const auto& each) { return each.first; });
  return found != handlers.end() && found->first == event ? &found->second
                                                          : nullptr;
}

const ScriptState* ScriptStates::Find(Id name) const {
  const auto found =
      std::ranges::lower_bound(states, name, {}, &ScriptState::name);
  return found != states.end() && found->name == name ? &*found : nullptr;
}

ScriptStates FindStates(ScriptMachine& machine, std::string_view file) {
  ScriptStates found;
  const std::vector<std::string> names = machine.Keys(file, "states");
  if (names.empty()) return found;
  const std::map<std::string, std::vector<int>> lines =
      StepLines(machine, file);
  for (const std::string& name : names) {
    ScriptState state = StateAt(machine, file, name);
    const auto of_state = lines.find(name);
    // Others are made in another way than they look.
    if (of_state != lines.end() &&
        of_state->second.size() == state.steps.size()) {
      for (size_t step = 0; step < state.steps.size(); ++step) {
        state.steps[step].line = of_state->second[step];
      }
    }
    found.states.push_back(std::move(state));
  }
  // A total order: names differ.
  std::ranges::sort(found.states, {}, &ScriptState::name);
  const std::string initial = TextIn(machine.Value(file, "initial"));
  if (!initial.empty()) found.initial = IdOf(initial);
  return found;
}

std::vector<ScriptMistake> StateMistakes(ScriptMachine& machine,
                                         std::string_view file) {
  return StateChecker(machine, file).Check();
}

}  // namespace reprise::sim
