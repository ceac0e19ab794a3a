// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What docs/pack_reference.md says of a field, as text for terminals. The page
// of the build is in the program.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_FIELD_REFERENCE_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_FIELD_REFERENCE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace reprise::tools {

// docs/pack_reference.md.
std::string_view FieldReferencePage();

// What `page` says of the field that a path names, as `pack check` prints it
// ("types[0].body.friction") or as its end ("body.friction", "friction"); where
// several fields are called so, of each. Of a field that holds others, these,
// too. NOT_FOUND: no field is; with the nearest name.
absl::StatusOr<std::string> ExplainField(std::string_view page,
                                         std::string_view path);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_FIELD_REFERENCE_H_
