// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The ids of what the world itself has names for: its events and their
// arguments. What each event says stands in built_in_events.h; the ids of those
// of chunks, doors, regions and the router are declared with them.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_WORLD_NAMES_H_
#define REPRISE_SIM_WORLD_COMPONENTS_WORLD_NAMES_H_

#include "sim/base/id.h"
#include "sim/world/components/built_in_events.h"

namespace reprise::sim {

// Events that every object understands.
inline constexpr Id kDestroy = EventIdOf("destroy");
inline constexpr Id kSleep = EventIdOf("sleep");
inline constexpr Id kWake = EventIdOf("wake");

// Events that an object with motors and an air lock understand.
inline constexpr Id kDoorAsked = EventIdOf("door_asked");
inline constexpr Id kJointMotor = EventIdOf("joint_motor");
// Events that an object with a ragdoll understands.
inline constexpr Id kRagdoll = EventIdOf("ragdoll");
inline constexpr Id kRagdollOff = EventIdOf("ragdoll_off");
// Events that an explosive and a destructible object understand.
inline constexpr Id kBlast = EventIdOf("blast");
inline constexpr Id kDamage = EventIdOf("damage");
inline constexpr Id kExplode = EventIdOf("explode");

// Events that a spawner understands; path followers know the last two.
inline constexpr Id kSpawn = EventIdOf("spawn");
inline constexpr Id kStart = EventIdOf("start");
inline constexpr Id kStop = EventIdOf("stop");

// Events that the world sends.
inline constexpr Id kBodyRefused = EventIdOf("body_refused");
inline constexpr Id kContactBegan = EventIdOf("contact_began");
inline constexpr Id kContactEnded = EventIdOf("contact_ended");
inline constexpr Id kContactStayed = EventIdOf("contact_stayed");
inline constexpr Id kContactsRefused = EventIdOf("contacts_refused");
inline constexpr Id kEventsDropped = EventIdOf("events_dropped");
inline constexpr Id kGameLost = EventIdOf("game_lost");
inline constexpr Id kGameWon = EventIdOf("game_won");
inline constexpr Id kJointBroken = EventIdOf("joint_broken");
inline constexpr Id kJumped = EventIdOf("jumped");
inline constexpr Id kLanded = EventIdOf("landed");
inline constexpr Id kLeftGround = EventIdOf("left_ground");
inline constexpr Id kObjectDestroyed = EventIdOf("object_destroyed");
inline constexpr Id kObjectSpawned = EventIdOf("object_spawned");
inline constexpr Id kPropertyRefused = EventIdOf("property_refused");
inline constexpr Id kObjectiveActive = EventIdOf("objective_active");
inline constexpr Id kObjectiveComplete = EventIdOf("objective_complete");
inline constexpr Id kObjectiveFailed = EventIdOf("objective_failed");
inline constexpr Id kPathEnded = EventIdOf("path_ended");
inline constexpr Id kRegionVisitsDropped = EventIdOf("region_visits_dropped");
inline constexpr Id kReadRefused = EventIdOf("read_refused");
inline constexpr Id kSpawnIncomplete = EventIdOf("spawn_incomplete");
inline constexpr Id kSpawnRefused = EventIdOf("spawn_refused");
inline constexpr Id kStageChanged = EventIdOf("stage_changed");
inline constexpr Id kStaleReference = EventIdOf("stale_reference");
inline constexpr Id kTriggerEntered = EventIdOf("trigger_entered");
inline constexpr Id kTriggerLeft = EventIdOf("trigger_left");

// Arguments.
inline constexpr Id kAmount = WordIdOf("amount");
inline constexpr Id kChunk = WordIdOf("chunk");
inline constexpr Id kCount = WordIdOf("count");
inline constexpr Id kDoor = WordIdOf("door");
inline constexpr Id kFraction = WordIdOf("fraction");
inline constexpr Id kImpulseMax = WordIdOf("impulse_max");
inline constexpr Id kJoint = WordIdOf("joint");
inline constexpr Id kHealth = WordIdOf("health");
inline constexpr Id kImpulse = WordIdOf("impulse");
inline constexpr Id kNormalX = WordIdOf("normal_x");
inline constexpr Id kNormalY = WordIdOf("normal_y");
inline constexpr Id kNormalZ = WordIdOf("normal_z");
inline constexpr Id kObject = WordIdOf("object");
inline constexpr Id kObjective = WordIdOf("objective");
inline constexpr Id kPath = WordIdOf("path");
inline constexpr Id kPlayer = WordIdOf("player");
inline constexpr Id kProperty = WordIdOf("property");
inline constexpr Id kReference = WordIdOf("reference");
inline constexpr Id kRegion = WordIdOf("region");
inline constexpr Id kRequest = WordIdOf("request");
inline constexpr Id kTarget = WordIdOf("target");
inline constexpr Id kStage = WordIdOf("stage");
inline constexpr Id kText = WordIdOf("text");
inline constexpr Id kTimer = WordIdOf("timer");
inline constexpr Id kType = WordIdOf("type");
inline constexpr Id kVisitor = WordIdOf("visitor");
inline constexpr Id kX = WordIdOf("x");
inline constexpr Id kY = WordIdOf("y");
inline constexpr Id kZ = WordIdOf("z");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_WORLD_NAMES_H_
