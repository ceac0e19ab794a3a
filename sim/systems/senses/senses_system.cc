// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/senses/senses_system.h"

#include <algorithm>
#include <array>

#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/state/row_schema.h"
#include "sim/systems/senses/senses_events.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/events/event_router.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/body_queries.h"

namespace reprise::sim {
namespace {

enum StepNumber : uint32_t { kLook, kRows };

// What is seen may stand on something: the line ends so far before it.
constexpr double kLineEndM = 0.001;

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"is_active", "1: it notices others; 0: nobody", 0.0, 1.0},
    {"sees", "how many others it sees", 0.0},
    {"seen", "the nearest that it sees, or the last that it remembers"},
    {"seen_at", "where that was"},
    {"seen_age", "ticks since it was seen; -1: it remembers nobody", -1.0},
    {"heard_at", "where the last noise was that it heard"},
    {"heard_age", "ticks since it was heard; -1: it remembers none", -1.0},
});

}  // namespace

const SystemDeclaration& SensesDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "objects that see, hear and remember others",
      .tables = {RowSchema::Of<MemoryRow>(), RowSchema::Of<SensesTurnRow>()},
      .steps = {{.name = "senses",
                 .point = StepPoint::kPrePhysics,
                 .after = {kDecideStep.name},
                 .before = {"brains", "navigators", "vehicles look",
                            "characters", "vehicles"},
                 .writes = {"components.senses", "events"}},
                {.name = "senses rows", .point = StepPoint::kAfterObjects}},
      .events = kSensesEvents,
      .handles = {kMakeNoise},
      .components = {NativeComponent<SensesRow>("notices others", kNotes)}};
  return declaration;
}

std::unique_ptr<System> SensesDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<SensesSystem>(*this, place);
}

SensesSystem::SensesSystem(const SensesDefinition& definition,
                           const SystemPlace& place)
    : System(place),
      definition_(definition),
      uses_(PartsOfTypes<SensesUse>(place.parts.definition)),
      sights_(uses_.size()),
      bodies_(QueriesOf(place.parts)) {
  const std::vector<TypeDefinition>& types = place.parts.definition.types;
  for (uint32_t i = 0; i < uses_.size(); ++i) {
    if (uses_[i] == nullptr || !uses_[i]->vision.has_value()) continue;
    for (uint32_t k = 0; k < types.size(); ++k) {
      const bool is_seen =
          std::ranges::any_of(uses_[i]->vision->of, [&](Id type) {
            return types[k].id == type ||
                   std::ranges::find(types[k].bases, type) !=
                       types[k].bases.end();
          });
      if (is_seen) sights_[i].push_back(k);
    }
  }
}

bool SensesSystem::IsSomewhere(Vector3 place) {
  constexpr double kMaxM = 1e12;
  return Abs(place.x) <= kMaxM && Abs(place.y) <= kMaxM &&
         Abs(place.z) <= kMaxM;
}

void SensesSystem::Initialize() {
  mutable_table(kTurns).Resize(1);
  Follow();
}

void SensesSystem::Run(uint32_t step) {
  if (step == kLook) {
    LookAll();
    return;
  }
  Follow();
  // What noises cost begins anew behind all that makes them.
  listeners_asked_ = 0;
  noise_lines_ = 0;
  is_told_of_noises_ = false;
}

void SensesSystem::Follow() {
  const bool is_current =
      FollowsAll(parts(), table(kMemories), [this](uint32_t type) {
        return uses_[type] == nullptr ? 0 : uses_[type]->memories_max;
      });
  if (is_current) return;
  const std::vector<RowOwner> owners =
      OwnersIn(state(), parts(),
               [this](uint32_t type) { return uses_[type] != nullptr; });
  FollowOwners(
      owners, state(), index(kMemories),
      [this](const RowOwner& owner, Table& table) {
        uint32_t row =
            table.LowerBound(std::array{owner.object.serial, uint64_t{0}});
        const uint32_t count = uses_[owner.type]->memories_max;
        for (uint32_t i = 0; i < count; ++i, ++row) {
          table.Insert(row);
          table.Mutable<MemoryRow>(row) = {.object = owner.object, .number = i};
        }
      });
}

