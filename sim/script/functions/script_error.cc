// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/script_error.h"

#include "fmt/format.h"

namespace reprise::sim {

std::string ScriptError::ToString() const {
  if (file.empty()) return message;
  return fmt::format("{}:{}: {}", file, line, message);
}

std::string ScriptError::ToStringWithFrames() const {
  std::string text = ToString();
  for (const ScriptFrame& frame : frames) {
    text += "\n  ";
    if (!frame.file.empty()) {
      text += fmt::format("{}:{}: ", frame.file, frame.line);
    }
    text += "in " + frame.function;
  }
  return text;
}

absl::Status ScriptError::ToStatus() const {
  if (kind == ScriptErrorKind::kRuntime) {
    return absl::InvalidArgumentError(ToString());
  }
  return absl::ResourceExhaustedError(ToString());
}

}  // namespace reprise::sim
