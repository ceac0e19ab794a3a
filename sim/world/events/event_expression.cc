// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/event_expression.h"

#include <array>
#include <deque>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/base/property_type.h"
#include "sim/expression/scope.h"
#include "sim/expression/token.h"
#include "sim/expression/tree.h"
#include "sim/expression/value.h"
#include "sim/world/components/property_ref.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kSender = "sender";
constexpr std::string_view kTarget = "target";
constexpr std::string_view kSelf = "self";
constexpr std::string_view kTypeName = "type";

bool IsObject(ScalarType type) {
  return type == ScalarType::kObject || type == ScalarType::kHandle;
}

// What a scalar is to an expression.
ExpressionType ExpressionTypeOf(ScalarType type) {
  if (type == ScalarType::kBool) return ExpressionType::kBool;
  if (type == ScalarType::kId || IsObject(type)) return ExpressionType::kText;
  return ExpressionType::kNumber;
}

ExpressionValue NumberOf(Id id) {
  return static_cast<ExpressionInteger>(id.value);
}

// The numbers of a vector or a rotation by what stands behind the last dot.
std::optional<uint32_t> PartNamed(std::string_view name, PropertyType type) {
  constexpr std::array<std::string_view, 4> kParts = {"x", "y", "z", "w"};
  for (uint32_t i = 0; i < ScalarsOf(type); ++i) {
    if (kParts[i] == name) return i;
  }
  return std::nullopt;
}

// An error of what queries can ask, and what is about an event can't, says so.
absl::Status SayWhoseElse(const absl::Status& status) {
  const std::string_view text(status.message().data(), status.message().size());
  for (const std::string_view unknown :
       {"name 'tick'", "name 'outcome'", "function 'event'",
        "function 'exists'", "function 'count'"}) {
    if (text.find(fmt::format("there is no {}", unknown)) == text.npos) {
      continue;
    }
    return absl::Status(status.code(),
                        fmt::format("{}: it is of queries alone", text));
  }
  return status;
}

}  // namespace

class EventScope final : public ExpressionScope {
 public:
  explicit EventScope(const EventNames& names) : names_(names) {}

  absl::StatusOr<std::optional<ExpressionMeaning>> FindName(
      const ExpressionNode& node) override {
    const std::string& first = node.path[0];
    const std::optional<Participant> participant = FindParticipant(node);
    if (node.kind == ExpressionNode::Kind::kName) {
      if (participant.has_value()) {
        return Add(ExpressionType::kText,
                   {.kind = EventExpression::Reference::Kind::kName,
                    .participant = *participant});
      }
      const EventArgumentDescription* const argument = FindArgument(first);
      if (argument == nullptr) return std::nullopt;
      if (!argument->type.has_value()) {
        return ExpressionErrorAt(
            node.column,
            fmt::format("of which type '{}' is, nobody declares", first));
      }
      ExpressionMeaning meaning =
          Add(ExpressionTypeOf(*argument->type),
              {.kind = EventExpression::Reference::Kind::kArgument,
               .argument = IdOf(first),
               .type = ExpressionTypeOf(*argument->type)});
      if (*argument->type == ScalarType::kId && names_.names_in) {
        meaning.choices =
            KeepChoices(fmt::format("'{}'", first), names_.names_in(first));
      }
      return meaning;
    }
    if (!participant.has_value()) {
      if (FindArgument(first) != nullptr) {
        return ExpressionErrorAt(node.column,
                                 fmt::format("'{}' is no object", first));
      }
      return UnknownNameAt(node.column, "argument or object", first,
                           KnownNames());
    }
    if (node.path.size() == 2 && node.path[1] == kTypeName) {
      ExpressionMeaning meaning =
          Add(ExpressionType::kText,
              {.kind = EventExpression::Reference::Kind::kType,
               .participant = *participant});
      if (names_.types.size() > 1) meaning.choices = &types_;
      return meaning;
    }
    return FindPropertyOf(*participant, node);
  }

  std::vector<std::string> KnownNames() const override {
    std::vector<std::string> known = {std::string(kSender),
                                      std::string(kTarget)};
    if (names_.has_self) known.emplace_back(kSelf);
    for (const EventArgumentDescription& argument : names_.arguments) {
      known.push_back(argument.name);
    }
    return known;
  }

  std::vector<EventExpression::Reference> TakeReferences() {
    return std::move(references_);
  }