template <typename IsWanted>
void SensesSystem::FindObservers(const IsWanted& is_wanted) {
  observers_.clear();
  const Table& objects = state().table(parts().tables.objects.objects);
  for (uint32_t type = 0; type < uses_.size(); ++type) {
    if (uses_[type] == nullptr) continue;
    const Table& own = state().table(component_table(*uses_[type]));
    for (const uint32_t row : parts().objects.RowsOfType(type)) {
      const auto& object = objects.Get<ObjectRow>(row);
      if (object.status != ObjectStatus::kActive) continue;
      const auto& senses = own.Get<SensesRow>(
          parts().objects.ComponentRow(row, uses_[type]->component));
      if (senses.is_active == 0 || !is_wanted(*uses_[type], senses)) continue;
      observers_.push_back({object.object, type, row});
    }
  }
  // A total order: each object is there once.
  std::ranges::sort(observers_, {}, &Observer::object);
}

void SensesSystem::LookAll() {
  has_looked_ = false;
  lines_ = 0;
  const Tick now = parts().game_tick;
  FindObservers([now](const SensesUse&, const SensesRow& senses) {
    return now >= senses.look_at;
  });
  if (observers_.empty()) return;
  const ObjectId next = table(kTurns).Get<SensesTurnRow>(0).next;
  const auto first =
      std::ranges::lower_bound(observers_, next, {}, &Observer::object);
  std::rotate(observers_.begin(), first, observers_.end());
  SensesTurnRow turn;
  for (size_t i = 0; i < observers_.size(); ++i) {
    if (lines_ >= definition_.lines_per_tick) {
      turn.next = observers_[i].object;
      parts().router->Post(
          {.type = kSightBudgetPassed,
           .arguments = {{kCountWord, FieldValue::OfInt64(static_cast<int64_t>(
                                          observers_.size() - i))}}});
      break;
    }
    Look(observers_[i]);
  }
  if (turn.next != next) {
    mutable_table(kTurns).Mutable<SensesTurnRow>(0) = turn;
  }
}

void SensesSystem::Look(const Observer& observer) {
  const SensesUse& use = *uses_[observer.type];
  sightings_.clear();
  if (use.vision.has_value()) FindVisible(observer, *use.vision);
  const uint32_t first = *FindOwnedRow(table(kMemories), observer.object);
  memories_.clear();
  for (uint32_t i = 0; i < use.memories_max; ++i) {
    memories_.push_back(table(kMemories).Get<MemoryRow>(first + i));
  }
  Remember(observer, memories_);
  TakeNew(observer, memories_);
  for (uint32_t i = 0; i < use.memories_max; ++i) {
    WriteRow(mutable_table(kMemories), first + i, memories_[i]);
  }
  const uint32_t row =
      parts().objects.ComponentRow(observer.row, use.component);
  const TableIndex component = component_table(use);
  WriteRow(state().mutable_table(component), row,
           Summary(observer, state().table(component).Get<SensesRow>(row),
                   memories_));
}

void SensesSystem::FindVisible(const Observer& observer, const Vision& vision) {
  const Transform place = sim::PlaceOf(parts(), state(), observer.row);
  const Vector3 eyes = place.position + Rotate(place.rotation, vision.eyes);
  if (!IsSomewhere(eyes)) return;
  const Vector3 forward = vision.is_ahead
                              ? Heading(observer, vision, place)
                              : Rotate(place.rotation, vision.forward);
  const Table& objects = state().table(parts().tables.objects.objects);
  for (const uint32_t type : sights_[observer.type]) {
    for (const uint32_t row : parts().objects.RowsOfType(type)) {
      const auto& object = objects.Get<ObjectRow>(row);
      if (object.status != ObjectStatus::kActive ||
          object.object == observer.object) {
        continue;
      }
      Sighting sighting = {
          .object = object.object,
          .place = sim::PlaceOf(parts(), state(), row).position};
      if (!IsSomewhere(sighting.place)) continue;
      sighting.distance_m = Length(sighting.place - eyes);
      if (IsVisible(vision, eyes, forward, observer.object, sighting)) {
        sightings_.push_back(sighting);
      }
    }
  }
  // A total order: each object is there once.
  std::ranges::sort(sightings_, {}, &Sighting::object);
}

