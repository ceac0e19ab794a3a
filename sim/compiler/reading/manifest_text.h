// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Parses one file of a manifest.

#ifndef REPRISE_SIM_COMPILER_READING_MANIFEST_TEXT_H_
#define REPRISE_SIM_COMPILER_READING_MANIFEST_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/manifest_places.h"
#include "sim/compiler/checking/pack_report.h"

namespace reprise::sim {

// A manifest of 100,000 objects has about a tenth of this.
inline constexpr size_t kManifestBytesMax = 64u << 20;

enum class UnknownFields { kRefuse, kPassOver };

// Parses `text`, the file `file.path`, into `pack` and `file.locations`. False
// after adding to `report` what is wrong with its syntax: it is too large, has
// an unknown field or a value of another type.
bool ParseManifestText(std::string_view text, UnknownFields unknown_fields,
                       ManifestFile& file, v1::Pack& pack, PackReport& report);

// What the text parser says, and, of a field or a value that there isn't, what
// was meant and what there is.
std::string ExplainSyntaxError(const std::string& message);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_READING_MANIFEST_TEXT_H_
