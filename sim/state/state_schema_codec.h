// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a state consists of as portable bytes, and back: its rooms, tables and
// fields by name, so that its rows can be read by who has other tables.

#ifndef REPRISE_SIM_STATE_STATE_SCHEMA_CODEC_H_
#define REPRISE_SIM_STATE_STATE_SCHEMA_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "sim/state/state.h"

namespace reprise::sim {

// Far more than the names of any game take, and little enough to be looked
// through table by table.
inline constexpr size_t kStateSchemaBytesMax = size_t{1} << 20;
inline constexpr uint32_t kStateTablesMax = 4096;

// A name or a unit is text that ends with a zero byte, and a list ends with an
// empty name. Of each room: its name and the list of its tables. Of each table:
// its name, the number of its key fields (1 byte) and the list of its fields.
// Of each field: its name; a byte with the scalar type in the lower half and
// the shape in the upper one; of an array the number of its scalars (2 bytes,
// little-endian); its unit. A state has one encoding.
//
// INVALID_ARGUMENT names a table with a name that is empty, or a name or unit
// of more than kNameBytesMax bytes or with control characters, as only a pack
// or a simulation that nobody checked has. RESOURCE_EXHAUSTED past a limit.
absl::StatusOr<std::string> EncodeStateSchema(const State& state);

// A state without rows of the tables that were encoded. DATA_LOSS with the
// offset for anything else. Memory is bounded by the size of `bytes`.
absl::StatusOr<State> DecodeStateSchema(std::span<const std::byte> bytes);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_STATE_STATE_SCHEMA_CODEC_H_
