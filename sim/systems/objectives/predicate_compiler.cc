// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/objectives/predicate_compiler.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/known_names.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/expression/expression.h"
#include "sim/expression/scope.h"
#include "sim/expression/token.h"
#include "sim/expression/tree.h"
#include "sim/expression/value.h"
#include "sim/world/components/comparison.h"
#include "sim/world/components/component.h"
#include "sim/world/events/event_expression.h"

namespace reprise::sim {
namespace {

std::optional<Comparison> ComparisonOf(v1::Predicate::Comparison comparison) {
  switch (comparison) {
    case v1::Predicate::COMPARISON_LESS:
      return Comparison::kLess;
    case v1::Predicate::COMPARISON_AT_MOST:
      return Comparison::kAtMost;
    case v1::Predicate::COMPARISON_EQUAL:
      return Comparison::kEqual;
    case v1::Predicate::COMPARISON_AT_LEAST:
      return Comparison::kAtLeast;
    case v1::Predicate::COMPARISON_MORE:
      return Comparison::kMore;
    default:
      return std::nullopt;
  }
}

// Whether a property is one number, or true or false.
bool IsNumber(const PropertyDefinition& property) {
  return property.capacity == 0 && (property.type == PropertyType::kBool ||
                                    property.type == PropertyType::kInt ||
                                    property.type == PropertyType::kDouble);
}

// Why an object has no component of that name; empty: it has it.
std::string WhyNotOf(const ObjectDefinition& object,
                     const std::string& component, const WorldDefinition& world,
                     const MessageChecker& place) {
  const TypeDefinition& type =
      world.types[world.archetypes[object.archetype].type];
  std::vector<std::string> names;
  for (const ComponentUse& use : type.components) {
    names.push_back(world.components[use.component].name);
    if (names.back() == component) return "";
  }
  return fmt::format("'{}' has no component '{}'{}", object.name, component,
                     place.SuggestionFor(component, names));
}

// Finds what a predicate asks for; reports what there isn't.
void FindProperty(const v1::Predicate& message, const MessageChecker& place,
                  const WorldDefinition& world, PredicateDefinition& compiled) {
  const ObjectDefinition* const object =
      FindObjectNamed(message.object(), world);
  if (object == nullptr) {
    place.NoSuch("object", "object", message.object());
    return;
  }
  const std::optional<uint32_t> component =
      world.FindComponent(IdOf(message.component()));
  if (const std::string problem =
          WhyNotOf(*object, message.component(), world, place);
      !problem.empty()) {
    place.Problem("component", problem);
    return;
  }
  const ComponentDefinition& definition = world.components[*component];
  const std::optional<uint32_t> property = definition.Find(message.property());
  if (!property.has_value() || !IsNumber(definition.properties[*property])) {
    std::vector<std::string> names;
    for (const PropertyDefinition& each : definition.properties) {
      if (IsNumber(each)) names.push_back(each.name);
    }
    place.Problem("property",
                  fmt::format("'{}' has no number or boolean '{}'{}",
                              definition.name, message.property(),
                              place.SuggestionFor(message.property(), names)));
    return;
  }
  compiled.component = *component;
  compiled.property = *property;
}

// Whether all that is called is there; what isn't is reported behind this, and
// what it would take doesn't matter then.
bool HasItsFunctions(const ExpressionTree& tree) {
  return std::ranges::all_of(tree.nodes, [](const ExpressionNode& node) {
    return node.kind != ExpressionNode::Kind::kCall ||
           IsExpressionFunction(node.path[0]);
  });
}

// What is wrong with the names of an expression that there is no event for:
// they are objects of the pack, and each has what is asked of it.
absl::Status CheckNames(const ExpressionTree& tree,
                        const WorldDefinition& world,
                        const MessageChecker& place) {
  if (!HasItsFunctions(tree)) return absl::OkStatus();
  constexpr std::array<std::string_view, 3> kOfEvents = {"self", "sender",
                                                         "target"};
  for (const ExpressionNode& node : tree.nodes) {
    const bool is_name = node.kind == ExpressionNode::Kind::kName;
    if (!is_name && node.kind != ExpressionNode::Kind::kField) continue;
    const std::string& name = node.path[0];
    const ObjectDefinition* const object = FindObjectNamed(name, world);
    if (object == nullptr) {
      return UnknownNameAt(node.column, "object", name,
                           KnownNames(*place.manifest(), "object"));
    }
    if (is_name) {
      return ExpressionErrorAt(
          node.column,
          fmt::format("what of {0}? {0}.type or {0}.component.property", name));
    }
    if (!node.is_object_quoted &&
        std::ranges::find(kOfEvents, name) != kOfEvents.end()) {
      return ExpressionErrorAt(
          node.column, fmt::format("'{}' without quotes has a part in an "
                                   "event, and there is none here",
                                   name));
    }
    if (node.path.size() < 3) continue;  // its type, or reported behind this
    const std::string problem = WhyNotOf(*object, node.path[1], world, place);
    if (!problem.empty()) {
      return ExpressionErrorAt(node.path_columns[1], problem);
    }
  }
  return absl::OkStatus();
}

// Null after reporting what is wrong with it.
std::shared_ptr<const EventExpression> CompileCondition(
    const v1::Predicate& message, const MessageChecker& place,
    const EventLanguage& language, const WorldDefinition& world) {
  if (!message.object().empty() || !message.component().empty() ||
      !message.property().empty() || message.value() != 0 ||
      message.comparison() != v1::Predicate::COMPARISON_UNSPECIFIED) {
    place.Problem("if",
                  "either this, or object, component, property, comparison and "
                  "value");
    return nullptr;
  }
  const absl::StatusOr<ExpressionTree> tree = ParseExpression(message.if_());
  const absl::Status status =
      tree.ok() ? CheckNames(*tree, world, place) : tree.status();
  if (!status.ok()) {
    place.Problem("if", std::string(status.message()));
    return nullptr;
  }
  std::shared_ptr<const EventExpression> condition =
      language.CompileExpression("if", message.if_(), /*event=*/"", place);
  if (condition == nullptr || condition->type() == ExpressionType::kBool) {
    return condition;
  }
  place.Problem("if", "this is no condition: it isn't true or false");
  return nullptr;
}

// Of one property of one object.
void CompileComparison(const v1::Predicate& message,
                       const MessageChecker& place,
                       const WorldDefinition& world,
                       PredicateDefinition& compiled) {
  constexpr double kAny = std::numeric_limits<double>::max();
  compiled.object = IdOf(message.object());
  compiled.value = place.Number("value", message.value(), -kAny, kAny);
  FindProperty(message, place, world, compiled);
  const std::optional<Comparison> comparison =
      ComparisonOf(message.comparison());
  if (!comparison.has_value()) {
    place.Problem("comparison", "how is it compared with the value?");
  }
  compiled.comparison = comparison.value_or(Comparison::kEqual);
}

}  // namespace

std::vector<PredicateDefinition> CompilePredicates(
    const v1::Pack& pack, const MessageChecker& checker,
    const EventLanguage& language, std::set<std::string>& words,
    const WorldDefinition& world) {
  std::vector<PredicateDefinition> predicates;
  DeclaredNames names("predicates", words);
  for (int i = 0; i < pack.predicates_size(); ++i) {
    const v1::Predicate& message = pack.predicates(i);
    const MessageChecker place = checker.In(message, "predicates", i);
    PredicateDefinition compiled;
    compiled.name = names.Declare("name", message.name(), place);
    if (message.if_().empty()) {
      CompileComparison(message, place, world, compiled);
    } else {
      compiled.condition = CompileCondition(message, place, language, world);
    }
    predicates.push_back(std::move(compiled));
  }
  // A total order: equal names were reported above.
  std::ranges::sort(predicates, {}, &PredicateDefinition::name);
  return predicates;
}

}  // namespace reprise::sim
