// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/labels.h"

#include <algorithm>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

bool IsText(std::string_view text) {
  return text.size() <= kLabelBytesMax &&
         std::ranges::all_of(text, [](unsigned char character) {
           return absl::ascii_isalnum(character) || character == '.' ||
                  character == '_' || character == '-';
         });
}

}  // namespace

absl::StatusOr<Labels> ParseLabels(
    const google::protobuf::Map<std::string, std::string>& messages) {
  if (messages.size() > kLabelsMax) {
    return WithReason(absl::InvalidArgumentError(
                          fmt::format("{} labels; a session has {} at most",
                                      messages.size(), kLabelsMax)),
                      "LABEL_REFUSED");
  }
  const Labels labels(messages.begin(), messages.end());
  for (const auto& [name, value] : labels) {
    if (!name.empty() && IsText(name) && IsText(value)) continue;
    return WithReason(
        absl::InvalidArgumentError(fmt::format(
            "label '{}': '{}': names and values have at most {} characters of "
            "a-z, A-Z, 0-9, '.', '_' and '-', and names at least one",
            name.substr(0, kLabelBytesMax), value.substr(0, kLabelBytesMax),
            kLabelBytesMax)),
        "LABEL_REFUSED");
  }
  return labels;
}

bool HasLabels(const Labels& labels, const Labels& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& label) {
    const auto found = labels.find(label.first);
    return found != labels.end() && found->second == label.second;
  });
}

}  // namespace reprise::services
