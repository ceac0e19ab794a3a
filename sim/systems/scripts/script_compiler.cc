// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the scripts of a pack: the files that types name as behaviours, and
// those that they ask for.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/pack_name.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/script/script_calls.h"
#include "sim/script/script_machine.h"
#include "sim/script/script_program.h"
#include "sim/script/script_tokens.h"
#include "sim/systems/scripts/script_behaviour.h"
#include "sim/systems/scripts/script_event_types.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_hooks.h"
#include "sim/systems/scripts/script_rows.h"
#include "sim/systems/scripts/script_states.h"
#include "sim/systems/scripts/script_system.h"
#include "sim/systems/scripts/script_words.h"
#include "sim/systems/scripts/unheard_event_compiler.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

// The collision layers of a pack with the bits that bodies have: "default" has
// the first one, the others come in the order of their names.
std::vector<ScriptCollisionLayer> CollisionLayersOf(const v1::Pack& pack) {
  constexpr std::string_view kDefault = "default";
  std::set<std::string> names;
  for (const v1::CollisionLayer& layer : pack.collision_layers()) {
    if (layer.name() != kDefault) names.insert(layer.name());
  }
  uint32_t bit = 1;
  std::vector<ScriptCollisionLayer> layers = {
      {.name = std::string(kDefault), .layers = bit}};
  for (const std::string& name : names) {
    layers.push_back({.name = name, .layers = bit <<= 1});
  }
  return layers;
}

// What a script names by strings, and where.
constexpr auto kEventPlaces = std::to_array<ScriptArgumentPlace>({
    {"event", "post", 0},
    {"event", "send", 0},
    {"event", "listen", 0},
    {"event", "ignore", 0},
    {"timer", "start", 1},
    {"timeline", "mark", 1},
    {"navigator", "request", 2},
    {"query", "request_ray", 3},
});
// Those of them that are sent.
constexpr auto kSentEventPlaces = std::to_array<ScriptArgumentPlace>({
    {"event", "post", 0},
    {"event", "send", 0},
    {"timer", "start", 1},
    {"timeline", "mark", 1},
    {"navigator", "request", 2},
    {"query", "request_ray", 3},
});
constexpr auto kPropertyPlaces = std::to_array<ScriptArgumentPlace>({
    {"own", "get", 0},
    {"own", "set", 0},
    {"own", "size", 0},
    {"own", "append", 0},
    {"own", "remove", 0},
    {"own", "clear", 0},
    {"other", "get", 1},
    {"other", "now", 1},
    {"other", "size", 1},
    {"world", "give", 0},
});
constexpr auto kActionPlaces = std::to_array<ScriptArgumentPlace>({
    {"player", "axis", 1},
    {"player", "holds", 1},
    {"player", "presses", 1},
    {"player", "releases", 1},
});
constexpr auto kControlPlaces = std::to_array<ScriptArgumentPlace>({
    {"player", "value", 1},
    {"player", "is_down", 1},
    {"player", "went_down", 1},
    {"player", "went_up", 1},
    {"player", "steps", 1},
});
constexpr auto kParameterPlaces =
    std::to_array<ScriptArgumentPlace>({{"parameter", "get", 0}});
constexpr auto kArchetypePlaces =
    std::to_array<ScriptArgumentPlace>({{"world", "spawn", 0}});
constexpr auto kTypePlaces = std::to_array<ScriptArgumentPlace>({
    {"query", "all", 0},
    {"query", "along", 2},
    {"query", "box", 2},
    {"query", "cone", 4},
    {"query", "hull_of", 0},
    {"query", "nearest", 2},
    {"query", "sphere", 2},
});
constexpr auto kCollisionLayerPlaces =
    std::to_array<ScriptArgumentPlace>({{"query", "layer", 0}});
constexpr auto kLayerPlaces = std::to_array<ScriptArgumentPlace>(
    {{"layer", "is_on", 0}, {"layer", "switch", 0}});
constexpr auto kPathPlaces = std::to_array<ScriptArgumentPlace>(
    {{"path", "direction", 0}, {"path", "length", 0}, {"path", "point", 0}});
constexpr auto kGridPlaces =
    std::to_array<ScriptArgumentPlace>({{"grid", "weight", 0}});
constexpr auto kFlowFieldPlaces = std::to_array<ScriptArgumentPlace>(
    {{"flow", "cost", 0}, {"flow", "goal", 0}, {"flow", "next", 0}});
