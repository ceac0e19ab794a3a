// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles a pack's controls, contexts, bindings and strokes.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "reprise/v1/controls.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/input/action_argument.h"
#include "sim/input/input_grammar.h"
#include "sim/input/stroke_recognition.h"
#include "sim/systems/controls/binding_compiler.h"
#include "sim/systems/controls/control_definition.h"
#include "sim/systems/controls/control_patterns.h"
#include "sim/systems/controls/control_system.h"
#include "sim/systems/controls/pattern_compiler.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

constexpr int kStrokesMax = 64;
constexpr int kExamplesMax = 32;

std::string_view NameOf(ControlKind kind) {
  switch (kind) {
    case ControlKind::kAxis:
      return "an axis";
    case ControlKind::kStick:
      return "a stick";
    default:
      return "a button";
  }
}

// The order of definitions by their ids, of things with these names.
template <typename Messages>
std::vector<int> OrderOfIds(const Messages& messages) {
  std::vector<int> order(static_cast<size_t>(messages.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, {}, [&](int index) { return IdOf(messages[index].name()); });
  return order;
}

class ControlCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompilePack() override {
    if (!pack().has_controls()) return;
    const v1::Controls& message = pack().controls();
    const MessageChecker place = checker().In(message, "controls");
    definition_ = std::make_shared<ControlsDefinition>();
    definition_->tick_s = world().info.tick_rate.dt();
    CompileStrokes(message, place);
    CompileControls(message, place);
    CompileContexts(message, place);
    CompileRebind(message, place);
    CheckUse(message, place);
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  TickRate rate() const { return world().info.tick_rate; }

  void CompileStrokes(const v1::Controls& message,
                      const MessageChecker& place) {
    if (message.strokes().empty()) return;
    if (message.strokes_size() > kStrokesMax) {
      place.Problem("strokes",
                    fmt::format("there are more than {}", kStrokesMax));
      return;
    }
    DeclaredNames names("strokes", words());
    std::vector<StrokeClassifier::Example> examples;
    for (int i = 0; i < message.strokes_size(); ++i) {
      const v1::Stroke& stroke = message.strokes(i);
      const MessageChecker inside = place.In(stroke, "strokes", i);
      names.Declare("name", stroke.name(), inside);
      strokes_.push_back(stroke.name());
      if (stroke.examples_size() < 2 || stroke.examples_size() > kExamplesMax) {
        inside.Problem("examples",
                       fmt::format("there are {}, not 2 to {}",
                                   stroke.examples_size(), kExamplesMax));
      }
      for (int k = 0; k < stroke.examples_size(); ++k) {
        const v1::StrokeExample& example = stroke.examples(k);
        examples.push_back({.kind = static_cast<uint32_t>(i),
                            .features = CompileExample(
                                example, inside.In(example, "examples", k))});
      }
    }
    absl::StatusOr<StrokeClassifier> classifier = StrokeClassifier::Train(
        static_cast<uint32_t>(strokes_.size()), examples);
    if (!classifier.ok()) {
      place.Problem("strokes", std::string(classifier.status().message()));
      return;
    }
    definition_->strokes =
        std::make_shared<const StrokeClassifier>(*std::move(classifier));
  }

  StrokeFeatures CompileExample(const v1::StrokeExample& example,
                                const MessageChecker& place) const {
    if (example.points_size() < 3 ||
        example.points_size() > int{kStrokePointsMax}) {
      place.Problem("points",
                    fmt::format("there are {}, not 3 to {}",
                                example.points_size(), kStrokePointsMax));
      return {};
    }
    std::vector<StrokePoint> points;
    for (int i = 0; i < example.points_size(); ++i) {
      const v1::Vector2& point = example.points(i);
      const MessageChecker at = place.In(point, "points", i);
      points.push_back({.x = at.Number("x", point.x(), 0.0, 1.0),
                        .y = at.Number("y", point.y(), 0.0, 1.0),
                        .time_s = i * definition_->tick_s});
    }
    return FeaturesOf(points);
  }

  void CompileControls(const v1::Controls& message,
                       const MessageChecker& place) {
    if (message.controls_size() > static_cast<int>(kControlsMax)) {
      place.Problem("controls",
                    fmt::format("there are more than {}", kControlsMax));
      return;
    }
    DeclaredNames names("controls", words());
    for (const int i : OrderOfIds(message.controls())) {
      const v1::Control& control = message.controls(i);
      const MessageChecker inside = place.In(control, "controls", i);
      ControlDefinition compiled = {
          .name = names.Declare("name", control.name(), inside),
          .kind = KindOf(control.kind())};
      compiled.pressed_event =
          CompileSentEvent("pressed_event", control.pressed_event(), inside);
      compiled.released_event =
          CompileSentEvent("released_event", control.released_event(), inside);
      const bool is_button = compiled.kind == ControlKind::kButton;
      if (!is_button && (compiled.pressed_event != kNoId ||
                         compiled.released_event != kNoId)) {
        inside.Problem("kind", "what isn't a button neither goes down nor up");
      }
      if (!is_button &&
          control.pattern_case() != v1::Control::PATTERN_NOT_SET) {
        inside.Problem("kind", "what isn't a button can't be a pattern");
      }
      definition_->controls.push_back(compiled);
    }
    // Patterns name other controls, so all have to be known.
    const std::vector<int> order = OrderOfIds(message.controls());
    for (uint32_t i = 0; i < order.size(); ++i) {
      const v1::Control& control = message.controls(order[i]);
      if (control.pattern_case() == v1::Control::PATTERN_NOT_SET) continue;
      definition_->controls[i].pattern =
          CompilePattern(control, place.In(control, "controls", order[i]),
                         message, *definition_, rate());
      if (HasPatternRow(definition_->controls[i].pattern)) {
        definition_->pattern_rows.push_back(i);
      }
    }
  }

  // A button's event: it says whose, and which.
  Id CompileSentEvent(std::string_view field, const std::string& name,
                      const MessageChecker& place) const {
    if (name.empty()) return kNoId;
    const Id event = events().Refer(EventRole::kSends, field, name, place);
    events().GiveArgument(field, name, "player", ScalarType::kInt64, place);
    events().GiveArgument(field, name, "control", ScalarType::kId, place);
    return event;
  }

  Id CompileHeardEvent(std::string_view field, const std::string& name,
                       const MessageChecker& place) const {
    if (name.empty()) return kNoId;
    return events().Refer(EventRole::kHears, field, name, place);
  }

  void CompileContexts(const v1::Controls& message,
                       const MessageChecker& place) {
    if (message.contexts_size() > static_cast<int>(kContextsMax)) {
      place.Problem("contexts",
                    fmt::format("there are more than {}", kContextsMax));
      return;
    }
    DeclaredNames names("contexts", words());
    DeclaredNames binding_names("bindings", words());
    std::map<Id, BindingDefinition> bindings;
    for (const int i : OrderOfIds(message.contexts())) {
      const v1::ControlContext& context = message.contexts(i);
      const MessageChecker inside = place.In(context, "contexts", i);
      definition_->contexts.push_back(
          {.name = names.Declare("name", context.name(), inside),
           .priority = context.priority(),
           .is_enabled = !context.disabled(),
           .captures = context.captures(),
           .enabled_by =
               CompileHeardEvent("enabled_by", context.enabled_by(), inside),
           .disabled_by =
               CompileHeardEvent("disabled_by", context.disabled_by(), inside),
           .bindings = {}});
      if (context.disabled() && context.enabled_by().empty()) {
        inside.Warning("disabled",
                       fmt::format("nothing enables the context '{}': it has "
                                   "no enabled_by",
                                   context.name()));
      }
      for (int k = 0; k < context.bindings_size(); ++k) {
        const v1::Binding& binding = context.bindings(k);
        const MessageChecker at = inside.In(binding, "bindings", k);
        BindingDefinition compiled = CompileBinding(binding, at);
        compiled.name = binding_names.Declare("name", binding.name(), at);
        bindings.emplace(compiled.name, compiled);
      }
    }
    if (bindings.size() > kBindingsMax) {
      place.Problem("contexts", fmt::format("there are more than {} bindings",
                                            kBindingsMax));
    }
    for (const auto& [name, binding] : bindings) {
      definition_->bindings.push_back(binding);
    }
    OrderBindings(message);
    OrderContexts(message);
  }

  // Those of a context by name: of equal values the first counts.
  void OrderBindings(const v1::Controls& message) {
    const std::vector<int> order = OrderOfIds(message.contexts());
    for (size_t i = 0; i < order.size(); ++i) {
      std::set<std::string> names;
      for (const v1::Binding& binding : message.contexts(order[i]).bindings()) {
        names.insert(binding.name());
      }
      for (const std::string& name : names) {
        definition_->contexts[i].bindings.push_back(
            definition_->FindBinding(IdOf(name)));
      }
    }
  }

  // By priority, then by name, as authors read them.
  void OrderContexts(const v1::Controls& message) {
    const std::vector<int> order = OrderOfIds(message.contexts());
    std::vector<uint32_t>& contexts = definition_->context_order;
    contexts.resize(definition_->contexts.size());
    std::iota(contexts.begin(), contexts.end(), 0u);
    std::ranges::stable_sort(contexts, [&](uint32_t a, uint32_t b) {
      const v1::ControlContext& first = message.contexts(order[a]);
      const v1::ControlContext& second = message.contexts(order[b]);
      if (first.priority() != second.priority()) {
        return first.priority() > second.priority();
      }
      return first.name() < second.name();
    });
  }

  BindingDefinition CompileBinding(const v1::Binding& message,
                                   const MessageChecker& place) const {
    BindingDefinition compiled;
    const bool has_source = CompileSource(
        message, place,
        {.inputs = world().info.inputs, .rate = rate(), .strokes = strokes_},
        compiled);
    const uint32_t control = definition_->FindControl(IdOf(message.control()));
    if (control == kNoIndex) {
      std::vector<std::string> known;
      for (const v1::Control& each : pack().controls().controls()) {
        known.push_back(each.name());
      }
      place.NoSuch("control", "control", message.control(), known);
      return compiled;
    }
    compiled.control = control;
    const ControlDefinition& definition = definition_->controls[control];
    if (definition.is_pattern()) {
      place.Problem("control", fmt::format("'{}' is a pattern of others",
                                           message.control()));
    } else if (has_source && !GivesKind(compiled.source, definition.kind)) {
      place.Problem(
          "control",
          fmt::format("'{}' is {}, which this source can't give",
                      message.control(), std::string(NameOf(definition.kind))));
    }
    return compiled;
  }

  void CompileRebind(const v1::Controls& message, const MessageChecker& place) {
    if (message.rebind().empty()) return;
    const Action* const action =
        world().info.inputs.Find(IdOf(message.rebind()));
    if (action == nullptr || action->kind != Action::Kind::kCommand) {
      place.NoSuch("rebind", "command action", message.rebind());
      return;
    }
    const auto names = [&](std::string_view name) {
      return std::ranges::any_of(
          action->arguments, [&](const ActionArgument& argument) {
            return argument.name == name && argument.capacity == 0 &&
                   (argument.type == PropertyType::kName ||
                    argument.type == PropertyType::kEnum);
          });
    };
    if (!names("binding") || !names("action")) {
      place.Problem("rebind",
                    fmt::format("'{}' needs the arguments `binding` and "
                                "`action`, of TYPE_NAME or TYPE_CHOICE",
                                message.rebind()));
    }
    definition_->rebind = action->id;
    // Actions are named by players, and by reports of what they have bound.
    for (const Action& each : world().info.inputs.actions) {
      words().insert(each.name);
    }
  }

  // What nothing can ever press is a mistake of the pack.
  void CheckUse(const v1::Controls& message,
                const MessageChecker& place) const {
    for (int i = 0; i < message.controls_size(); ++i) {
      const v1::Control& control = message.controls(i);
      const uint32_t index = definition_->FindControl(IdOf(control.name()));
      if (index == kNoIndex ||
          control.pattern_case() != v1::Control::PATTERN_NOT_SET) {
        continue;
      }
      const bool is_bound = std::ranges::any_of(
          definition_->bindings, [&](const BindingDefinition& binding) {
            return binding.control == index;
          });
      if (!is_bound) {
        place.In(control, "controls", i)
            .Problem("name",
                     fmt::format("no binding is for '{}'", control.name()));
      }
    }
  }

  std::shared_ptr<ControlsDefinition> definition_;
  std::vector<std::string> strokes_;  // names, by their indices
};

REPRISE_REGISTER_SYSTEM(controls, MakeSystemModule<ControlCompiler>(
                                      ControlsDefinition::Declaration(),
                                      {"Pack.controls"}));

}  // namespace
}  // namespace reprise::sim
