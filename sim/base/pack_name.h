// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How things are called in packs.

#ifndef REPRISE_SIM_BASE_PACK_NAME_H_
#define REPRISE_SIM_BASE_PACK_NAME_H_

#include <cstddef>
#include <string_view>

namespace reprise::sim {

// Names in packs: short enough for a line of a report.
inline constexpr size_t kPackNameBytesMax = 64;

// Whether `text` is 1 to 64 of a-z, 0-9 and _, starting with a letter.
bool IsPackName(std::string_view text);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_PACK_NAME_H_