Vector3 SensesSystem::Heading(const Observer& observer, const Vision& vision,
                              const Transform& place) {
  const SensesUse& use = *uses_[observer.type];
  const TableIndex component = component_table(use);
  const uint32_t row =
      parts().objects.ComponentRow(observer.row, use.component);
  SensesRow own = state().table(component).Get<SensesRow>(row);
  const Vector3 way = place.position - own.looked_from;
  // At its first look it has come from nowhere.
  if (own.look_at == 0) {
    own.heading = Rotate(place.rotation, vision.forward);
  } else if (Length(way) > kLineEndM && IsSomewhere(own.looked_from)) {
    own.heading = Normalized(way);
  }
  own.looked_from = place.position;
  WriteRow(state().mutable_table(component), row, own);
  return own.heading;
}

bool SensesSystem::IsVisible(const Vision& vision, Vector3 eyes,
                             Vector3 forward, ObjectId observer,
                             const Sighting& sighting) {
  const double distance = sighting.distance_m;
  const bool is_near = distance <= vision.near_m;
  if (!is_near) {
    if (distance > vision.range_m) return false;
    const double along = Dot(forward, sighting.place - eyes);
    if (along < vision.cosine * distance) return false;
  }
  return HasLine(eyes, sighting.place, observer, sighting.object);
}

bool SensesSystem::HasLine(Vector3 from, Vector3 to, ObjectId one,
                           ObjectId other) {
  ++lines_;
  const double distance = Length(to - from);
  if (distance <= kLineEndM) return true;
  if (!has_looked_) {
    bodies_.Look(state());
    has_looked_ = true;
  }
  const Vector3 end = from + (to - from) * (1.0 - kLineEndM / distance);
  return !bodies_
              .CastRay({.from = from, .to = end},
                       {.ignored = one, .ignored_too = other})
              .has_value();
}

void SensesSystem::Remember(const Observer& observer,
                            std::span<MemoryRow> memories) {
  const Tick now = parts().game_tick;
  for (MemoryRow& memory : memories) {
    if (memory.subject == kNoObject) continue;
    const auto found = std::ranges::lower_bound(sightings_, memory.subject, {},
                                                &Sighting::object);
    const bool is_seen =
        found != sightings_.end() && found->object == memory.subject;
    const FieldValue subject = FieldValue::OfObject(memory.subject);
    if (is_seen) {
      if (memory.is_seen == 0) {
        TellObject(parts(), kSaw, observer.object,
                   {{kObjectWord, subject},
                    {kDistanceWord, FieldValue::OfDouble(found->distance_m)}});
      }
      memory.seen_on = now;
      memory.place = found->place;
    } else if (memory.is_seen != 0) {
      TellObject(parts(), kLostSightOf, observer.object,
                 {{kObjectWord, subject}});
    }
    memory.is_seen = is_seen ? 1 : 0;
    memory.age = now - memory.seen_on;
    const bool is_gone =
        parts().objects.RowOf(state(), memory.subject) == kNoRow;
    if (!is_gone && memory.age <= uses_[observer.type]->memory) continue;
    TellObject(parts(), kForgot, observer.object, {{kObjectWord, subject}});
    memory = {.object = memory.object, .number = memory.number};
  }
}

