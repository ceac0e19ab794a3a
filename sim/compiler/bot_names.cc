// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/bot_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/bots/player_actions.h"
#include "sim/bots/script_bot.h"
#include "sim/geometry/vector3.h"
#include "sim/input/action_argument.h"
#include "sim/input/input_grammar.h"
#include "sim/script/script_calls.h"
#include "sim/script/script_tokens.h"
#include "sim/state/row_schema.h"
#include "sim/world/components/component.h"
#include "sim/world/components/property_ref.h"

namespace reprise::sim {
namespace {

// A function of `act`, and what it says to the name of an action.
struct ActionUse {
  std::string_view function;
  absl::Status (*attempt)(PlayerActions& actions, std::string_view name);
};

absl::Status TryToHold(PlayerActions& actions, std::string_view name) {
  return actions.Hold(name, false);
}

constexpr auto kActionUses = std::to_array<ActionUse>({
    {"press", &TryToHold},
    {"release", &TryToHold},
    {"hold", &TryToHold},
    {"axis", [](PlayerActions& actions,
                std::string_view name) { return actions.SetAxis(name, 0.0); }},
    {"point",
     [](PlayerActions& actions, std::string_view name) {
       return actions.Point(name, 0.0, 0.0);
     }},
    {"move_mouse",
     [](PlayerActions& actions, std::string_view name) {
       return actions.MoveMouse(name, 0, 0);
     }},
    {"turn_wheel",
     [](PlayerActions& actions, std::string_view name) {
       return actions.TurnWheel(name, 0, 0);
     }},
    {"touch", [](PlayerActions& actions,
                 std::string_view name) { return actions.Lift(name, 0); }},
    {"lift", [](PlayerActions& actions,
                std::string_view name) { return actions.Lift(name, 0); }},
    {"tilt",
     [](PlayerActions& actions, std::string_view name) {
       return actions.Tilt(name, Vector3{}, Vector3{});
     }},
    {"say", [](PlayerActions& actions,
               std::string_view name) { return actions.Say(name, ""); }},
    {"command", [](PlayerActions& actions,
                   std::string_view name) { return actions.Command(name); }},
});

constexpr auto kArgumentPlaces = std::to_array<ScriptArgumentPlace>({
    {"act", "give_boolean", 0},
    {"act", "give_integer", 0},
    {"act", "give_number", 0},
    {"act", "give_text", 0},
    {"act", "give_turns", 0},
    {"act", "give_vector", 0},
    {"act", "give_vector2", 0},
});
constexpr auto kTypePlaces = std::to_array<ScriptArgumentPlace>({
    {"view", "count", 0},
    {"view", "is_a", 1},
    {"view", "nearest", 0},
    {"view", "object", 0},
});
constexpr auto kPropertyPlaces = std::to_array<ScriptArgumentPlace>({
    {"view", "boolean", 1},
    {"view", "integer", 1},
    {"view", "number", 1},
    {"view", "reference", 1},
    {"view", "text", 1},
    {"view", "vector", 1},
});
constexpr ScriptArgumentPlace kNumberPlace = {"bot", "number", 0};
constexpr ScriptArgumentPlace kTextPlace = {"bot", "text", 0};

// What the bots with a script are given.
struct ParametersGiven {
  std::set<std::string, std::less<>> numbers;
  std::set<std::string, std::less<>> texts;
};

// A script, the first bot that has it, and by which of its fields.
struct ScriptOfBots {
  int bot = 0;
  std::string_view field;
  ParametersGiven parameters;
};

std::map<std::string, ScriptOfBots> ScriptsOfBots(const v1::Pack& pack) {
  std::map<std::string, ScriptOfBots> scripts;
  for (int i = 0; i < pack.bots_size(); ++i) {
    const v1::Bot& bot = pack.bots(i);
    if (bot.mind_case() != v1::Bot::kFile) continue;
    const auto add = [&](const std::string& path, std::string_view field) {
      const auto [script, is_new] = scripts.try_emplace(path);
      if (is_new) {
        script->second.bot = i;
        script->second.field = field;
      }
      ParametersGiven& given = script->second.parameters;
      for (const v1::BotParameter& each : bot.parameters()) {
        (each.has_text() ? given.texts : given.numbers)
            .insert(each.parameter());
      }
    };
    add(bot.file(), "file");
    for (const std::string& path : bot.modules()) add(path, "modules");
  }
  return scripts;
}

// The actions of a pack by name and kind. What may be wrong with their numbers
// is told elsewhere, and asking for them does no harm.
InputGrammar NamesOfActions(const WorldDefinition& world) {
  InputGrammar grammar = world.info.inputs;
  for (Action& action : grammar.actions) {
    action.device_index = 0;
    action.maximum = 1;
  }
  return grammar;
}

class BotNames {
 public:
  BotNames(const v1::Pack& pack, const WorldDefinition& world)
      : pack_(pack), world_(world), actions_(NamesOfActions(world)) {
    for (const v1::Type& type : pack.types()) types_.push_back(type.name());
    for (const Action& action : actions_.actions) {
      for (const ActionArgument& argument : action.arguments) {
        arguments_.push_back(argument.name);
      }
    }
  }

