// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads the tables of a pack: files of comma-separated values that set
// properties of types and archetypes.

#ifndef REPRISE_SIM_COMPILER_READING_BALANCE_TABLES_H_
#define REPRISE_SIM_COMPILER_READING_BALANCE_TABLES_H_

#include <cstddef>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/reading/setting_writer.h"
#include "sim/pack_archive.h"

namespace reprise::sim {

// Columns of a table, and cells of all tables of a pack.
inline constexpr size_t kTableColumnsMax = 256;
inline constexpr size_t kTableCellsMax = 200000;

// Sets what the tables of `pack` say, and adds to `report`, with file, line and
// column, what can't be meant: names that aren't there or stand there twice,
// values of another kind, what is set already, lines with more or fewer cells
// than the first, a file that isn't there or isn't comma-separated values.
void ReadBalanceTables(const PackArchive& archive,
                       const KnownProperties& properties,
                       const MessageChecker& checker, const v1::Pack& pack,
                       SettingWriter& writer, PackReport& report);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_READING_BALANCE_TABLES_H_
