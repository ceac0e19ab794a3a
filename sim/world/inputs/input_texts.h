// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Texts that players give. In the state a text is an id, whoever it comes from;
// what the ids of the last ones stand for is kept, so that the game and its
// reports can say it again.
//
// An id is a hash that finds accidents and withstands no forger: two texts that
// somebody made for one id are the same text to the game.

#ifndef REPRISE_SIM_WORLD_INPUTS_INPUT_TEXTS_H_
#define REPRISE_SIM_WORLD_INPUTS_INPUT_TEXTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/table.h"

namespace reprise::sim {

// Half a minute of 64 players who each say something every seven seconds; 70
// KiB of rows.
inline constexpr uint32_t kInputTextsMax = 256;

// Returns the id of `text`, kNoId for the empty one, and keeps it in `texts`,
// rows of InputTextRow, unless it is one of `names`. Given again it is as new;
// of more than kInputTextsMax the oldest is forgotten.
// REQUIRES: at most kInputTextBytesMax bytes.
Id KeepInputText(std::string_view text, const NameTable& names, Table& texts);

// The text that was kept under `id`; nullopt where there is none, or none any
// more.
std::optional<std::string> FindInputText(const Table& texts, Id id);

// Whether the rows are some that KeepInputText leaves; DATA_LOSS says what
// contradicts.
absl::Status CheckInputTexts(const Table& texts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_INPUTS_INPUT_TEXTS_H_