  void Check(const std::string& file, std::string_view source,
             const ScriptOfBots& script, const MessageChecker& bot) const {
    const std::vector<ScriptToken> tokens = TokensOfScript(source);
    const auto report = [&](int line, std::string_view what) {
      bot.LeadsNowhere(script.field,
                       fmt::format("{}:{}: {}", file, line, what));
    };
    for (const ScriptMisnomer& each :
         MissingFunctions(tokens, *BotScriptApi())) {
      report(each.line, each.what);
    }
    const auto check = [&](const ScriptArgumentPlace& place,
                           const auto& what_is_wrong) {
      for (const ScriptToken& name : ArgumentsAt(tokens, place)) {
        const std::string what = what_is_wrong(name.text);
        if (!what.empty()) report(name.line, what);
      }
    };
    for (const ActionUse& use : kActionUses) {
      check({"act", use.function, 0}, [&](const std::string& name) {
        PlayerActions actions(&actions_, 0);
        return std::string(use.attempt(actions, name).message());
      });
    }
    for (const ScriptArgumentPlace& place : kArgumentPlaces) {
      check(place, [&](const std::string& name) {
        return MissingIn(arguments_, "argument of a command", name, bot);
      });
    }
    for (const ScriptArgumentPlace& place : kTypePlaces) {
      check(place, [&](const std::string& name) {
        std::string what = MissingIn(types_, "type", name, bot);
        if (!what.empty() || IsSeen(name)) return what;
        return fmt::format("players see nothing of the type '{}'", name);
      });
    }
    for (const ScriptArgumentPlace& place : kPropertyPlaces) {
      check(place,
            [&](const std::string& path) { return WrongProperty(path); });
    }
    const ParametersGiven& given = script.parameters;
    check(kNumberPlace, [&](const std::string& name) {
      return WrongParameter(name, given.numbers, given.texts, "text", bot);
    });
    check(kTextPlace, [&](const std::string& name) {
      return WrongParameter(name, given.texts, given.numbers, "number", bot);
    });
  }

 private:
  using Names = std::set<std::string, std::less<>>;

  static std::string MissingIn(const std::vector<std::string>& known,
                               std::string_view kind, const std::string& name,
                               const MessageChecker& bot) {
    if (std::ranges::find(known, name) != known.end()) return "";
    return fmt::format("there is no {} '{}'{}", kind, name,
                       bot.SuggestionFor(name, known));
  }

  // `other` is what the parameters `others` are.
  static std::string WrongParameter(const std::string& name,
                                    const Names& wanted, const Names& others,
                                    std::string_view other,
                                    const MessageChecker& bot) {
    if (wanted.contains(name)) return "";
    if (others.contains(name)) {
      return fmt::format("the parameter '{}' is a {}: bot.{} gives it", name,
                         other, other);
    }
    const std::vector<std::string> known(wanted.begin(), wanted.end());
    return fmt::format("the pack gives the bot no parameter '{}'{}", name,
                       bot.SuggestionFor(name, known));
  }

