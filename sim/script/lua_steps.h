// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Follows scripts instruction by instruction, for the profile of the host and
// whoever looks on, or where the probes of the host are.

#ifndef REPRISE_SIM_SCRIPT_LUA_STEPS_H_
#define REPRISE_SIM_SCRIPT_LUA_STEPS_H_

struct lua_State;

namespace reprise::sim {

// From now on, or no longer. It changes neither what scripts do nor what that
// is charged. REQUIRES: the host has a profile that knows all functions which
// run.
void FollowSteps(lua_State* lua, bool is_following);

// Adds the functions of a file, whose main chunk is on the top of the stack, to
// the host's profile.
void ListFunctions(lua_State* lua, int file);

// Puts the host's probes into the functions of the file whose main chunk is on
// the top of the stack. REQUIRES: they were listed.
void PlaceProbes(lua_State* lua);

// Tells the host's probes of what they are in from now on, or no longer.
void FollowProbes(lua_State* lua, bool is_following);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_LUA_STEPS_H_
