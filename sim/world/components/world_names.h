// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The names that the world itself gives: its events and their arguments. Those
// of chunks, doors and regions are declared with them.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_WORLD_NAMES_H_
#define REPRISE_SIM_WORLD_COMPONENTS_WORLD_NAMES_H_

#include <array>
#include <string_view>

#include "sim/base/id.h"

namespace reprise::sim {

// Every one of them, for the pack's table of names.
inline constexpr auto kWorldNames = std::to_array<std::string_view>({
    "amount",
    "blast",
    "body_refused",
    "chunk",
    "chunk_activated",
    "chunk_budget_exceeded",
    "chunk_cancelled",
    "chunk_deactivated",
    "chunk_kept",
    "chunk_leaving",
    "chunk_scheduled",
    "contact_began",
    "contact_ended",
    "contact_stayed",
    "contacts_refused",
    "count",
    "damage",
    "destroy",
    "destroyed",
    "door",
    "door_asked",
    "door_closed",
    "door_closing",
    "door_opened",
    "events_dropped",
    "explode",
    "fraction",
    "game",
    "game_lost",
    "game_won",
    "health",
    "hit",
    "impulse",
    "impulse_max",
    "joint",
    "joint_broken",
    "joint_motor",
    "jumped",
    "landed",
    "left_ground",
    "normal_x",
    "normal_y",
    "normal_z",
    "object",
    "object_destroyed",
    "object_spawned",
    "objective",
    "objective_active",
    "objective_complete",
    "objective_failed",
    "path",
    "path_ended",
    "player",
    "property",
    "property_refused",
    "ragdoll",
    "ragdoll_off",
    "read_refused",
    "reference",
    "request",
    "region",
    "region_entered",
    "region_left",
    "region_stayed",
    "region_visits_dropped",
    "sleep",
    "spawn",
    "spawn_incomplete",
    "spawn_refused",
    "stage",
    "stage_changed",
    "stale_reference",
    "start",
    "stop",
    "target",
    "timer",
    "trigger_entered",
    "trigger_left",
    "type",
    "visitor",
    "wake",
    "x",
    "y",
    "z",
});

// Events that every object understands.
inline constexpr Id kDestroy = IdOf("destroy");
inline constexpr Id kSleep = IdOf("sleep");
inline constexpr Id kWake = IdOf("wake");

// Changes motors of joints that hold the object: joint (none: all), target,
// impulse_max.
inline constexpr Id kJointMotor = IdOf("joint_motor");

// Events that an object with a ragdoll understands.
inline constexpr Id kRagdoll = IdOf("ragdoll");
inline constexpr Id kRagdollOff = IdOf("ragdoll_off");
// Events that an explosive and a destructible object understand.
inline constexpr Id kBlast = IdOf("blast");
inline constexpr Id kDamage = IdOf("damage");
inline constexpr Id kExplode = IdOf("explode");

// Events that a spawner understands; path followers know the last two.
inline constexpr Id kSpawn = IdOf("spawn");
inline constexpr Id kStart = IdOf("start");
inline constexpr Id kStop = IdOf("stop");

// Events, with their arguments.
// A body had values that physics can't simulate (above 10,000 m/s or rad/s
// along an axis, or not finite) and was stopped; or it came or woke beyond the
// bounds, and came to their edge.
inline constexpr Id kBodyRefused = IdOf("body_refused");
// Two bodies touch, still do, or no longer: object; of the first two also
// impulse, x, y, z, normal_x, normal_y and normal_z.
inline constexpr Id kContactBegan = IdOf("contact_began");
inline constexpr Id kContactEnded = IdOf("contact_ended");
inline constexpr Id kContactStayed = IdOf("contact_stayed");
// More bodies were near each other than can be looked at: count, the pairs that
// were. The others went through each other.
inline constexpr Id kContactsRefused = IdOf("contacts_refused");
// Somebody wants a door of an air lock to open: door. Sent by the game.
inline constexpr Id kDoorAsked = IdOf("door_asked");
// Nobody listened for too long: count.
inline constexpr Id kEventsDropped = IdOf("events_dropped");
// The outcome: the visitor of a trigger, or the objective.
inline constexpr Id kGameLost = IdOf("game_lost");
inline constexpr Id kGameWon = IdOf("game_won");
// An overload broke a joint of the object: joint.
inline constexpr Id kJointBroken = IdOf("joint_broken");
// A roller or character jumped.
inline constexpr Id kJumped = IdOf("jumped");
// A character came to stand, or no longer does: the object under it.
inline constexpr Id kLanded = IdOf("landed");
inline constexpr Id kLeftGround = IdOf("left_ground");
// An object came or went: type.
inline constexpr Id kObjectDestroyed = IdOf("object_destroyed");
inline constexpr Id kObjectSpawned = IdOf("object_spawned");
// A value out of its bounds was not written: property.
inline constexpr Id kPropertyRefused = IdOf("property_refused");
// An objective opened, or ended: objective. The tick after.
inline constexpr Id kObjectiveActive = IdOf("objective_active");
inline constexpr Id kObjectiveComplete = IdOf("objective_complete");
inline constexpr Id kObjectiveFailed = IdOf("objective_failed");
// A path follower came to the end of its path: path.
inline constexpr Id kPathEnded = IdOf("path_ended");
// More objects were in regions than are counted: count.
inline constexpr Id kRegionVisitsDropped = IdOf("region_visits_dropped");
// A behaviour wanted a value of this tick that is not there yet: reference.
inline constexpr Id kReadRefused = IdOf("read_refused");
// An object came, but there was no room for its timers or interests.
inline constexpr Id kSpawnIncomplete = IdOf("spawn_incomplete");
// There was no room for an object: type, and the chunk that it is of.
inline constexpr Id kSpawnRefused = IdOf("spawn_refused");
// A destructible object broke further: stage, health.
inline constexpr Id kStageChanged = IdOf("stage_changed");
// A handle led to nobody.
inline constexpr Id kStaleReference = IdOf("stale_reference");
// Something came into a trigger, or left it: visitor.
inline constexpr Id kTriggerEntered = IdOf("trigger_entered");
inline constexpr Id kTriggerLeft = IdOf("trigger_left");

// Arguments.
inline constexpr Id kAmount = IdOf("amount");
inline constexpr Id kChunk = IdOf("chunk");
inline constexpr Id kCount = IdOf("count");
inline constexpr Id kDoor = IdOf("door");
inline constexpr Id kFraction = IdOf("fraction");
inline constexpr Id kImpulseMax = IdOf("impulse_max");
inline constexpr Id kJoint = IdOf("joint");
inline constexpr Id kHealth = IdOf("health");
inline constexpr Id kImpulse = IdOf("impulse");
inline constexpr Id kNormalX = IdOf("normal_x");
inline constexpr Id kNormalY = IdOf("normal_y");
inline constexpr Id kNormalZ = IdOf("normal_z");
inline constexpr Id kObject = IdOf("object");
inline constexpr Id kObjective = IdOf("objective");
inline constexpr Id kPath = IdOf("path");
inline constexpr Id kPlayer = IdOf("player");
inline constexpr Id kProperty = IdOf("property");
inline constexpr Id kReference = IdOf("reference");
inline constexpr Id kRegion = IdOf("region");
inline constexpr Id kRequest = IdOf("request");
inline constexpr Id kTarget = IdOf("target");
inline constexpr Id kStage = IdOf("stage");
inline constexpr Id kTimer = IdOf("timer");
inline constexpr Id kType = IdOf("type");
inline constexpr Id kVisitor = IdOf("visitor");
inline constexpr Id kX = IdOf("x");
inline constexpr Id kY = IdOf("y");
inline constexpr Id kZ = IdOf("z");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_WORLD_NAMES_H_
