// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/pack_name.h"

#include "absl/strings/ascii.h"

namespace reprise::sim {

bool IsPackName(std::string_view text) {
  if (text.empty() || text.size() > kPackNameBytesMax) return false;
  if (!absl::ascii_islower(static_cast<unsigned char>(text[0]))) return false;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (!absl::ascii_islower(byte) && !absl::ascii_isdigit(byte) &&
        character != '_') {
      return false;
    }
  }
  return true;
}

}  // namespace reprise::sim
