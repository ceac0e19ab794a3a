// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which property a mistake in a value is about, where its place doesn't say so.

#ifndef REPRISE_SIM_COMPILER_CHECKING_SETTING_NAME_H_
#define REPRISE_SIM_COMPILER_CHECKING_SETTING_NAME_H_

#include <string>
#include <string_view>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"

namespace reprise::sim {

// What a message about the value of `setting`, which `place` is of, begins
// with: "'health.points': " where it stands among the settings of a type or an
// object (`set { property: "health.points" to: "1" }`), whose places count them
// only. Empty where it stands with its component, or in a column of a table.
std::string SettingName(std::string_view component,
                        const v1::PropertySetting& setting,
                        const MessageChecker& place);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_SETTING_NAME_H_
