# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What a game outside of this repository may include in C++."""

# The headers of these are promised; those that they include come with them.
INTERFACE = [
    "//sim:simulation",
    "//sim:simulation_registry",
    "//sim/base:check",
    "//sim/base:field",
    "//sim/base:float_control",
    "//sim/base:math",
    "//sim/base:random",
    "//sim/state:state",
    "//sim/state:table",
    "//sim/geometry:quaternion",
    "//sim/geometry:transform",
    "//sim/geometry:vector3",
    "//sim/world/components:component",
    "//sim/world/components:property_value",
    "//sim/world/definition:behaviour",
    "//sim/world/updates:columns",
    "//sim/world/updates:update_context",
]
