// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Texts that players give and scripts make. In the state a text is an id,
// whoever it comes from; what an id stands for is kept as long as any row
// refers to it, and of the others at least as long as it is one of the last
// kInputTextsMax, so that the game and its reports can say it again.
//
// An id is a hash that finds accidents and withstands no forger: two texts that
// somebody made for one id are the same text to the game.

#ifndef REPRISE_SIM_WORLD_INPUTS_INPUT_TEXTS_H_
#define REPRISE_SIM_WORLD_INPUTS_INPUT_TEXTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "sim/world/inputs/text_index.h"

namespace reprise::sim {

// Half a minute of 64 players who each say something every seven seconds; 70
// KiB of rows.
inline constexpr uint32_t kInputTextsMax = 256;

// Rows that there can be, of all texts together: four of each object of the
// largest world; 70 MiB.
inline constexpr uint32_t kInputTextRowsMax = uint32_t{1} << 18;

// The last of them are for what players say and what is told of mistakes: what
// is made of values has to leave them.
inline constexpr uint32_t kValueTextRowsMax = kInputTextRowsMax - 4096;

// The texts of one world. What is kept follows from its state alone.
class InputTexts {
 public:
  // `texts` has rows of InputTextRow; nullopt: nobody makes any. The names are
  // those that the pack has. All outlive this.
  InputTexts(const NameTable& names, State& state,
             std::optional<TableIndex> texts)
      : names_(names), state_(state), texts_(texts) {}

  // To be called when the state has become another one.
  void Load();

  // Returns the id of `text`, kNoId for the empty one, and keeps it, unless it
  // is one of the names. Given again it is as new. Where there is no room for
  // one that isn't kept yet, it is but its id. REQUIRES: at most
  // kInputTextBytesMax bytes; unless it is a name, somebody makes texts.
  Id Keep(std::string_view text);

  // Whether there is room for the text of an id as a value (kValueTextRowsMax),
  // or it is kept already.
  bool HasRoomFor(Id id) const;

  // The text that was kept under `id`; nullopt where there is none, or none any
  // more.
  std::optional<std::string> Find(Id id) const;

  // Forgets what no row of the state refers to, but the last kInputTextsMax of
  // those. It does so when more than as many rows have come since it last did,
  // or when there is no room for values, and goes through the whole state then.
  // To be called between ticks, when all that lasts is in the state.
  void Forget();

 private:
  // Neighbouring scalars of 8 bytes in a row that may be ids.
  struct Words {
    uint32_t offset = 0;
    uint32_t count = 0;
  };
  struct ReferringTable {
    TableIndex table;
    std::vector<Words> words;
  };

  const Table& rows() const { return state_.table(*texts_); }
  bool HasMuchCome() const;
  void FindReferringTables();
  void MarkReferences();
  void MarkWords(std::span<const std::byte> bytes);
  void DropOthers();

  const NameTable& names_;
  State& state_;
  std::optional<TableIndex> texts_;
  TextIndex index_;  // of each text's newest row
  std::vector<ReferringTable> referring_;
  std::vector<uint32_t> dropped_;  // rows; kept, so that its memory is
};

// Whether the rows are some that InputTexts leaves; DATA_LOSS says what
// contradicts.
absl::Status CheckInputTexts(const Table& texts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_INPUTS_INPUT_TEXTS_H_