 private:
  struct Choices {
    std::string kind;
    std::vector<std::string> names;
    std::vector<std::string_view> views;
    ExpressionChoices choices;
  };

  const EventArgumentDescription* FindArgument(std::string_view name) const {
    for (const EventArgumentDescription& argument : names_.arguments) {
      if (argument.name == name) return &argument;
    }
    return nullptr;
  }

  // Whom the first name stands for; an object of the pack only where something
  // of it is asked.
  std::optional<Participant> FindParticipant(const ExpressionNode& node) const {
    const std::string& name = node.path[0];
    if (!node.is_object_quoted) {
      if (name == kSender) {
        return Participant{.kind = Participant::Kind::kSender};
      }
      if (name == kTarget || (names_.has_self && name == kSelf)) {
        return Participant{.kind = Participant::Kind::kTarget};
      }
      const EventArgumentDescription* const argument = FindArgument(name);
      if (argument != nullptr) {
        if (!argument->type.has_value() || !IsObject(*argument->type)) {
          return std::nullopt;
        }
        return Participant{.kind = Participant::Kind::kArgument,
                           .id = IdOf(name)};
      }
    }
    if (node.kind == ExpressionNode::Kind::kName || !names_.find_object) {
      return std::nullopt;
    }
    return names_.find_object(name);
  }

  absl::StatusOr<std::optional<ExpressionMeaning>> FindPropertyOf(
      const Participant& participant, const ExpressionNode& node) {
    if (node.path.size() < 3) {
      return ExpressionErrorAt(
          node.path_columns.back(),
          fmt::format("what of {0}? {0}.type or {0}.component.property",
                      node.path[0]));
    }
    const absl::StatusOr<PropertyRef> found =
        FindProperty(names_.components, node.path[1], node.path[2]);
    if (!found.ok()) {
      return ExpressionErrorAt(node.path_columns[1],
                               std::string(found.status().message()));
    }
    const std::string name = node.path[1] + "." + node.path[2];
    if (found->capacity > 0) {
      return ExpressionErrorAt(node.path_columns[2],
                               fmt::format("'{}' is a list", name));
    }
    const ScalarType scalar = ScalarTypeOf(found->type);
    uint32_t part = 0;
    if (ScalarsOf(found->type) > 1) {
      const std::optional<uint32_t> wanted =
          node.path.size() == 4 ? PartNamed(node.path[3], found->type)
                                : std::nullopt;
      if (!wanted.has_value()) {
        return ExpressionErrorAt(
            node.path_columns.back(),
            fmt::format("'{}' has parts: .x, .y{}{}", name,
                        ScalarsOf(found->type) > 2 ? ", .z" : "",
                        ScalarsOf(found->type) > 3 ? ", .w" : ""));
      }
      part = *wanted;
    } else if (node.path.size() > 3) {
      return ExpressionErrorAt(node.path_columns[3],
                               fmt::format("'{}' has no parts", name));
    }
    ExpressionMeaning meaning =
        Add(ExpressionTypeOf(scalar),
            {.kind = EventExpression::Reference::Kind::kProperty,
             .participant = participant,
             .scalar = {.component = found->component,
                        .offset = found->offset + part * ScalarSize(scalar),
                        .type = scalar}});
    meaning.choices = ChoicesOf(
        names_.components[found->component].properties[found->property]);
    return meaning;
  }

  // Null where it may be any text.
  const ExpressionChoices* ChoicesOf(const PropertyDefinition& property) {
    if (property.choices.size() < 2 || !names_.name_of) return nullptr;
    std::vector<std::string> names;
    for (const Id choice : property.choices) {
      names.push_back(names_.name_of(choice));
    }
    return KeepChoices(fmt::format("'{}'", property.name), std::move(names));
  }

  // Null where there is nothing to choose.
  const ExpressionChoices* KeepChoices(std::string kind,
                                       std::vector<std::string> names) {
    if (names.empty()) return nullptr;
    Choices& choices = choices_.emplace_back();
    choices.kind = std::move(kind);
    choices.names = std::move(names);
    choices.views.assign(choices.names.begin(), choices.names.end());
    choices.choices = {choices.kind, choices.views};
    return &choices.choices;
  }

  ExpressionMeaning Add(ExpressionType type,
                        const EventExpression::Reference& reference) {
    references_.push_back(reference);
    return {.type = type,
            .reference = static_cast<uint32_t>(references_.size() - 1)};
  }

