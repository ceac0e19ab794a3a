// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/foreign_call.h"

#include "sim/base/float_control.h"
#include "sim/plugins/plugin_text.h"

namespace reprise::sim {

ForeignFloatControl::ForeignFloatControl() : caller_(ReadFloatControl()) {
  SetDeterministicFloatControl();
}

ForeignFloatControl::~ForeignFloatControl() { WriteFloatControl(caller_); }

absl::Status ForeignFloatControl::Check() {
  if (FloatControlIsDeterministic()) return absl::OkStatus();
  return absl::InternalError(
      fmt::format("{}, and with it the results of whatever comes next",
                  kFloatControlChanged));
}

absl::Status ForeignError::StatusOf(std::string_view name, int32_t code) const {
  const absl::Status guarded = text_.Check("an error");
  if (!guarded.ok()) return At(name, guarded);
  if (code == REPRISE_OK) return absl::OkStatus();
  constexpr int32_t kCodeMax = 16;
  const auto known = code > 0 && code <= kCodeMax
                         ? static_cast<absl::StatusCode>(code)
                         : absl::StatusCode::kInternal;
  std::string text = text_.Text();
  if (text.empty()) {
    text = "it failed and doesn't say why";
  } else if (!CheckName(text.c_str()).ok()) {
    text = PrintableName(text.c_str());
  }
  return absl::Status(known, fmt::format("{}: {}", name, text));
}

}  // namespace reprise::sim
