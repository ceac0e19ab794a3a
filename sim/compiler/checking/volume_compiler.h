// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles volumes: parts of space with nothing in them.

#ifndef REPRISE_SIM_COMPILER_CHECKING_VOLUME_COMPILER_H_
#define REPRISE_SIM_COMPILER_CHECKING_VOLUME_COMPILER_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/geometry/volume.h"

namespace reprise::sim {

// The volume; what is wrong with it is in the report of `checker`, its own.
Volume CompileVolume(const v1::Volume& message, const MessageChecker& checker);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_VOLUME_COMPILER_H_
