// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Conditions and numbers of an event, in the language of sim/expression: what
// its arguments are, whom it is about, and how these stand.
//
//   speed > 3 and visitor.type == "marble" and visitor.health.points < 10

#ifndef REPRISE_SIM_WORLD_EVENTS_EVENT_EXPRESSION_H_
#define REPRISE_SIM_WORLD_EVENTS_EVENT_EXPRESSION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/expression/evaluator.h"
#include "sim/expression/expression.h"
#include "sim/game_description.h"
#include "sim/world/components/component.h"
#include "sim/world/events/participant.h"
#include "sim/world/events/receivers.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

// What the names in an expression of an event mean. All outlive the parsing.
struct EventNames {
  // Of the event.
  std::span<const EventArgumentDescription> arguments;
  // Of the pack.
  std::span<const ComponentDefinition> components;
  std::span<const std::string_view> types;
  // An object by its name; unset where there is none.
  std::function<std::optional<Participant>(const std::string& name)>
      find_object;
  // The name that an id of the pack stands for.
  std::function<std::string(Id id)> name_of;
  // What an argument can be the name of, ascending; empty where it may be any.
  std::function<std::vector<std::string>(std::string_view argument)> names_in =
      {};
  // `self` is the target, too.
  bool has_self = false;
};

// `speed` is an argument; `sender`, `target` and an argument that is an object
// are names of objects, absent where there is none; `sender.type` is the name
// of its type, and `sender.health.points` a property of it or, with .x, .y, .z
// or .w behind it, a number of one. Objects of the pack have types and
// properties, too: `door.type`. In quotes it may be any name. An argument that
// is of another type than is declared is absent.
//
// Immutable; any number of threads may evaluate it.
class EventExpression {
 public:
  // INVALID_ARGUMENT: "column 8: ...".
  static absl::StatusOr<EventExpression> Parse(std::string_view text,
                                               const EventNames& names);

  ExpressionType type() const { return type_; }
  // The texts in it, for whoever gives ids their names.
  const std::vector<std::string>& words() const { return words_; }

  // What it comes to for an event that is delivered now. A text is the id of
  // it, as a whole number, so that nothing is allocated but errors.
  ExpressionAnswer Evaluate(const WorldEvent& event,
                            const EventReceivers& receivers,
                            ExpressionEvaluator& evaluator) const;

  // Whether a condition holds. One that is unknown, since somebody isn't there,
  // or can't be computed, doesn't. REQUIRES: type() is kBool.
  bool Holds(const WorldEvent& event, const EventReceivers& receivers,
             ExpressionEvaluator& evaluator) const;

 private:
  friend class EventScope;
  friend class EventReader;

  struct Reference {
    enum class Kind : uint8_t { kArgument, kName, kType, kProperty };
    Kind kind = Kind::kArgument;
    Id argument;
    // What the expression takes the argument for; one of another type is
    // absent.
    ExpressionType type = ExpressionType::kNumber;
    Participant participant;
    ComponentScalar scalar;
  };

  EventExpression() = default;

  ExpressionType type_ = ExpressionType::kBool;
  ExpressionProgram program_;
  std::vector<Reference> references_;
  std::vector<std::string> words_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_EVENT_EXPRESSION_H_
