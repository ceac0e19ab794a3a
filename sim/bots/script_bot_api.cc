// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// All functions that scripts of bots may call: `view` shows, `act` does,
// `memory` remembers, `bot` is what the pack and the run say of the bot.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/random.h"
#include "sim/bots/bot_functions.h"
#include "sim/bots/bot_memory.h"
#include "sim/bots/script_bot.h"

namespace reprise::sim {
namespace {

constexpr size_t kNotesMax = 16;       // of a decision
constexpr size_t kNoteBytesMax = 512;  // of a line of the log

template <typename Kind>
absl::Status ReturnMemory(ScriptCall& call) {
  const BotMemoryValue* const value =
      call.context<ScriptTurn>().memory.Find(call.string(0));
  if (value == nullptr) return absl::OkStatus();
  const auto* const found = std::get_if<Kind>(value);
  if (found == nullptr) return WrongType(call.string(0), "value of that type");
  return ReturnIfAny(call, std::optional<Kind>(*found));
}

absl::Status SetMemory(ScriptCall& call, std::optional<BotMemoryValue> value) {
  // Bytes are paid for like a string's.
  call.Charge(4);
  return Refused(
      call.context<ScriptTurn>().memory.Set(call.string(0), std::move(value)));
}

template <typename Kind>
absl::Status ReturnParameter(ScriptCall& call) {
  for (const BotParameterValue& parameter :
       call.context<ScriptTurn>().description.parameters) {
    if (parameter.name != call.string(0)) continue;
    const auto* const value = std::get_if<Kind>(&parameter.value);
    if (value == nullptr) {
      return WrongType(call.string(0), "parameter of that type");
    }
    return ReturnIfAny(call, std::optional<Kind>(*value));
  }
  return absl::InvalidArgumentError(
      fmt::format("the pack gives the bot no parameter '{}'", call.string(0)));
}

void AddMemory(BotFunctions& api) {
  const ScriptParameter name =
      TextParameter("name", "what it is remembered by");
  const std::string other = "what is remembered is of another type";
  const std::string full = "too much is remembered";
  api.Add("memory.number", "Recalls a number.", {name},
          MayGive(ScriptType::kNumber, "the number"), &ReturnMemory<double>,
          other);
  api.Add("memory.text", "Recalls a text.", {name},
          MayGive(ScriptType::kString, "the text"), &ReturnMemory<std::string>,
          other);
  api.Add("memory.vector", "Recalls a vector.", {name},
          MayGive(ScriptType::kVector, "the vector"), &ReturnMemory<Vector3>,
          other);
  api.Add(
      "memory.set_number", "Remembers a number.",
      {name, {.name = "value", .type = ScriptType::kNumber, .help = "which"}},
      {}, [](ScriptCall& call) { return SetMemory(call, call.number(1)); },
      full);
  api.Add(
      "memory.set_text", "Remembers a text.",
      {name, TextParameter("value", "which")}, {},
      [](ScriptCall& call) {
        return SetMemory(call, std::string(call.string(1)));
      },
      full);
  api.Add(
      "memory.set_vector", "Remembers a vector.",
      {name, VectorParameter("value", "which", "")}, {},
      [](ScriptCall& call) { return SetMemory(call, call.vector(1)); }, full);
  api.Add(
      "memory.forget", "Forgets what has a name.", {name}, {},
      [](ScriptCall& call) { return SetMemory(call, std::nullopt); }, full);
}

void AddSelf(BotFunctions& api) {
  const std::string missing =
      "the pack doesn't give it, or gives one of another type";
  const ScriptParameter name = TextParameter("parameter", "as in the pack");
  api.Add("bot.number", "Gives a parameter of the bot.", {name},
          Gives(ScriptType::kNumber, "its value"), &ReturnParameter<double>,
          missing);
  api.Add("bot.text", "Gives a parameter of the bot.", {name},
          Gives(ScriptType::kString, "its value"),
          &ReturnParameter<std::string>, missing);
  api.Add("bot.random", "Draws a number from the bot's own stream.", {},
          Gives(ScriptType::kNumber, "0 or more, less than 1"),
          [](ScriptCall& call) {
            call.Return(NextUnit(call.context<ScriptTurn>().turn.random));
            return absl::OkStatus();
          });
  api.Add(
      "bot.random_integer", "Draws a whole number from the bot's own stream.",
      {IntegerParameter("low", "the least"),
       IntegerParameter("high", "the most")},
      Gives(ScriptType::kInteger, "one of these, all as likely"),
      [](ScriptCall& call) {
        if (call.integer(0) > call.integer(1)) {
          return absl::InvalidArgumentError("'low' is above 'high'");
        }
        call.Return(NextInRange(call.context<ScriptTurn>().turn.random,
                                call.integer(0), call.integer(1)));
        return absl::OkStatus();
      },
      "the least is above the most");
  api.Add("bot.log", "Writes a line to the log, which is no state.",
          {TextParameter("text", "at most 512 bytes of it are kept")}, {},
          [](ScriptCall& call) {
            std::vector<std::string>& notes =
                call.context<ScriptTurn>().turn.notes;
            if (notes.size() < kNotesMax) {
              notes.emplace_back(call.string(0).substr(0, kNoteBytesMax));
            }
            return absl::OkStatus();
          });
}

std::shared_ptr<const ScriptApi> MakeApi() {
  BotFunctions api;
  AddViewFunctions(api);
  AddActFunctions(api);
  AddMemory(api);
  AddSelf(api);
  return api.Finish();
}

}  // namespace

std::shared_ptr<const ScriptApi> BotScriptApi() {
  static const auto& api = *new std::shared_ptr<const ScriptApi>(MakeApi());
  return api;
}

}  // namespace reprise::sim
