// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What clients call their sessions by, to find them again.

#ifndef REPRISE_SERVICES_SESSIONS_LABELS_H_
#define REPRISE_SERVICES_SESSIONS_LABELS_H_

#include <cstddef>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "google/protobuf/map.h"

namespace reprise::services {

inline constexpr size_t kLabelsMax = 16;      // of a session
inline constexpr size_t kLabelBytesMax = 63;  // of a name, and of a value

using Labels = std::map<std::string, std::string, std::less<>>;

// What a request says. INVALID_ARGUMENT: too many, or characters other than
// a-z, A-Z, 0-9, '.', '_' and '-', or a name that is empty.
absl::StatusOr<Labels> ParseLabels(
    const google::protobuf::Map<std::string, std::string>& messages);

// Whether `labels` has all of `wanted`.
bool HasLabels(const Labels& labels, const Labels& wanted);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_LABELS_H_
