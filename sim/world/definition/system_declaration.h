// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a game system says of itself, whatever pack uses it: the tables that it
// keeps, when in a tick it runs, and the events that it sends and understands.

#ifndef REPRISE_SIM_WORLD_DEFINITION_SYSTEM_DECLARATION_H_
#define REPRISE_SIM_WORLD_DEFINITION_SYSTEM_DECLARATION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/id.h"
#include "sim/game_description.h"
#include "sim/state/row_schema.h"
#include "sim/world/components/component.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// When something runs. The first ones are phases of a tick, in order; what the
// world itself does in them has names, too (WorldSteps).
enum class StepPoint : uint8_t {
  kEvents,       // timers fire, events that are due are delivered
  kPresence,     // parts of the world come and go, and their objects with them
  kPrePhysics,   // behaviours decide and push bodies, bucket by bucket
  kPhysics,      // the fixed number of substeps
  kContacts,     // what came of it: touches, breaking, places
  kPostPhysics,  // behaviours see what came of it, bucket by bucket
  kCommit,       // late events are delivered, objects come and go
  kBeforeObjects,  // whenever objects come and go, before they do
  kAfterObjects,   // whenever they did, and their bodies with them
};
inline constexpr size_t kStepPointCount = 9;

// "pre_physics".
std::string_view StepPointName(StepPoint point);

// Something that a system does at one point of a tick.
struct SystemStep {
  // Unique among all steps at its point; the writer that differences between
  // runs name. REQUIRES: of the world's names none.
  std::string_view name;
  StepPoint point = StepPoint::kContacts;
  // Steps at the same point that come before it, and those that it comes
  // before: of systems that this program has, or of the world. Where a pack
  // lacks one of them, nothing is waited for.
  std::vector<std::string_view> after;
  std::vector<std::string_view> before;
  // What it writes besides its own system's tables: rooms of the world's
  // ("physics") or tables of them ("world.run"). Never another system's.
  std::vector<std::string_view> writes;
  // The systems that it has change something, by their instances.
  std::vector<std::string_view> asks;
};

// The world's own steps, each of which may write anything: behaviours and
// handlers of events run in most of them.
struct WorldStep {
  std::string_view name;
  StepPoint point = StepPoint::kEvents;
};
inline constexpr WorldStep kTimersStep = {"timers", StepPoint::kEvents};
inline constexpr WorldStep kAnswersStep = {"answers", StepPoint::kEvents};
inline constexpr WorldStep kEventsStep = {"event queue", StepPoint::kEvents};
inline constexpr WorldStep kDecideStep = {"behaviours", StepPoint::kPrePhysics};
inline constexpr WorldStep kSolverStep = {"solver", StepPoint::kPhysics};
inline constexpr WorldStep kReactStep = {"behaviours", StepPoint::kPostPhysics};
inline constexpr WorldStep kLateEventsStep = {"event queue",
                                              StepPoint::kCommit};
inline constexpr WorldStep kObjectsStep = {"objects", StepPoint::kCommit};

// All of them, in the order in which they run.
std::span<const WorldStep> WorldSteps();

// Rooms of the state that are the world's; no system has the name of one.
std::span<const std::string_view> WorldRooms();

// Something that behaviours ask for, and that a system answers some ticks later
// (System::Answer). Requests of all kinds wait in one queue.
struct RequestKind {
  // Unique among all systems', and none of the world's ("ray").
  std::string_view name;
  // At least 1: what is due beyond that waits for the next tick.
  uint32_t per_tick_max = 1;
};

// Of each system there is one, for as long as the program runs.
struct SystemDeclaration {
  // Of a-z and _: the name of its room of tables, too.
  std::string_view name;
  // One line for people.
  std::string_view help;
  // Of each a table in its room; the schema's name is the table's.
  std::vector<std::shared_ptr<const RowSchema>> tables;
  std::vector<SystemStep> steps;
  // Those that it sends or understands, in ascending order of names.
  std::span<const EventDeclaration> events;
  // The types of events that it handles for an object when no behaviour does:
  // its own, or the world's. No other system handles the same.
  std::vector<Id> handles;
  // Components that objects have by its part of their type. A pack whose types
  // lack them doesn't have them, unlike those that are registered.
  std::vector<ComponentDefinition> components;
  // What numbers in its tables stand for.
  std::vector<Legend> legends;
  // What it answers behaviours.
  std::vector<RequestKind> requests;
  // Other words that ids of its rows and events stand for.
  std::vector<std::string_view> words;
};

// Makes a system of the program known, which outlives all else. Called before
// main(), by what registers the rest of it.
bool RegisterSystemDeclaration(const SystemDeclaration* declaration);

// All of them, in ascending order of names.
std::vector<const SystemDeclaration*> RegisteredSystemDeclarations();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEFINITION_SYSTEM_DECLARATION_H_
