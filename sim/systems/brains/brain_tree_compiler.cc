// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/brains/brain_tree_compiler.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "reprise/v1/navigation.pb.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/decisions/planner.h"
#include "sim/decisions/utility.h"
#include "sim/world/components/property_ref.h"

namespace reprise::sim {
namespace {

constexpr double kDayS = 86'400.0;
constexpr double kHourS = 3'600.0;
constexpr int kEffectsMax = 64;
constexpr double kCoordinateMaxM = 1e6;

std::string_view KindName(const v1::BrainNode& message) {
  switch (message.kind_case()) {
    case v1::BrainNode::kSequence:
      return "sequence";
    case v1::BrainNode::kSelector:
      return "selector";
    case v1::BrainNode::kParallel:
      return "parallel";
    case v1::BrainNode::kMachine:
      return "machine";
    case v1::BrainNode::kChoose:
      return "choose";
    case v1::BrainNode::kPlan:
      return "plan";
    case v1::BrainNode::kInvert:
      return "invert";
    case v1::BrainNode::kSucceed:
      return "succeed";
    case v1::BrainNode::kRepeat:
      return "repeat";
    case v1::BrainNode::kCooldown:
      return "cooldown";
    case v1::BrainNode::kTimeLimit:
      return "time_limit";
    case v1::BrainNode::kWait:
      return "wait";
    case v1::BrainNode::kAwait:
      return "await";
    case v1::BrainNode::kGoTo:
      return "go_to";
    case v1::BrainNode::kUse:
      return "use";
    case v1::BrainNode::KIND_NOT_SET:
      break;
  }
  return "leaf";
}

}  // namespace

CompiledBrain BrainTreeCompiler::Compile(const v1::Brain& brain,
                                         const MessageChecker& place) {
  compiled_ = {};
  compiled_.definition.name = IdOf(brain.name());
  CompileSymbols(brain, place);
  if (brain.has_root()) {
    AddNode(brain.root(), place.In(brain.root(), "root"), kNothing, 0,
            /*is_state=*/false);
  } else {
    place.Problem("root", "required");
  }
  BrainDefinition& definition = compiled_.definition;
  definition.every = std::max<Tick>(
      1, Ticks("every_s", brain.every_s(), /*maximum_s=*/60.0, place));
  if (brain.nodes_per_update() != 0) {
    definition.nodes_per_update =
        place.Count("nodes_per_update", brain.nodes_per_update(), 1, 65'536);
  }
  if (brain.transitions_per_tick() != 0) {
    definition.transitions_per_tick = place.Count(
        "transitions_per_tick", brain.transitions_per_tick(), 1, 1'024);
  }
  // A total order: equal ids are the same.
  std::vector<Id>& heard = definition.heard;
  std::ranges::sort(heard);
  heard.erase(std::unique(heard.begin(), heard.end()), heard.end());
  return std::move(compiled_);
}

void BrainTreeCompiler::CompileSymbols(const v1::Brain& brain,
                                       const MessageChecker& place) {
  if (static_cast<size_t>(brain.symbols_size()) > kPlanSymbolsMax) {
    place.Problem("symbols", fmt::format("more than {}", kPlanSymbolsMax));
    return;
  }
  for (int i = 0; i < brain.symbols_size(); ++i) {
    const v1::BrainSymbol& symbol = brain.symbols(i);
    const MessageChecker at = place.In(symbol, "symbols", i);
    at.Name("name", symbol.name());
    if (std::ranges::find(symbols_, symbol.name()) != symbols_.end()) {
      at.Problem("name",
                 fmt::format("there are two symbols '{}'", symbol.name()));
    }
    if (symbol.if_().empty()) at.Problem("if", "required");
    symbols_.push_back(symbol.name());
    tree().symbols.push_back(CompileCondition("if", symbol.if_(), "", at));
  }
}

uint32_t BrainTreeCompiler::AddNode(const v1::BrainNode& message,
                                    const MessageChecker& place,
                                    uint32_t parent, uint32_t depth,
                                    bool is_state) {
  if (is_too_large_) return kNothing;
  if (depth >= kBrainDepthMax || tree().nodes.size() >= kBrainNodesMax) {
    is_too_large_ = true;
    place.Problem("name",
                  depth >= kBrainDepthMax
                      ? fmt::format("more than {} nodes within each other",
                                    kBrainDepthMax)
                      : fmt::format("more than {} nodes", kBrainNodesMax));
    return kNothing;
  }
  compiled_.depth = std::max(compiled_.depth, depth + 1);
  const auto index = static_cast<uint32_t>(tree().nodes.size());
  tree().nodes.push_back({.parent = parent, .is_state = is_state});
  CompileCommon(message, place, index);
  CompileKind(message, place, index, depth);
  return index;
}

void BrainTreeCompiler::CompileCommon(const v1::BrainNode& message,
                                      const MessageChecker& place,
                                      uint32_t index) {
  BrainNode compiled = node(index);
  if (!message.name().empty()) place.Name("name", message.name());
  compiled.name = Word(message.name().empty() ? std::string(KindName(message))
                                              : message.name());
  compiled.condition = CompileCondition("if", message.if_(), "", place);
  compiled.aborts_self = message.aborts() == v1::BrainNode::ABORTS_SELF ||
                         message.aborts() == v1::BrainNode::ABORTS_BOTH;
  compiled.aborts_lower = message.aborts() == v1::BrainNode::ABORTS_LOWER ||
                          message.aborts() == v1::BrainNode::ABORTS_BOTH;
  if ((compiled.aborts_self || compiled.aborts_lower) &&
      message.if_().empty()) {
    place.Problem("aborts", "needs a condition: if");
  }
  if (compiled.aborts_lower &&
      (compiled.parent == kNothing ||
       node(compiled.parent).kind != BrainNodeKind::kSelector)) {
    place.Problem("aborts",
                  "ABORTS_LOWER is for nodes of a selector: there is nothing "
                  "lower here");
  }
  compiled.enter = CompileEffects("enter", message.enter(), place);
  compiled.update = CompileEffects("update", message.update(), place);
  compiled.exit = CompileEffects("exit", message.exit(), place);
  compiled.update_every = std::max<Tick>(
      1, Ticks("update_every_s", message.update_every_s(), kHourS, place));
  compiled.ends = StatusOf(message.ends());
  if (compiled.is_state) {
    if (!message.if_().empty()) {
      place.Problem("if", "a state has none: transitions lead to it");
    }
    if (message.ends() == v1::BRAIN_RESULT_ANY) {
      place.Problem("ends",
                    "BRAIN_RESULT_SUCCESS or BRAIN_RESULT_FAILURE, not any");
    }
  } else if (message.transitions_size() > 0 ||
             message.ends() != v1::BRAIN_RESULT_UNSPECIFIED) {
    place.Problem(message.transitions_size() > 0 ? "transitions" : "ends",
                  "only states of a machine have that");
  }
  node(index) = compiled;
}

void BrainTreeCompiler::CompileKind(const v1::BrainNode& message,
                                    const MessageChecker& place, uint32_t index,
                                    uint32_t depth) {
  const auto set = [&](BrainNodeKind kind) { node(index).kind = kind; };
  switch (message.kind_case()) {
    case v1::BrainNode::kSequence:
      set(BrainNodeKind::kSequence);
      AddChildren("nodes", message.sequence().nodes(),
                  place.In(message.sequence(), "sequence"), index, depth,
                  false);
      return;
    case v1::BrainNode::kSelector:
      set(BrainNodeKind::kSelector);
      AddChildren("nodes", message.selector().nodes(),
                  place.In(message.selector(), "selector"), index, depth,
                  false);
      return;
    case v1::BrainNode::kParallel:
      set(BrainNodeKind::kParallel);
      if (message.parallel().any()) {
        node(index).succeeds = ParallelPolicy::kAny;
      }
      AddChildren("nodes", message.parallel().nodes(),
                  place.In(message.parallel(), "parallel"), index, depth,
                  false);
      return;
    case v1::BrainNode::kMachine:
      set(BrainNodeKind::kMachine);
      CompileMachine(message.machine(), place.In(message.machine(), "machine"),
                     index, depth);
      return;
    case v1::BrainNode::kChoose:
      set(BrainNodeKind::kChoose);
      CompileChoice(message.choose(), place.In(message.choose(), "choose"),
                    index, depth);
      return;
    case v1::BrainNode::kPlan:
      set(BrainNodeKind::kPlan);
      CompilePlan(message.plan(), place.In(message.plan(), "plan"), index,
                  depth);
      return;
    case v1::BrainNode::kInvert:
      set(BrainNodeKind::kInvert);
      AddChild(message.invert().node(), message.invert().has_node(),
               place.In(message.invert(), "invert"), index, depth);
      return;
    case v1::BrainNode::kSucceed:
      set(BrainNodeKind::kSucceed);
      AddChild(message.succeed().node(), message.succeed().has_node(),
               place.In(message.succeed(), "succeed"), index, depth);
      return;
    case v1::BrainNode::kRepeat: {
      const v1::BrainRepeat& repeat = message.repeat();
      const MessageChecker at = place.In(repeat, "repeat");
      set(BrainNodeKind::kRepeat);
      node(index).count = repeat.count();
      node(index).until = StatusOf(repeat.until());
      if (repeat.until() == v1::BRAIN_RESULT_ANY) {
        at.Problem("until",
                   "BRAIN_RESULT_SUCCESS or BRAIN_RESULT_FAILURE, not any");
      }
      AddChild(repeat.node(), repeat.has_node(), at, index, depth);
      return;
    }
    case v1::BrainNode::kCooldown:
    case v1::BrainNode::kTimeLimit: {
      const bool is_limit = message.has_time_limit();
      const v1::BrainTimed& timed =
          is_limit ? message.time_limit() : message.cooldown();
      const MessageChecker at =
          place.In(timed, is_limit ? "time_limit" : "cooldown");
      set(is_limit ? BrainNodeKind::kTimeLimit : BrainNodeKind::kCooldown);
      at.Positive("seconds", timed.seconds(), kDayS);
      node(index).ticks = Ticks("seconds", timed.seconds(), kDayS, at);
      AddChild(timed.node(), timed.has_node(), at, index, depth);
      return;
    }
    case v1::BrainNode::kWait:
      set(BrainNodeKind::kWait);
      node(index).ticks = Ticks("seconds", message.wait().seconds(), kDayS,
                                place.In(message.wait(), "wait"));
      return;
    case v1::BrainNode::kAwait:
      set(BrainNodeKind::kAwait);
      CompileAwait(message.await(), place.In(message.await(), "await"), index);
      return;
    case v1::BrainNode::kGoTo:
      set(BrainNodeKind::kGoTo);
      CompileGoing(message.go_to(), place.In(message.go_to(), "go_to"), index);
      return;
    case v1::BrainNode::kUse:
      set(BrainNodeKind::kPass);
      CompileUse(message.use(), place, index, depth);
      return;
    case v1::BrainNode::KIND_NOT_SET:
      break;
  }
  if (node(index).is_state) {
    set(BrainNodeKind::kIdle);
  } else if (message.if_().empty() && message.enter_size() == 0 &&
             message.exit_size() == 0) {
    place.Problem("name",
                  "does nothing: a leaf needs a condition, effects, wait, "
                  "await or go_to");
  }
}

void BrainTreeCompiler::SetChildren(uint32_t index,
                                    const std::vector<uint32_t>& children) {
  BrainTree& all = tree();
  node(index).first_child = static_cast<uint32_t>(all.children.size());
  node(index).child_count = static_cast<uint32_t>(children.size());
  all.children.insert(all.children.end(), children.begin(), children.end());
  all.actions.resize(all.children.size());
}

void BrainTreeCompiler::AddChild(const v1::BrainNode& message, bool is_there,
                                 const MessageChecker& place, uint32_t index,
                                 uint32_t depth) {
  if (!is_there) {
    place.Problem("node", "required");
    return;
  }
  SetChildren(index, {AddNode(message, place.In(message, "node"), index,
                              depth + 1, /*is_state=*/false)});
}

void BrainTreeCompiler::AddChildren(std::string_view field, const Nodes& nodes,
                                    const MessageChecker& place, uint32_t index,
                                    uint32_t depth, bool are_states) {
  if (nodes.empty()) place.Problem(field, "needs at least one");
  std::vector<uint32_t> children;
  for (int i = 0; i < nodes.size(); ++i) {
    children.push_back(AddNode(nodes[i], place.In(nodes[i], field, i), index,
                               depth + 1, are_states));
  }
  SetChildren(index, children);
}

void BrainTreeCompiler::CompileAwait(const v1::BrainAwait& await,
                                     const MessageChecker& place,
                                     uint32_t index) {
  node(index).event = Hear("event", await.event(), place);
  node(index).await_condition =
      CompileCondition("if", await.if_(), await.event(), place);
}

void BrainTreeCompiler::CompileGoing(const v1::BrainGoing& going,
                                     const MessageChecker& place,
                                     uint32_t index) {
  BrainGoing compiled;
  const int ways =
      (going.has_place() ? 1 : 0) + (going.object().empty() ? 0 : 1) +
      (going.property().empty() ? 0 : 1) + (going.goals().empty() ? 0 : 1);
  if (ways != 1) {
    place.Problem("place", "needs one of place, object, property and goals");
  } else if (going.has_place()) {
    compiled.place = place.Vector("place", going.place(), kCoordinateMaxM);
  } else if (!going.object().empty()) {
    compiled.object =
        compilation_.language.FindObject("object", going.object(), place);
  } else if (!going.goals().empty()) {
    compiled.goals = FindGoals(going.goals(), place);
  } else {
    const size_t dot = going.property().find('.');
    const absl::StatusOr<PropertyRef> property = FindProperty(
        compilation_.world.components, going.property().substr(0, dot),
        dot == std::string::npos ? "" : going.property().substr(dot + 1));
    if (!property.ok()) {
      place.Problem("property", std::string(property.status().message()));
    } else if (property->capacity > 0 ||
               (property->type != PropertyType::kVector3 &&
                property->type != PropertyType::kReference)) {
      place.Problem("property",
                    fmt::format("'{}' is neither a vector nor a reference",
                                going.property()));
    } else {
      compiled.property = *property;
    }
  }
  std::vector<BrainGoing>& goings = compiled_.definition.goings;
  node(index).going = static_cast<uint32_t>(goings.size());
  goings.push_back(compiled);
}

std::optional<Id> BrainTreeCompiler::FindGoals(
    const std::string& name, const MessageChecker& place) const {
  for (const v1::GoalSet& set : compilation_.pack.navigation().goal_sets()) {
    if (set.name() == name) return IdOf(name);
  }
  place.NoSuch("goals", "set of goals", name);
  return std::nullopt;
}

uint32_t BrainTreeCompiler::CompileCondition(std::string_view field,
                                             const std::string& text,
                                             const std::string& event,
                                             const MessageChecker& place) {
  if (text.empty()) return kNothing;
  return AddExpression(field, text, event, ExpressionType::kBool, place);
}

uint32_t BrainTreeCompiler::CompileNumber(std::string_view field,
                                          const std::string& text,
                                          const MessageChecker& place) {
  if (text.empty()) {
    place.Problem(field, "required");
    return kNothing;
  }
  return AddExpression(field, text, "", ExpressionType::kNumber, place);
}

uint32_t BrainTreeCompiler::AddExpression(std::string_view field,
                                          const std::string& text,
                                          const std::string& event,
                                          ExpressionType type,
                                          const MessageChecker& place) {
  std::shared_ptr<const EventExpression> expression =
      compilation_.language.CompileExpression(field, text, event, place);
  if (expression == nullptr) return kNothing;
  if (expression->type() != type) {
    place.Problem(field, type == ExpressionType::kBool
                             ? "this is no condition: it isn't true or false"
                             : "this is no number");
    return kNothing;
  }
  auto& expressions = compiled_.definition.expressions;
  expressions.push_back(std::move(expression));
  return static_cast<uint32_t>(expressions.size() - 1);
}

uint32_t BrainTreeCompiler::CompileEffects(
    std::string_view field,
    const google::protobuf::RepeatedPtrField<v1::Effect>& effects,
    const MessageChecker& place) {
  if (effects.empty()) return kNothing;
  if (effects.size() > kEffectsMax) {
    place.Problem(field, fmt::format("more than {}", kEffectsMax));
    return kNothing;
  }
  std::vector<EventEffect> compiled;
  for (int i = 0; i < effects.size(); ++i) {
    std::optional<EventEffect> effect = compilation_.language.CompileEffect(
        effects[i], "", place.In(effects[i], field, i));
    if (effect.has_value()) compiled.push_back(*std::move(effect));
  }
  auto& all = compiled_.definition.effects;
  all.push_back(std::move(compiled));
  return static_cast<uint32_t>(all.size() - 1);
}

NodeStatus BrainTreeCompiler::StatusOf(v1::BrainResult result) {
  switch (result) {
    case v1::BRAIN_RESULT_SUCCESS:
      return NodeStatus::kSucceeded;
    case v1::BRAIN_RESULT_FAILURE:
      return NodeStatus::kFailed;
    case v1::BRAIN_RESULT_ANY:
      return NodeStatus::kStopped;
    default:
      return NodeStatus::kIdle;
  }
}

Tick BrainTreeCompiler::Ticks(std::string_view field, double seconds,
                              double maximum_s, const MessageChecker& place) {
  if (!(seconds >= 0.0 && seconds <= maximum_s)) {
    place.Number(field, seconds, 0.0, maximum_s);
    return 0;
  }
  return CompileSeconds(field, seconds, compilation_.world.info.tick_rate,
                        place);
}

Tick BrainTreeCompiler::Period(std::string_view field, double seconds,
                               double maximum_s, const MessageChecker& place) {
  if (!(seconds >= 0.0 && seconds <= maximum_s)) {
    return Ticks(field, seconds, maximum_s, place);  // reports it
  }
  return CompilePeriod(field, seconds, compilation_.world.info.tick_rate,
                       place);
}

Id BrainTreeCompiler::Hear(std::string_view field, const std::string& event,
                           const MessageChecker& place) {
  const Id id =
      compilation_.events.Refer(EventRole::kHears, field, event, place);
  compiled_.definition.heard.push_back(id);
  return id;
}

Id BrainTreeCompiler::Word(const std::string& name) {
  compilation_.words.insert(name);
  return IdOf(name);
}

}  // namespace reprise::sim