  const EventNames& names_;
  const ExpressionChoices types_ = {"a type", names_.types};
  std::deque<Choices> choices_;  // they stay where they are
  std::vector<EventExpression::Reference> references_;
};

// Reads what an event and those who take part in it are now.
class EventReader final : public ExpressionReader {
 public:
  EventReader(const EventExpression& expression, const WorldEvent& event,
              const EventReceivers& receivers)
      : expression_(expression), event_(event), receivers_(receivers) {}

  ExpressionAnswer Read(uint32_t index) override {
    const EventExpression::Reference& reference =
        expression_.references_[index];
    if (reference.kind == EventExpression::Reference::Kind::kArgument) {
      const EventArgument* const argument =
          event_.arguments.Find(reference.argument);
      // Whoever sent it may not have kept to what is declared: scripts before
      // it was, code of a program, a snapshot.
      if (argument == nullptr ||
          ExpressionTypeOf(argument->value.type) != reference.type) {
        return ExpressionValue(ExpressionAbsence{});
      }
      return ValueOf(argument->value);
    }
    const Handle handle = HandleOf(reference.participant, event_, receivers_);
    if (handle.is_null()) return ExpressionValue(ExpressionAbsence{});
    switch (reference.kind) {
      case EventExpression::Reference::Kind::kName:
        return NameOf(handle);
      case EventExpression::Reference::Kind::kType:
        return NumberOf(receivers_.TypeOf(handle));
      default:
        break;
    }
    const std::optional<FieldValue> value =
        receivers_.Read(handle, reference.scalar);
    if (!value.has_value()) return ExpressionValue(ExpressionAbsence{});
    return ValueOf(*value);
  }

 private:
  // One without a name is called like nobody else.
  ExpressionValue NameOf(Handle handle) const {
    const Id name = receivers_.NameOf(handle);
    if (name != kNoId) return NumberOf(name);
    constexpr ExpressionInteger kBehindIds = ExpressionInteger{1} << 64;
    return kBehindIds +
           static_cast<ExpressionInteger>(receivers_.ObjectOf(handle).serial);
  }

  ExpressionValue OfObject(Handle handle) const {
    if (receivers_.ObjectOf(handle) == kNoObject) return ExpressionAbsence{};
    return NameOf(handle);
  }

  ExpressionValue ValueOf(FieldValue value) const {
    switch (value.type) {
      case ScalarType::kBool:
        return value.bits != 0;
      case ScalarType::kDouble:
        return value.AsDouble();
      case ScalarType::kId:
        return NumberOf(Id{value.bits});
      case ScalarType::kObject:
        return OfObject(receivers_.HandleOf(ObjectId{value.bits}));
      case ScalarType::kHandle:
        return OfObject(value.AsHandle());
      default:
        return static_cast<ExpressionInteger>(static_cast<int64_t>(value.bits));
    }
  }

  const EventExpression& expression_;
  const WorldEvent& event_;
  const EventReceivers& receivers_;
};

absl::StatusOr<EventExpression> EventExpression::Parse(
    std::string_view text, const EventNames& names) {
  EventScope scope(names);
  const absl::StatusOr<Expression> parsed = Expression::Parse(text, scope);
  if (!parsed.ok()) return SayWhoseElse(parsed.status());
  EventExpression expression;
  expression.type_ = parsed->type();
  expression.program_ = parsed->programs().front();
  expression.references_ = scope.TakeReferences();
  // Texts are only ever compared for equality, so their ids do for them.
  for (ExpressionStep& step : expression.program_.steps) {
    const auto* const word = std::get_if<std::string>(&step.literal);
    if (word == nullptr) continue;
    expression.words_.push_back(*word);
    step.literal = NumberOf(IdOf(expression.words_.back()));
  }
  return expression;
}

ExpressionAnswer EventExpression::Evaluate(
    const WorldEvent& event, const EventReceivers& receivers,
    ExpressionEvaluator& evaluator) const {
  EventReader reader(*this, event, receivers);
  return evaluator.Evaluate(program_, reader);
}

bool EventExpression::Holds(const WorldEvent& event,
                            const EventReceivers& receivers,
                            ExpressionEvaluator& evaluator) const {
  const ExpressionAnswer answer = Evaluate(event, receivers, evaluator);
  return answer.ok() && IsBool(*answer, true);
}

}  // namespace reprise::sim
