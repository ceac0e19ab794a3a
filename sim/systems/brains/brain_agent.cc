// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/brains/brain_agent.h"

#include <array>
#include <optional>

#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/systems/brains/brain_events.h"
#include "sim/systems/brains/expression_number.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/receivers.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {
namespace {

constexpr Id kStream = IdOf("brain");

}  // namespace

void BrainAgent::Begin(const BrainDefinition& brain, uint32_t row,
                       const WorldEvent& event, BrainRow& own) {
  brain_ = &brain;
  row_ = row;
  event_ = &event;
  own_ = &own;
}

bool BrainAgent::Holds(uint32_t condition) {
  return brain_->expressions[condition]->Holds(
      *event_, parts_.router->receivers(), evaluator_);
}

double BrainAgent::Number(uint32_t number) {
  return NumberFor(*brain_->expressions[number], *event_,
                   parts_.router->receivers(), evaluator_);
}

void BrainAgent::Do(uint32_t effects) {
  for (const EventEffect& effect : brain_->effects[effects]) {
    parts_.router->receivers().Apply(effect, *event_, evaluator_);
  }
}

void BrainAgent::Go(uint32_t going) {
  const BrainGoing& way = brain_->goings[going];
  const EventReceivers& receivers = parts_.router->receivers();
  if (way.place.has_value()) {
    navigators_->GoTo(row_, *way.place);
  } else if (way.object.has_value()) {
    // Of nobody's it fails at once, as of somebody who goes later.
    navigators_->GoAfter(row_, HandleOf(*way.object, *event_, receivers));
    if (HandleOf(*way.object, *event_, receivers).is_null()) {
      navigators_->Stay(row_);
    }
  } else if (way.goals.has_value()) {
    navigators_->GoToNearest(row_, *way.goals);
  } else {
    GoToProperty(*way.property);
  }
}

void BrainAgent::GoToProperty(const PropertyRef& property) {
  const EventReceivers& receivers = parts_.router->receivers();
  const auto read = [&](uint32_t part, ScalarType type) {
    return receivers.Read(event_->target, {.component = property.component,
                                           .offset = property.offset + 8 * part,
                                           .type = type});
  };
  if (property.type == PropertyType::kReference) {
    const std::optional<FieldValue> value = read(0, ScalarType::kHandle);
    const Handle target = value.has_value() ? value->AsHandle() : kNullHandle;
    navigators_->GoAfter(row_, target);
    if (receivers.ObjectOf(target) == kNoObject) navigators_->Stay(row_);
    return;
  }
  std::array<double, 3> place = {};
  for (uint32_t part = 0; part < 3; ++part) {
    const std::optional<FieldValue> value = read(part, ScalarType::kDouble);
    if (!value.has_value() || !IsFinite(value->AsDouble())) {
      navigators_->Stay(row_);
      return;
    }
    place[part] = value->AsDouble();
  }
  navigators_->GoTo(row_, {place[0], place[1], place[2]});
}

NodeStatus BrainAgent::Going([[maybe_unused]] uint32_t going) {
  if (navigators_->IsGoing(row_)) return NodeStatus::kRunning;
  return navigators_->StatusOf(row_) == kNavigatorArrived
             ? NodeStatus::kSucceeded
             : NodeStatus::kFailed;
}

void BrainAgent::StopGoing([[maybe_unused]] uint32_t going) {
  if (navigators_->IsGoing(row_)) navigators_->Stay(row_);
}

double BrainAgent::Draw() {
  RandomStream stream =
      MakeRandomStream(parts_.definition.info.seed, kStream, own_->object);
  stream.draws = own_->draws;
  const double drawn = NextUnit(stream);
  own_->draws = stream.draws;
  return drawn;
}

void BrainAgent::Notice(BrainNotice notice, uint32_t node) {
  std::string_view reason = kNoPlanReason;
  if (notice == BrainNotice::kNodesPassed) reason = kNodesReason;
  if (notice == BrainNotice::kTransitionsPassed) reason = kTransitionsReason;
  if (notice == BrainNotice::kPlanPassed) reason = kExpansionsReason;
  if (notice == BrainNotice::kPlanWaits) reason = kPlansReason;
  TellObject(parts_, kBrainBounded, own_->object,
             {{kReasonWord, FieldValue::OfId(IdOf(reason))},
              {kNodeWord, FieldValue::OfId(brain_->tree.nodes[node].name)}});
}

void BrainAgent::Changed(uint32_t machine, uint32_t from, uint32_t to) {
  const std::vector<BrainNode>& nodes = brain_->tree.nodes;
  TellObject(parts_, kBrainChanged, own_->object,
             {{kMachineWord, FieldValue::OfId(nodes[machine].name)},
              {kFromWord, FieldValue::OfId(nodes[from].name)},
              {kToWord, FieldValue::OfId(nodes[to].name)}});
}

void BrainAgent::Planned([[maybe_unused]] uint32_t node, uint32_t goal,
                         const Plan& plan) {
  const Id name = brain_->tree.goals[goal].name;
  own_->goal = name;
  TellObject(parts_, kBrainPlanned, own_->object,
             {{kGoalWord, FieldValue::OfId(name)},
              {kStepsWord,
               FieldValue::OfInt64(static_cast<int64_t>(plan.actions.size()))},
              {kCostWord, FieldValue::OfInt64(static_cast<int64_t>(plan.cost))},
              {kExpansionsWord, FieldValue::OfInt64(plan.expansions)}});
}

}  // namespace reprise::sim
