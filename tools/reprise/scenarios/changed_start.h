// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A pack with other beginnings, in the words of packs.

#ifndef REPRISE_TOOLS_REPRISE_SCENARIOS_CHANGED_START_H_
#define REPRISE_TOOLS_REPRISE_SCENARIOS_CHANGED_START_H_

#include "absl/status/statusor.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "reprise/v1/pack.pb.h"
#include "sim/pack_archive.h"

namespace reprise::tools {

// `pack` with `objects` as v1.Scenario.objects says. Of no object it is `pack`
// itself. REQUIRES: `pack` compiles.
sim::PackArchive ChangeStart(
    const sim::PackArchive& pack,
    const google::protobuf::RepeatedPtrField<v1::Object>& objects);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_SCENARIOS_CHANGED_START_H_
