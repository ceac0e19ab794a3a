// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/setting_name.h"

#include "fmt/format.h"

namespace reprise::sim {

std::string SettingName(std::string_view component,
                        const v1::PropertySetting& setting,
                        const MessageChecker& place) {
  // Only what was moved to its component has the place of a value.
  const std::string field = place.Place().field;
  if (!field.ends_with(".to") && !field.ends_with(".value")) return "";
  return fmt::format("'{}.{}': ", component, setting.property());
}

}  // namespace reprise::sim
