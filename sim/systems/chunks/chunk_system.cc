// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/chunks/chunk_system.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/event.h"
#include "sim/game_description.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/systems/chunks/chunk_events.h"
#include "sim/systems/chunks/chunk_objects.h"
#include "sim/systems/regions/object_points.h"
#include "sim/world/components/world_names.h"
#include "sim/world/events/event_router.h"
#include "sim/world/systems/object_changes.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {
namespace {

enum ChunkTable : uint32_t { kChunkTable, kViewerVisitTable, kAirLockTable };
enum ChunkStep : uint32_t { kMoveStep, kFollowStep, kAskStep };

SystemDeclaration MakeDeclaration() {
  constexpr std::string_view kRoom = ChunkDefinitions::kSystem;
  return {
      .name = kRoom,
      .help =
          "parts of the world whose objects come and go together, and the "
          "air locks between them",
      // The visits are the viewers', of load regions.
      .tables = {RowSchema::Of<ChunkRow>(), RowSchema::Of<RegionVisitRow>(),
                 RowSchema::Of<AirLockRow>()},
      .steps = {{.name = "chunks",
                 .point = StepPoint::kPresence,
                 .after = {"layers"},
                 .writes = {"components", "events", "physics", "time",
                            "world"}},
                {.name = "air locks",
                 .point = StepPoint::kContacts,
                 .after = {"regions"}},
                {.name = "doors",
                 .point = StepPoint::kCommit,
                 .after = {kObjectsStep.name}}},
      .events = kChunkEvents,
      .legends = {
          MakeLegend(kRoom, ChunkRow::kTable, "status", kChunkStatusNames),
          MakeLegend(kRoom, AirLockRow::kTable, "status", kAirLockStatusNames),
          MakeLegend(kRoom, AirLockRow::kTable, "side", kAirLockSideNames),
          MakeLegend(kRoom, AirLockRow::kTable, "asked_side",
                     kAirLockSideNames)}};
}

std::vector<uint32_t> ViewerTypes(const WorldDefinition& world) {
  const std::vector<const Viewer*> viewers = PartsOfTypes<Viewer>(world);
  std::vector<uint32_t> types;
  for (uint32_t type = 0; type < viewers.size(); ++type) {
    if (viewers[type] != nullptr) types.push_back(type);
  }
  return types;
}

}  // namespace

const SystemDeclaration& ChunkDefinitions::Declaration() {
  static const SystemDeclaration declaration = MakeDeclaration();
  return declaration;
}

std::unique_ptr<System> ChunkDefinitions::Create(
    const SystemPlace& place) const {
  return std::make_unique<Chunks>(*this, place);
}

std::vector<Id> ChunkDefinitions::heard_events() const {
  if (air_locks.empty()) return {};
  return {kDoorAsked};
}

Chunks::Chunks(const ChunkDefinitions& definition, const SystemPlace& place)
    : System(place),
      definition_(definition),
      viewer_types_(ViewerTypes(place.parts.definition)) {}

void Chunks::Connect(const Systems& systems) {
  layers_ = systems.Find<Layers>();
  visits_ = systems.Find<RegionVisits>();
}

void Chunks::Initialize() {
  definition_.loader->Initialize(mutable_table(kChunkTable));
  definition_.doors->Initialize(mutable_table(kAirLockTable));
}

absl::Status Chunks::CheckRows(const State& snapshot) const {
  const Table& chunks = snapshot.table(index(kChunkTable));
  absl::Status status = definition_.loader->CheckRows(
      chunks, snapshot.table(index(kViewerVisitTable)));
  if (!status.ok()) return status;
  // Looks the chunks up, which are in order.
  return definition_.doors->CheckRows(snapshot.table(index(kAirLockTable)),
                                      chunks);
}

void Chunks::Run(uint32_t step) {
  switch (step) {
    case kMoveStep:
      Move();
      break;
    case kFollowStep:
      FollowVisitors();
      break;
    case kAskStep:
      AskForDoors();
      break;
    default:
      break;
  }
}

std::vector<PresenceChange> Chunks::Update() const {
  Table& chunks = mutable_table(kChunkTable);
  Table& air_locks = mutable_table(kAirLockTable);
  const Table& layers = LayerRowsOf(layers_);
  std::span<const Id> changed_layers;
  if (layers_ != nullptr) changed_layers = layers_->changed();
  ChunkUpdate update = definition_.loader->Update(
      PointsOfTypes(parts(), viewer_types_),
      definition_.doors->HeldChunks(air_locks), changed_layers,
      parts().game_tick,
      {.chunks = chunks,
       .region_visits = mutable_table(kViewerVisitTable),
       .layers = layers});
  for (const ChunkEvent& event : update.events) {
    parts().router->Post(
        {.type = event.type,
         .arguments = {{kChunk, FieldValue::OfId(event.chunk)}}});
  }
  for (const DoorEvent& event : definition_.doors->Update(
           parts().game_tick, chunks, layers, air_locks)) {
    parts().router->Post(
        {.type = event.type,
         .arguments = {{kDoor, FieldValue::OfId(event.door)}}});
  }
  return std::move(update.objects);
}

void Chunks::Move() const {
  const std::vector<PresenceChange> changes = Update();
  if (SendAway(parts(), changes)) CommitObjects(parts());
  if (BringIn(parts(), changes)) CommitObjects(parts());
}

void Chunks::FollowVisitors() const {
  if (visits_ == nullptr) return;
  definition_.doors->Follow(visits_->events(), mutable_table(kAirLockTable));
}

void Chunks::AskForDoors() const {
  for (const Event& event : parts().journal.step_events()) {
    if (event.type != kDoorAsked) continue;
    const auto door =
        std::ranges::find(event.arguments, kDoor, &EventArgument::name);
    if (door == event.arguments.end()) continue;
    // A door that there isn't is nobody's.
    definition_.doors->Ask(Id{door->value.bits}, mutable_table(kAirLockTable))
        .IgnoreError();
  }
}

}  // namespace reprise::sim
