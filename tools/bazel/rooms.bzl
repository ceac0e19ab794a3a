# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

"""The rooms of the house, lower ones first: a room sees those below it.

An arrow that runs back is a build error, which `tools/dev check layering` tries.
"""

# Each is one package; rooms in one line see each other.
ROOMS = {
    "sim": [
        ["sim/base"],
        ["sim/state"],
        ["sim/geometry"],
        ["sim/geometry/motion"],
        ["sim/geometry/collisions"],
        ["sim/geometry/spatial"],
        ["sim/navigation"],
        ["sim/decisions"],
        ["sim/expression"],
        ["sim/script/functions"],
        ["sim/script"],
        ["sim/input"],
        ["sim/physics/definition"],
        ["sim/physics/shapes"],
        ["sim/physics/bodies"],
        ["sim/physics/collision"],
        ["sim/physics/solver"],
        ["sim/physics/continuous"],
        ["sim/physics/queries"],
        ["sim/physics"],
        ["sim/physics/characters"],
        ["sim/physics/vehicles"],
        ["sim/world/components"],
        ["sim/world/time"],
        ["sim/world/events"],
        ["sim/world/definition"],
        ["sim/world/inputs"],
        ["sim/world/objects"],
        ["sim/world/updates"],
        ["sim/world/systems"],
        ["sim/world"],
        ["sim/bots"],
        ["sim/compiler/checking"],
        ["sim/systems/layers"],
        ["sim/systems/regions"],
        ["sim/systems/chunks"],
        ["sim/systems/paths"],
        ["sim/systems/objectives"],
        ["sim/systems/contacts"],
        ["sim/systems/controls"],
        ["sim/systems/players"],
        ["sim/systems/fields"],
        ["sim/systems/characters"],
        ["sim/systems/vehicles"],
        ["sim/systems/destructibles"],
        ["sim/systems/explosions"],
        ["sim/systems/joints"],
        ["sim/systems/ragdolls"],
        ["sim/systems/spawners"],
        ["sim/systems/navigation"],
        ["sim/systems/senses"],
        ["sim/systems/brains"],
        ["sim/systems/commanders"],
        ["sim/systems/scripts"],
        ["sim/systems/script_reloads"],
        ["sim/systems"],
        ["sim/compiler/reading"],
        ["sim/compiler/bodies"],
        ["sim/compiler/events"],
        ["sim/compiler"],
        ["sim/plugins"],
    ],
    "replays": [
        ["replays/container"],
        ["replays/messages"],
        ["replays/format"],
        ["replays/tracks"],
        ["replays/playing"],
        ["replays/verifying"],
        ["replays/recording"],
        ["replays/comparing"],
        ["replays/conforming"],
        ["replays/query"],
        ["replays/fuzzing/inputs"],
        ["replays/fuzzing/feedback"],
        ["replays/fuzzing/checks"],
        ["replays/fuzzing/minimizing"],
        ["replays/fuzzing"],
        ["replays/fuzzing/corpus"],
        ["replays/fuzzing/goals"],
        ["replays/store"],
        ["replays/showing"],
        ["replays/showing/formats"],
        ["replays/showing/page"],
        ["replays/claims"],
        ["replays/rendering"],
    ],
    "services": [
        ["services/base"],
        ["services/monitoring"],
        ["services/storage"],
        ["services/operations"],
        ["services/observations"],
        ["services/stepping"],
        ["services/sessions"],
        ["services/calls"],
        ["services/http"],
        ["services"],
    ],
    "tools/reprise": [
        ["tools/reprise/terminal"],
        ["tools/reprise/inputs"],
        ["tools/reprise/baking"],
        ["tools/reprise/reports"],
        ["tools/reprise/differences"],
        ["tools/reprise/verifying"],
        ["tools/reprise/conforming"],
        ["tools/reprise/fuzzing"],
        ["tools/reprise/scenarios"],
        ["tools/reprise/benchmarking"],
        ["tools/reprise/tournament"],
        ["tools/reprise/verbs"],
        ["tools/reprise"],
    ],
}

# What sees all of a house.
_ABOVE = {
    "sim": ["docs", "replays", "services", "tests", "tools"],
    "replays": ["services", "tests", "tools"],
    "services": ["tests", "tools"],
    "tools/reprise": ["tests", "tools/demo", "tools/matrix"],
}

# What stands beside the rooms of a house, sees all of them and is seen by all:
# fixtures, comparisons, and what a house is in front.
_BESIDE = {
    "sim": ["sim", "sim/physics/stock", "sim/physics/testing"],
    "replays": ["replays", "replays/store/testing", "replays/testing"],
    "services": ["services/testing"],
    "tools/reprise": [],
}

def _house_of(name):
    for house in _ABOVE:
        if (name + "/").startswith(house + "/"):
            return house
    fail("%s stands in no house: see tools/bazel/rooms.bzl" % name)

def room(name):
    """Returns the visibility of a room's targets: all that is above it."""
    house = _house_of(name)
    seen = ["//%s:__subpackages__" % folder for folder in _ABOVE[house]]
    if name in _BESIDE[house]:
        return seen + ["//%s:__subpackages__" % house]
    seen += ["//%s:__pkg__" % beside for beside in _BESIDE[house]]
    is_above = False
    for rooms in ROOMS[house]:
        is_above = is_above or name in rooms
        if is_above:
            seen += ["//%s:__pkg__" % one for one in rooms]
    if not is_above:
        fail("%s is no room: see tools/bazel/rooms.bzl" % name)
    return seen
