// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes messages of values that a manifest gives in short: as text, and in one
// line with the name of their component.

#ifndef REPRISE_SIM_COMPILER_READING_SHORT_SETTINGS_H_
#define REPRISE_SIM_COMPILER_READING_SHORT_SETTINGS_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/reading/setting_writer.h"

namespace reprise::sim {

// Gives each setting of `pack` with `to` the value that it stands for, and
// moves each `set` of types, archetypes and objects to their components.
// Reports what can't be meant; a setting of a component keeps its `to` then and
// has no value. What is wrong with a value of the right kind, such as its
// bounds, and names of a component's own settings, the compiler finds.
void ExpandShortSettings(const KnownProperties& properties,
                         const MessageChecker& checker, v1::Pack& pack,
                         SettingWriter& writer);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_READING_SHORT_SETTINGS_H_
