// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/bot_compiler.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/bots/native_bots.h"
#include "sim/bots/script_bot.h"
#include "sim/compiler/bot_names.h"
#include "sim/world/components/component.h"

namespace reprise::sim {
namespace {

// A minute at the usual rate; who decides more seldom plays no game.
constexpr uint32_t kEveryTicksMax = 3600;
constexpr uint32_t kInstructionsDefault = 100'000;
// A tenth of a second, or so, on a usual machine.
constexpr uint32_t kInstructionsMax = 10'000'000;
constexpr size_t kHelpBytesMax = 200;
constexpr size_t kTextBytesMax = 1024;
constexpr int kParametersMax = 64;

// The property that "component.property" names; null after a problem.
const PropertyDefinition* FindProperty(std::string_view field,
                                       const std::string& path,
                                       const WorldDefinition& world,
                                       const MessageChecker& checker) {
  const size_t dot = path.find('.');
  const std::string component_name = path.substr(0, dot);
  const auto component = std::ranges::find(world.components, component_name,
                                           &ComponentDefinition::name);
  if (component == world.components.end()) {
    checker.NoSuch(field, "component", component_name);
    return nullptr;
  }
  const std::string name =
      dot == std::string::npos ? std::string() : path.substr(dot + 1);
  const std::optional<uint32_t> property = component->Find(name);
  if (property) return &component->properties[*property];
  std::vector<std::string> known;
  for (const PropertyDefinition& one : component->properties) {
    known.push_back(one.name);
  }
  checker.NoSuch(field, "property", name, known);
  return nullptr;
}

SightDescription CompileSight(const v1::Sight& message,
                              const WorldDefinition& world,
                              const MessageChecker& checker) {
  SightDescription sight{.type = message.type(),
                         .properties = {},
                         .is_place_only = message.place_only(),
                         .player_property = message.player_property()};
  if (!world.FindType(IdOf(message.type()))) {
    checker.NoSuch("type", "type", message.type());
  }
  for (const std::string& path : message.properties()) {
    FindProperty("properties", path, world, checker);
    sight.properties.push_back(path);
  }
  if (sight.is_place_only && !sight.properties.empty()) {
    checker.Problem("place_only", "properties are seen, too");
  }
  if (!sight.player_property.empty()) {
    const PropertyDefinition* const property =
        FindProperty("player_property", sight.player_property, world, checker);
    if (property != nullptr &&
        (property->type != PropertyType::kInt || property->capacity > 0)) {
      checker.Problem("player_property", fmt::format("'{}' is no TYPE_INTEGER",
                                                     sight.player_property));
    }
  }
  return sight;
}

std::vector<BotParameterValue> CompileParameters(
    const v1::Bot& message, const NativeBot* native,
    const MessageChecker& checker) {
  // By name, so that the order in the pack says nothing.
  std::map<std::string, BotParameterValue> parameters;
  if (message.parameters_size() > kParametersMax) {
    checker.Problem("parameters",
                    fmt::format("{}; {} are the most",
                                message.parameters_size(), kParametersMax));
  }
  for (int i = 0; i < message.parameters_size(); ++i) {
    const v1::BotParameter& given = message.parameters(i);
    const MessageChecker place = checker.In(given, "parameters", i);
    BotParameterValue value{.name = place.Name("parameter", given.parameter())};
    switch (given.value_case()) {
      case v1::BotParameter::kNumber:
        value.value = place.Number("number", given.number(),
                                   std::numeric_limits<double>::lowest(),
                                   std::numeric_limits<double>::max());
        break;
      case v1::BotParameter::kText:
        if (given.text().size() > kTextBytesMax) {
          place.Problem("text",
                        fmt::format("{} bytes; {} are the most",
                                    given.text().size(), kTextBytesMax));
        }
        value.value = given.text();
        break;
      case v1::BotParameter::VALUE_NOT_SET:
        place.Problem("parameter", "it is given no value");
        break;
    }
    if (native != nullptr) {
      const absl::Status status = CheckBotParameter(*native, value);
      if (!status.ok()) {
        place.Problem("parameter", std::string(status.message()));
      }
    }
    const std::string name = value.name;
    if (!parameters.emplace(name, std::move(value)).second) {
      place.Problem("parameter", fmt::format("'{}' stands there twice", name));
    }
  }
  std::vector<BotParameterValue> values;
  for (auto& [name, value] : parameters) values.push_back(std::move(value));
  return values;
}

// The native bot, if this program has it.
const NativeBot* CompileNative(const std::string& name,
                               const MessageChecker& checker) {
  const NativeBot* const native = FindNativeBot(name);
  if (native == nullptr) {
    const std::vector<std::string> known = NativeBotNames();
    checker.LeadsNowhere("native",
                         fmt::format("there is no native bot '{}'{}", name,
                                     checker.SuggestionFor(name, known)));
  }
  return native;
}

void CompileScripts(const v1::Bot& message, const PackArchive& archive,
                    const MessageChecker& checker, BotDescription& bot) {
  const auto add = [&](std::string_view field, const std::string& path) {
    const std::optional<std::string_view> source = archive.Find(path);
    if (!source) {
      std::vector<std::string> known;
      for (const auto& [name, contents] : archive.files()) {
        if (name.ends_with(".lua")) known.push_back(name);
      }
      checker.NoSuch(field, "script", path, known);
      return;
    }
    const auto is_there =
        std::ranges::find(bot.scripts, path, &BotScript::name);
    if (is_there != bot.scripts.end()) {
      checker.Problem(field, fmt::format("'{}' stands there twice", path));
      return;
    }
    bot.scripts.push_back({.name = path, .source = std::string(*source)});
  };
  bot.script = message.file();
  add("file", message.file());
  for (const std::string& path : message.modules()) add("modules", path);
  // A total order: names differ.
  std::ranges::sort(bot.scripts, {}, &BotScript::name);
}

// Each line of what is wrong with scripts is a problem of its own.
void CheckScripts(const BotDescription& bot, const MessageChecker& checker) {
  const absl::Status status = MakeScriptBot(bot).status();
  std::string_view text(status.message().data(), status.message().size());
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    checker.Problem("file", std::string(line));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
}

BotDescription CompileBot(const v1::Bot& message, const PackArchive& archive,
                          const MessageChecker& checker, bool is_author,
                          uint32_t player_count) {
  BotDescription bot;
  bot.name = checker.Name("name", message.name());
  bot.help = message.help();
  bot.is_reserve = message.reserve();
  if (bot.help.size() > kHelpBytesMax) {
    checker.Problem("help", fmt::format("{} bytes; {} are the most",
                                        bot.help.size(), kHelpBytesMax));
  }
  for (const uint32_t player : message.players()) {
    if (player >= player_count) {
      checker.Problem("players",
                      fmt::format("there is no player {}; the pack has {}",
                                  player, player_count));
    } else if (std::ranges::find(bot.players, player) != bot.players.end()) {
      checker.Problem("players", fmt::format("{} stands there twice", player));
    } else {
      bot.players.push_back(player);
    }
  }
  // A total order: numbers differ.
  std::ranges::sort(bot.players);
  bot.every_ticks = std::max(
      checker.Count("every_ticks", message.every_ticks(), 1, kEveryTicksMax),
      uint32_t{1});
  bot.instructions_max =
      message.instructions_max() == 0
          ? kInstructionsDefault
          : checker.Count("instructions_max", message.instructions_max(), 1,
                          kInstructionsMax);
  const NativeBot* native = nullptr;
  bool has_all_scripts = false;
  switch (message.mind_case()) {
    case v1::Bot::kNative:
      bot.native = message.native();
      native = CompileNative(bot.native, checker);
      for (const auto& [field, is_said] :
           {std::pair("modules", message.modules_size() > 0),
            std::pair("instructions_max", message.instructions_max() != 0)}) {
        if (is_said) checker.Problem(field, "a native bot has none");
      }
      break;
    case v1::Bot::kFile:
      CompileScripts(message, archive, checker, bot);
      has_all_scripts =
          bot.scripts.size() == static_cast<size_t>(message.modules_size()) + 1;
      break;
    case v1::Bot::MIND_NOT_SET:
      checker.Problem("name", "neither native nor file says who decides");
      break;
  }
  bot.parameters = CompileParameters(message, native, checker);
  if (is_author && has_all_scripts) CheckScripts(bot, checker);
  return bot;
}

}  // namespace

PlayerSenses CompileSenses(const v1::Pack& pack, const MessageChecker& checker,
                           EventCatalogue& events,
                           const WorldDefinition& world) {
  const v1::Players& players = pack.players();
  const MessageChecker place = checker.In(players, "players");
  PlayerSenses senses;
  for (int i = 0; i < players.sees_size(); ++i) {
    senses.sees.push_back(CompileSight(players.sees(i), world,
                                       place.In(players.sees(i), "sees", i)));
  }
  std::set<std::string> heard;
  for (const std::string& event : players.hears()) {
    events.Refer(EventRole::kHears, "hears", event, place);
    heard.insert(event);
  }
  senses.hears.assign(heard.begin(), heard.end());
  return senses;
}

std::vector<BotDescription> CompileBots(const v1::Pack& pack,
                                        const PackArchive& archive,
                                        const MessageChecker& checker,
                                        bool is_author,
                                        const WorldDefinition& world) {
  if (static_cast<uint32_t>(pack.bots_size()) > kBotsMax) {
    checker.Problem(
        "bots", fmt::format("{}; {} are the most", pack.bots_size(), kBotsMax));
    return {};
  }
  const uint32_t player_count = world.info.inputs.player_count;
  // By name, so that the order in the pack says nothing.
  std::map<std::string, BotDescription> bots;
  std::map<uint32_t, std::string> seats;
  for (int i = 0; i < pack.bots_size(); ++i) {
    const v1::Bot& message = pack.bots(i);
    const MessageChecker place = checker.In(message, "bots", i);
    BotDescription bot =
        CompileBot(message, archive, place, is_author, player_count);
    for (uint32_t player = 0; player < player_count; ++player) {
      const bool plays =
          !bot.is_reserve &&
          (bot.players.empty() ||
           std::ranges::find(bot.players, player) != bot.players.end());
      if (!plays) continue;
      const auto [seat, is_free] = seats.emplace(player, bot.name);
      if (is_free) continue;
      place.Problem("players",
                    fmt::format("player {} has two bots, {} and {}; put one "
                                "in reserve",
                                player, seat->second, bot.name));
      break;
    }
    const std::string name = bot.name;
    if (!bots.emplace(name, std::move(bot)).second) {
      place.Problem("name", fmt::format("there are two bots '{}'", name));
    }
  }
  if (is_author) CheckNamesOfBots(pack, archive, checker, world);
  std::vector<BotDescription> sorted;
  for (auto& [name, bot] : bots) sorted.push_back(std::move(bot));
  return sorted;
}

}  // namespace reprise::sim