void SensesSystem::TakeNew(const Observer& observer,
                           std::span<MemoryRow> memories) {
  for (const Sighting& sighting : sightings_) {
    const auto known =
        std::ranges::find(memories, sighting.object, &MemoryRow::subject);
    if (known != memories.end()) continue;
    // A free place, or that of whom it hasn't seen for longest; whom it sees
    // stays.
    MemoryRow* place = nullptr;
    for (MemoryRow& memory : memories) {
      if (memory.subject == kNoObject) {
        place = &memory;
        break;
      }
      if (memory.is_seen != 0) continue;
      if (place == nullptr || memory.seen_on < place->seen_on) place = &memory;
    }
    if (place == nullptr) return;
    if (place->subject != kNoObject) {
      TellObject(parts(), kForgot, observer.object,
                 {{kObjectWord, FieldValue::OfObject(place->subject)}});
    }
    *place = {.object = place->object,
              .number = place->number,
              .subject = sighting.object,
              .is_seen = 1,
              .seen_on = parts().game_tick,
              .place = sighting.place};
    TellObject(parts(), kSaw, observer.object,
               {{kObjectWord, FieldValue::OfObject(sighting.object)},
                {kDistanceWord, FieldValue::OfDouble(sighting.distance_m)}});
  }
}

SensesRow SensesSystem::Summary(const Observer& observer, SensesRow own,
                                std::span<const MemoryRow> memories) const {
  const SensesUse& use = *uses_[observer.type];
  const Tick now = parts().game_tick;
  own.look_at = now + use.every;
  own.sees = 0;
  const MemoryRow* best = nullptr;
  double best_distance = 0.0;
  const Vector3 here = sim::PlaceOf(parts(), state(), observer.row).position;
  for (const MemoryRow& memory : memories) {
    if (memory.subject == kNoObject) continue;
    own.sees += memory.is_seen != 0 ? 1 : 0;
    const double distance = Length(memory.place - here);
    const bool is_better =
        best == nullptr || memory.seen_on > best->seen_on ||
        (memory.seen_on == best->seen_on &&
         (distance < best_distance ||
          (distance == best_distance && memory.subject < best->subject)));
    if (!is_better) continue;
    best = &memory;
    best_distance = distance;
  }
  if (best == nullptr) {
    own.seen = kNullHandle;
    own.seen_age = kNeverNoticed;
  } else {
    const uint32_t row = parts().objects.RowOf(state(), best->subject);
    own.seen = row == kNoRow ? kNullHandle
                             : state()
                                   .table(parts().tables.objects.objects)
                                   .Get<ObjectRow>(row)
                                   .handle;
    own.seen_at = best->place;
    own.seen_age = static_cast<int64_t>(best->age);
  }
  if (own.heard_age != kNeverNoticed) {
    const Tick age = now - own.heard_on;
    own.heard_age =
        age > use.memory ? kNeverNoticed : static_cast<int64_t>(age);
  }
  return own;
}

absl::Status SensesSystem::CheckRows(const State& snapshot) const {
  const absl::Status misfit = absl::DataLossError(
      "snapshot: memories of nobody, or that nobody can have");
  if (snapshot.table(index(kTurns)).row_count() != 1) return misfit;
  const std::vector<RowOwner> owners =
      OwnersIn(snapshot, parts(),
               [this](uint32_t type) { return uses_[type] != nullptr; });
  const Table& memories = snapshot.table(index(kMemories));
  uint32_t row = 0;
  for (const RowOwner& owner : owners) {
    for (uint32_t i = 0; i < uses_[owner.type]->memories_max; ++i, ++row) {
      if (row == memories.row_count()) return misfit;
      const auto& memory = memories.Get<MemoryRow>(row);
      if (memory.object != owner.object || memory.number != i ||
          memory.is_seen > 1 || !IsSomewhere(memory.place)) {
        return misfit;
      }
    }
  }
  return row == memories.row_count() ? absl::OkStatus() : misfit;
}

}  // namespace reprise::sim