constexpr auto kGoalSetPlaces =
    std::to_array<ScriptArgumentPlace>({{"navigator", "request_nearest", 0}});

// The names of what a pack has of a kind.
template <typename Messages>
std::vector<std::string> NamesOfAll(const Messages& messages) {
  std::vector<std::string> names;
  for (const auto& message : messages) names.push_back(message.name());
  return names;
}

// "a.lua:3: what", or without a line, if that isn't known (0).
std::string Place(std::string_view file, int line, std::string_view what) {
  return line == 0 ? fmt::format("{}: {}", file, what)
                   : fmt::format("{}:{}: {}", file, line, what);
}

class ScriptCompiler final : public SystemCompiler {
 public:
  explicit ScriptCompiler(PackCompilation& compilation)
      : SystemCompiler(compilation) {}

  bool WantsComponents(const v1::Type& type) override {
    return std::ranges::any_of(type.behaviours(), [&](const auto& use) {
      return HasStates(use.file());
    });
  }

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    for (int i = 0; i < message.behaviours_size(); ++i) {
      const v1::BehaviourUse& use = message.behaviours(i);
      if (!HasStates(use.file())) continue;
      const std::optional<uint32_t> component =
          world().FindComponent(IdOf(ScriptRow::kTable));
      // A component of the pack's with this name is reported.
      if (!component.has_value()) return;
      const auto* const inherited = type.parts.Find<ScriptStatesUse>();
      if (inherited != nullptr && inherited->file != use.file()) {
        checker.In(use, "behaviours", i)
            .Problem("file", fmt::format("the type has states already, by {}",
                                         inherited->file));
        continue;
      }
      type.parts.Set(ScriptStatesUse{.file = use.file()});
      UseComponent(*component, type);
    }
  }

  std::unique_ptr<Behaviour> MakeBehaviour(
      const v1::BehaviourUse& use, const MessageChecker& checker) override {
    if (!AreThere(use, checker)) return nullptr;
    Load();
    if (machine_ == nullptr) {
      Report(load_status_, checker);
      load_status_ = absl::OkStatus();  // once is enough
      return nullptr;
    }
    absl::StatusOr<ScriptDeclaration> declaration =
        ReadDeclaration(*machine_, use.file());
    if (!declaration.ok()) {
      checker.Problem("file", std::string(declaration.status().message()));
      return nullptr;
    }
    for (const std::string& event : declaration->events) {
      ReferToHandled(use.file(), event, checker);
    }
    for (const ScriptParameterDeclaration& each : declaration->parameters) {
      checker.Name("file", each.name);
      if (!each.text.empty()) words().insert(each.text);
    }
    for (const std::string& state : declaration->states) {
      words().insert(checker.Name("file", state));
    }
    if (!CheckStates(use.file(), checker)) return nullptr;
    CheckNames(use.file(), *declaration, checker);
    std::optional<uint32_t> component;
    if (!declaration->states.empty()) {
      component = world().FindComponent(IdOf(ScriptRow::kTable));
      if (!component.has_value()) return nullptr;  // reported
    }
    definition_->files.insert(use.file());
    return std::make_unique<ScriptBehaviour>(
        use.file(), *std::move(declaration),
        CanReload() ? std::nullopt
                    : std::optional(FindHooks(*machine_, use.file())),
        component, CollisionLayersOf(pack()));
  }

  void Finish() override {
    if (definition_ == nullptr) return;
    std::vector<ScriptEventType> types;
    for (const std::string& name : events().Names()) {
      ScriptEventType& type = types.emplace_back(
          ScriptEventType{.id = IdOf(name),
                          .name = name,
                          .is_for_packs = events().IsForPacks(name),
                          .arguments = {}});
      for (const EventArgumentDescription& each : events().ArgumentsOf(name)) {
        type.arguments.push_back(
            {.id = IdOf(each.name), .name = each.name, .type = each.type});
      }
    }
    definition_->event_types =
        ScriptEventTypes(std::move(types), pack().events_size() > 0);
    WarnOfUnheardEvents(pack(), world(), checker());
    WarnOfMovedBodies();
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  // Whether the pack has the files of a use; reports those that it lacks.
  bool AreThere(const v1::BehaviourUse& use, const MessageChecker& checker) {
    std::vector<std::string> known;
    for (const auto& [path, contents] : compilation().archive.files()) {
      if (path.ends_with(".lua")) known.push_back(path);
    }
    bool are_there = true;
    const auto check = [&](std::string_view field, const std::string& path) {
      if (compilation().archive.Find(path).has_value()) return;
      checker.NoSuch(field, "script", path, known);
      are_there = false;
    };
    check("file", use.file());
    for (const std::string& path : use.modules()) check("modules", path);
    return are_there;
  }

  // As EventCatalogue::Refer, with the line of the handler.
  void ReferToHandled(const std::string& file, const std::string& event,
                      const MessageChecker& checker) {
    if (events().IsKnown(event) || !IsPackName(event)) {
      events().Refer(EventRole::kHears, "file", event, checker);
      return;
    }
    words().insert(event);
    const std::vector<ScriptToken> tokens =
        TokensOfScript(compilation().archive.Find(file).value_or(""));
    std::string text =
        Place(file, LineOfWord(tokens, event),
              fmt::format("there is no event '{}'{}", event,
                          checker.SuggestionFor(event, events().Names())));
    if (pack().events_size() > 0) {
      checker.Problem("file", std::move(text));
    } else {
      checker.LeadsNowhere("file", std::move(text));
    }
  }

  // Whether players can replace scripts.
  bool CanReload() const {
    return std::ranges::any_of(
        pack().players().actions(),
        [](const v1::Action& action) { return action.has_script_reload(); });
  }

  // Of all types of the pack: they share one machine.
  std::map<std::string, std::string> Sources() {
    std::map<std::string, std::string> sources;
    const auto add = [&](const std::string& path) {
      const std::optional<std::string_view> source =
          compilation().archive.Find(path);
      if (source.has_value()) sources.emplace(path, *source);
    };
    for (const v1::Type& type : pack().types()) {
      for (const v1::BehaviourUse& use : type.behaviours()) {
        if (use.file().empty()) continue;
        add(use.file());
        for (const std::string& path : use.modules()) add(path);
      }
    }
    return sources;
  }

  // Each line of what is wrong is a problem of its own.
  void Report(const absl::Status& status, const MessageChecker& checker) const {
    std::string_view text(status.message().data(), status.message().size());
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      checker.Problem("file", fmt::format("{}{}", line, WhyNotLoaded(line)));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
  }

  // What has to be done where a script asks for another one in vain, which the
  // pack has: nothing else tells that it isn't among the modules.
  std::string WhyNotLoaded(std::string_view error) const {
    constexpr std::string_view kInVain = "require: the pack has no script '";
    const size_t begin = error.find(kInVain);
    if (begin == std::string_view::npos) return "";
    std::string_view wanted = error.substr(begin + kInVain.size());
    wanted = wanted.substr(0, wanted.find('\''));
    for (const std::string_view ending : {"", ".lua"}) {
      const std::string path = fmt::format("{}{}", wanted, ending);
      if (!compilation().archive.Find(path).has_value()) continue;
      return fmt::format(" among its `modules`: say modules: \"{}\"", path);
    }
    return "";
  }

  // Loading shows the mistakes that syntax doesn't, and what scripts say of
  // themselves.
  void Load() {
    if (is_loaded_) return;
    is_loaded_ = true;
    std::vector<ScriptFile> files;
    for (auto& [path, source] : Sources()) {
      words().insert(path);
      for (std::string& word : WordsOfScript(source)) {
        words().insert(std::move(word));
      }
      files.push_back({.name = path, .source = source});
    }
    absl::StatusOr<std::shared_ptr<const ScriptProgram>> program =
        ScriptProgram::Compile(std::move(files));
    if (!program.ok()) {
      load_status_ = program.status();
      return;
    }
    absl::StatusOr<std::unique_ptr<ScriptMachine>> machine =
        ScriptMachine::Create(*program, WorldScriptApi());
    if (!machine.ok()) {
      load_status_ = machine.status();
      return;
    }
    machine_ = *std::move(machine);
    definition_ = std::make_shared<ScriptsDefinition>();
    definition_->program = *std::move(program);
    world().makes_texts = true;
  }

  bool HasStates(const std::string& file) {
    if (file.empty()) return false;
    Load();
    return machine_ != nullptr && !machine_->Keys(file, "states").empty();
  }

  void UseComponent(uint32_t component, TypeDefinition& type) const {
    const auto found = std::ranges::lower_bound(type.components, component, {},
                                                &ComponentUse::component);
    if (found != type.components.end() && found->component == component) return;
    type.components.insert(found,
                           {.component = component,
                            .row = DefaultRow(world().components[component])});
  }

  // What is wrong with the states of a file, with the lines.
  bool CheckStates(const std::string& file, const MessageChecker& checker) {
    const std::vector<std::string> states = machine_->Keys(file, "states");
    const std::vector<ScriptToken> tokens =
        TokensOfScript(compilation().archive.Find(file).value_or(""));
    bool is_right = true;
    const auto report = [&](int line, std::string_view what) {
      checker.Problem("file", Place(file, line, what));
      is_right = false;
    };
    for (const ScriptMistake& mistake : StateMistakes(*machine_, file)) {
      report(
          mistake.line != 0 ? mistake.line : LineOfWord(tokens, mistake.word),
          mistake.what);
    }
    for (const ScriptToken& name : FirstArguments(tokens, "go_to")) {
      if (std::ranges::find(states, name.text) != states.end()) continue;
      report(name.line, fmt::format("there is no state '{}'{}", name.text,
                                    checker.SuggestionFor(name.text, states)));
    }
    if (is_right) WarnOfUnreached(file, states, tokens, checker);
    return is_right;
  }

  // Names of what isn't there, that the script would find out about when it
  // comes to that line.
  void CheckNames(const std::string& file, const ScriptDeclaration& declaration,
                  const MessageChecker& checker) {
    const std::vector<ScriptToken> tokens =
        TokensOfScript(compilation().archive.Find(file).value_or(""));
    const auto each = [&](std::span<const ScriptArgumentPlace> places,
                          const auto& check) {
      for (const ScriptArgumentPlace& place : places) {
        for (const ScriptToken& name : ArgumentsAt(tokens, place)) check(name);
      }
    };
    const auto report = [&](const ScriptToken& name, std::string_view what) {
      checker.LeadsNowhere("file", Place(file, name.line, what));
    };
    for (const ScriptMisnomer& each :
         MissingFunctions(tokens, *WorldScriptApi())) {
      report({.text = "", .line = each.line}, each.what);
    }
    for (const ScriptMistake& mistake : KeyMistakes(*machine_, file)) {
      // What the file itself uses is no slip.
      if (std::ranges::count(tokens, mistake.word, &ScriptToken::text) > 1) {
        continue;
      }
      report({.text = mistake.word, .line = LineOfWord(tokens, mistake.word)},
             mistake.what);
    }
    std::vector<std::string> declared;
    for (const EventDescription& event : events().declared()) {
      declared.push_back(event.name);
    }
    each(kEventPlaces, [&](const ScriptToken& name) {
      if (events().IsKnown(name.text)) return;
      report(name, fmt::format("there is no event '{}'{}", name.text,
                               checker.SuggestionFor(name.text, declared)));
    });
    each(kSentEventPlaces, [&](const ScriptToken& name) {
      if (!events().IsKnown(name.text) || events().IsForPacks(name.text)) {
        return;
      }
      report(name,
             fmt::format("'{}' is for the world alone to send", name.text));
    });
    each(kPropertyPlaces, [&](const ScriptToken& name) {
      const size_t dot = name.text.find('.');
      if (dot == std::string::npos) {
        report(name, fmt::format("'{}' is no property: it is named with its "
                                 "component, as in \"health.points\"",
                                 name.text));
        return;
      }
      const std::string_view path = name.text;
      const absl::Status status =
          FindProperty(world().components, path.substr(0, dot),
                       path.substr(dot + 1))
              .status();
      if (!status.ok()) report(name, std::string(status.message()));
    });
    CheckNamesOfPack(file, tokens, declaration, checker);
  }

  // Names of what the pack has lists of, and of the script's own parameters.
  void CheckNamesOfPack(const std::string& file,
                        const std::vector<ScriptToken>& tokens,
                        const ScriptDeclaration& declaration,
                        const MessageChecker& checker) const {
    const auto check = [&](std::span<const ScriptArgumentPlace> places,
                           std::string_view kind,
                           const std::vector<std::string>& known) {
      for (const ScriptArgumentPlace& place : places) {
        for (const ScriptToken& name : ArgumentsAt(tokens, place)) {
          if (std::ranges::find(known, name.text) != known.end()) continue;
          checker.LeadsNowhere(
              "file",
              Place(file, name.line,
                    fmt::format("there is no {} '{}'{}", kind, name.text,
                                checker.SuggestionFor(name.text, known))));
        }
      }
    };
    std::vector<std::string> parameters;
    for (const ScriptParameterDeclaration& parameter : declaration.parameters) {
      parameters.push_back(parameter.name);
    }
    check(kParameterPlaces, "parameter", parameters);
    check(kActionPlaces, "action", NamesOfAll(pack().players().actions()));
    check(kControlPlaces, "control", NamesOfAll(pack().controls().controls()));
    std::vector<std::string> types = NamesOfAll(pack().types());
    check(kTypePlaces, "type", types);
    for (std::string& name : NamesOfAll(pack().archetypes())) {
      types.push_back(std::move(name));
    }
    check(kArchetypePlaces, "type or archetype", types);
    std::vector<std::string> collision_layers =
        NamesOfAll(pack().collision_layers());
    collision_layers.emplace_back("default");
    check(kCollisionLayerPlaces, "collision layer", collision_layers);
    check(kLayerPlaces, "layer", NamesOfAll(pack().layers()));
    check(kPathPlaces, "path", NamesOfAll(pack().paths()));
    const v1::Navigation& navigation = pack().navigation();
    check(kGridPlaces, "grid", NamesOfAll(navigation.grids()));
    check(kFlowFieldPlaces, "flow field", NamesOfAll(navigation.flow_fields()));
    check(kGoalSetPlaces, "set of goals", NamesOfAll(navigation.goal_sets()));
  }

  // States whose names stand nowhere but where they are declared. A name may be
  // put together, or be set by the pack: what has it anywhere is reached.
  void WarnOfUnreached(const std::string& file,
                       const std::vector<std::string>& states,
                       const std::vector<ScriptToken>& tokens,
                       const MessageChecker& checker) {
    const std::string manifest = pack().SerializeAsString();
    for (const std::string& state : states) {
      const bool is_named =
          manifest.find(state) != std::string::npos ||
          std::ranges::any_of(Sources(), [&](const auto& source) {
            const std::vector<std::string> found = WordsOfScript(source.second);
            return std::ranges::find(found, state) != found.end();
          });
      if (is_named) continue;
      checker.Warning(
          "file", fmt::format("{}:{}: nothing leads to the state '{}'", file,
                              LineOfWord(tokens, state), state));
    }
  }

  // Steps that move objects whose body isn't the game's to move: they fail
  // where they begin. Of types that inherit both the steps and the body, their
  // bases tell.
  void WarnOfMovedBodies() {
    for (int i = 0; i < pack().types_size(); ++i) {
      const v1::Type& message = pack().types(i);
      const std::optional<uint32_t> index =
          world().FindType(IdOf(message.name()));
      if (!index.has_value()) continue;
      const TypeDefinition& type = world().types[*index];
      const auto* const states = type.parts.Find<ScriptStatesUse>();
      if (states == nullptr || !type.body_kind.has_value()) continue;
      const Motion motion = world().physics.kinds[*type.body_kind].motion;
      if (motion == Motion::kKinematic) continue;
      const std::string_view why =
          motion == Motion::kDynamic
              ? "physics moves it, as its body is dynamic"
              : "its body stays where it is, as it is fixed or a trigger";
      const MessageChecker place = checker().In(message, "types", i);
      const auto use = std::ranges::find(message.behaviours(), states->file,
                                         &v1::BehaviourUse::file);
      if (use != message.behaviours().end()) {
        const auto number =
            static_cast<int>(use - message.behaviours().begin());
        WarnOfMoves(states->file, why, "file",
                    place.In(*use, "behaviours", number));
      } else if (message.has_body()) {
        WarnOfMoves(states->file, why, "body", place);
      }
    }
  }

  void WarnOfMoves(const std::string& file, std::string_view why,
                   std::string_view field, const MessageChecker& place) {
    for (const ScriptState& state : FindStates(*machine_, file).states) {
      for (size_t step = 0; step < state.steps.size(); ++step) {
        if (state.steps[step].kind != ScriptStepKind::kMoveTo) continue;
        const int line = state.steps[step].line;
        place.Warning(
            field, Place(file, line,
                         fmt::format("step {} of the state '{}' can't move the "
                                     "object: {}",
                                     step + 1, state.text, why)));
      }
    }
  }

  bool is_loaded_ = false;
  absl::Status load_status_;
  std::unique_ptr<ScriptMachine> machine_;
  std::shared_ptr<ScriptsDefinition> definition_;
};

REPRISE_REGISTER_SYSTEM(scripts, MakeSystemModule<ScriptCompiler>(
                                     ScriptsDefinition::Declaration(), {}));

}  // namespace
}  // namespace reprise::sim