  // Whether `type` is `base`, or extends it, by however many others.
  bool IsOf(std::string_view type, std::string_view base) const {
    // A circle, which is told elsewhere, ends, too.
    for (int i = 0; i <= pack_.types_size(); ++i) {
      if (type == base) return true;
      const auto found = std::ranges::find(
          pack_.types(), type, [](const v1::Type& each) -> const std::string& {
            return each.name();
          });
      if (found == pack_.types().end() || found->extends().empty())
        return false;
      type = found->extends();
    }
    return false;
  }

  // Whether some of the type, or of what extends it, can be seen.
  bool IsSeen(const std::string& type) const {
    const auto& sees = pack_.players().sees();
    return sees.empty() ||
           std::ranges::any_of(sees, [&](const v1::Sight& sight) {
             return IsOf(type, sight.type()) || IsOf(sight.type(), type);
           });
  }

  bool IsPropertySeen(const std::string& property) const {
    const auto& sees = pack_.players().sees();
    return sees.empty() ||
           std::ranges::any_of(sees, [&](const v1::Sight& sight) {
             if (sight.place_only()) return false;
             return sight.properties().empty() ||
                    std::ranges::any_of(sight.properties(),
                                        [&](const std::string& seen) {
                                          return PropertyOf(seen) == property;
                                        });
           });
  }

  // "component.property" of that and of what lies in it: "hand.size.x",
  // "hand.cards[2]".
  static std::string PropertyOf(std::string_view path) {
    const size_t dot = path.find('.');
    if (dot == std::string_view::npos) return std::string(path);
    return std::string(path.substr(0, path.find_first_of(".[", dot + 1)));
  }

  // Whether a bot can ask for it, as far as rows have it.
  static bool IsInRows(const ComponentDefinition& component,
                       std::string_view name) {
    const std::span<const Field> fields = component.schema->fields();
    for (uint32_t i = kComponentOverriddenField + 1; i < fields.size(); ++i) {
      if (fields[i].name == name && fields[i].shape != FieldShape::kArray) {
        return true;
      }
    }
    const std::optional<ScalarPath> scalar = component.schema->Find(name);
    return scalar.has_value() && scalar->field > kComponentOverriddenField;
  }

  // "" where a bot can ask for it.
  std::string WrongProperty(const std::string& path) const {
    const size_t dot = path.find('.');
    if (dot == std::string::npos) {
      return fmt::format(
          "'{}' is no property: it is named with its component, "
          "as in \"health.points\"",
          path);
    }
    const std::string whole = PropertyOf(path);
    const std::string_view name = std::string_view(path).substr(dot + 1);
    const auto component = std::ranges::find(
        world_.components, path.substr(0, dot), &ComponentDefinition::name);
    if (component == world_.components.end() || !IsInRows(*component, name)) {
      const absl::StatusOr<PropertyRef> found =
          FindProperty(world_.components, path.substr(0, dot),
                       whole.substr(std::min(dot + 1, whole.size())));
      if (!found.ok()) return std::string(found.status().message());
      return path == whole ? fmt::format(
                                 "'{}' is a list: one of its values is named, "
                                 "as in \"{}[0]\"",
                                 path, path)
                           : fmt::format("the property '{}' has no '{}'", whole,
                                         path.substr(whole.size()));
    }
    if (IsPropertySeen(whole)) return "";
    return fmt::format("players don't see the property '{}'", whole);
  }

  const v1::Pack& pack_;
  const WorldDefinition& world_;
  const InputGrammar actions_;
  std::vector<std::string> types_;
  std::vector<std::string> arguments_;
};

}  // namespace

void CheckNamesOfBots(const v1::Pack& pack, const PackArchive& archive,
                      const MessageChecker& checker,
                      const WorldDefinition& world) {
  const BotNames names(pack, world);
  for (const auto& [file, script] : ScriptsOfBots(pack)) {
    const std::optional<std::string_view> source = archive.Find(file);
    if (!source.has_value()) continue;  // reported
    names.Check(file, *source, script,
                checker.In(pack.bots(script.bot), "bots", script.bot));
  }
}

}  // namespace reprise::sim
