// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_texts.h"

#include <cstddef>
#include <string>

#include "sim/base/utf8.h"
#include "sim/input/input_frame.h"
#include "sim/world/inputs/input_texts.h"

namespace reprise::sim {

Id KeepText(const WorldParts& parts, std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const size_t size = Utf8CharacterSize(text);
    const std::string_view next =
        size == 0 ? std::string_view("?") : text.substr(0, size);
    if (kept.size() + next.size() > kInputTextBytesMax) break;
    kept += next;
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return parts.texts.Keep(kept);
}

}  // namespace reprise::sim
