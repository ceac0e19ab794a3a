// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles controls that are patterns of others.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_PATTERN_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_PATTERN_COMPILER_H_

#include "reprise/v1/controls.pb.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/systems/controls/control_definition.h"
#include "sim/systems/controls/control_system.h"

namespace reprise::sim {

ControlKind KindOf(v1::Control::Kind kind);

// The pattern of `control`, whose checker is `checker`, among `controls`.
// REQUIRES: it has one; `definition` has all controls.
ControlPattern CompilePattern(const v1::Control& control,
                              const MessageChecker& checker,
                              const v1::Controls& controls,
                              const ControlsDefinition& definition,
                              TickRate rate);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_PATTERN_COMPILER_H_
