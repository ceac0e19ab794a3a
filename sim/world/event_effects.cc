// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/event_effects.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "sim/base/field.h"
#include "sim/base/property_type.h"
#include "sim/expression/value.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/property_value.h"
#include "sim/world/systems/run_outcome.h"
#include "sim/world/updates/object_request.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {
namespace {

// The nearest whole number, the higher of two; nullopt beyond 64 bits.
std::optional<int64_t> Rounded(double value) {
  constexpr double kLimit = 0x1p62;
  if (!(value > -kLimit && value < kLimit)) return std::nullopt;
  const double raised = value + 0.5;
  auto whole = static_cast<int64_t>(raised);
  if (static_cast<double>(whole) > raised) --whole;
  return whole;
}

std::optional<int64_t> WholeOf(const ExpressionValue& value) {
  if (const auto* const number = std::get_if<double>(&value)) {
    return Rounded(*number);
  }
  const auto whole = std::get<ExpressionInteger>(value);
  if (whole < std::numeric_limits<int64_t>::min() ||
      whole > std::numeric_limits<int64_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int64_t>(whole);
}

double NumberOf(const ExpressionValue& value) {
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  return static_cast<double>(std::get<ExpressionInteger>(value));
}

// What an expression comes to as a scalar of a type, which is the expression's;
// nullopt when it can't be one.
std::optional<FieldValue> ScalarOf(const ExpressionValue& value,
                                   ScalarType type) {
  switch (type) {
    case ScalarType::kBool:
      return FieldValue{type, std::get<bool>(value) ? 1u : 0u};
    case ScalarType::kInt64: {
      const std::optional<int64_t> whole = WholeOf(value);
      if (!whole.has_value()) return std::nullopt;
      return FieldValue::OfInt64(*whole);
    }
    case ScalarType::kDouble:
      return FieldValue::OfDouble(NumberOf(value));
    default: {
      // Texts are ids; who has no name is called like nobody else, which no
      // property can be.
      const auto id = std::get<ExpressionInteger>(value);
      if (id > std::numeric_limits<uint64_t>::max()) return std::nullopt;
      return FieldValue{type, static_cast<uint64_t>(id)};
    }
  }
}

ExpressionValue ValueOf(FieldValue scalar) {
  if (scalar.type == ScalarType::kDouble) return scalar.AsDouble();
  return static_cast<ExpressionInteger>(static_cast<int64_t>(scalar.bits));
}

// Does one effect to the object 0 of a context.
class Effects {
 public:
  Effects(const WorldParts& parts, const EventReceivers& receivers,
          const WorldEvent& event, ExpressionEvaluator& evaluator,
          UpdateContext& context)
      : parts_(parts),
        receivers_(receivers),
        event_(event),
        evaluator_(evaluator),
        context_(context) {}

  void operator()(const DestroyEffect&) const {
    context_.Destroy(0, context_.handle(0));
  }

  void operator()(const PropertyEffect& effect) const {
    if (effect.value == nullptr) {
      const Handle whom = effect.whom.has_value()
                              ? HandleOf(*effect.whom, event_, receivers_)
                              : kNullHandle;
      Set(effect.property, PropertyValue::OfReference(whom));
      return;
    }
    const absl::StatusOr<PropertyValue> old = context_.Get(0, effect.property);
    if (!old.ok()) return;  // it lacks the component
    absl::InlinedVector<FieldValue, 4> scalars(old->scalars().begin(),
                                               old->scalars().end());
    FieldValue& scalar = scalars[effect.part];
    ExpressionAnswer answer =
        effect.value->Evaluate(event_, receivers_, evaluator_);
    if (answer.ok() && effect.is_added) {
      answer = Calculate(ExpressionOperator::kAdd, ValueOf(scalar), *answer);
    }
    if (!answer.ok() || std::holds_alternative<ExpressionAbsence>(*answer)) {
      return;
    }
    const std::optional<FieldValue> value = ScalarOf(*answer, scalar.type);
    if (!value.has_value()) return;
    scalar = *value;
    Set(effect.property, PropertyValue::OfScalars(effect.property.type,
                                                  /*is_list=*/false, scalars));
  }

  void operator()(const SendEffect& effect) const {
    WorldEvent sent{.type = effect.event,
                    .sender = event_.sender,
                    .target = context_.handle(0)};
    for (const EventArgument& argument : effect.arguments) {
      sent.arguments.Set(argument.name, argument.value).IgnoreError();
    }
    parts_.router->Post(sent, effect.delay);
  }

  void operator()(const SpawnEffect& effect) const {
    ObjectRequest request;
    request.archetype = effect.archetype;
    request.name = effect.name;
    request.place = context_.Place(0);
    request.place.position = request.place.position + effect.offset;
    // What is refused is told of.
    context_.Spawn(0, request).IgnoreError();
  }

  void operator()(const StartTimerEffect& effect) const {
    context_.StopTimer(0, effect.timer.name);
    context_.StartTimer(0, effect.timer).IgnoreError();
  }

  void operator()(const StopTimerEffect& effect) const {
    context_.StopTimer(0, effect.name);
  }

  void operator()(const OutcomeEffect&) const {}  // of nobody's

 private:
  // What the property doesn't allow, the context tells of.
  void Set(const PropertyRef& property, const PropertyValue& value) const {
    context_.Set(0, property, value).IgnoreError();
  }

  const WorldParts& parts_;
  const EventReceivers& receivers_;
  const WorldEvent& event_;
  ExpressionEvaluator& evaluator_;
  UpdateContext& context_;
};

void Decide(const WorldParts& parts, const OutcomeEffect& outcome,
            ObjectId by) {
  const Decision decision{.outcome = outcome.is_won ? Outcome::Status::kWon
                                                    : Outcome::Status::kLost,
                          .reason = outcome.reason,
                          .by = by};
  if (DecideRun(parts, decision)) TellOutcome(parts, decision, {});
}

}  // namespace

void ApplyEffect(const WorldParts& parts, const State* cached,
                 const EventReceivers& receivers, const EventEffect& effect,
                 const WorldEvent& event, ExpressionEvaluator& evaluator) {
  const Handle handle = effect.object.has_value()
                            ? HandleOf(*effect.object, event, receivers)
                            : kNullHandle;
  if (effect.object.has_value() && handle.is_null()) return;
  if (const auto* const outcome = std::get_if<OutcomeEffect>(&effect.kind)) {
    Decide(parts, *outcome, receivers.ObjectOf(handle));
    return;
  }
  const uint32_t row = parts.objects.RowOf(parts.state, handle);
  const uint64_t bucket = parts.state.table(parts.tables.objects.objects)
                              .Get<ObjectRow>(row)
                              .bucket;
  UpdateContext context(parts, cached);
  context.Begin(bucket, std::span(&row, 1));
  std::visit(Effects(parts, receivers, event, evaluator, context), effect.kind);
  context.End();
}

}  // namespace reprise::sim
