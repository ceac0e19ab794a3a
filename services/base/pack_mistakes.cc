// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/pack_mistakes.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "fmt/format.h"

namespace reprise::services {
namespace {

size_t DigitsAt(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() &&
         absl::ascii_isdigit(static_cast<unsigned char>(text[end]))) {
    ++end;
  }
  return end - begin;
}

// The place that a line begins with: "FILE:12:3: ", "FILE:12: "; of an empty
// field where there is none.
Violation ParseLine(std::string_view line) {
  for (size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    const size_t digits = DigitsAt(line, colon + 1);
    if (colon == 0 || digits == 0) continue;
    size_t end = colon + 1 + digits;
    const std::string_view place = line.substr(0, end);
    if (place.find(' ') != std::string_view::npos) break;
    if (end < line.size() && line[end] == ':' && DigitsAt(line, end + 1) > 0) {
      end += 1 + DigitsAt(line, end + 1);
    }
    if (line.substr(end, 2) != ": ") continue;
    return {.field = std::string(place),
            .description = std::string(line.substr(end + 2))};
  }
  return {};
}

}  // namespace

std::vector<Violation> ParseMistakes(std::string_view text) {
  std::vector<Violation> violations;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    Violation violation = ParseLine(line);
    if (!violation.field.empty()) {
      violations.push_back(std::move(violation));
    } else if (!violations.empty()) {
      violations.back().description += fmt::format("\n{}", line);
    }
  }
  return violations;
}

absl::Status PackInvalidError(const absl::Status& status) {
  const std::string message(status.message());
  return WithViolations(
      WithReason(absl::InvalidArgumentError(message), "PACK_INVALID"),
      ParseMistakes(message));
}

}  // namespace reprise::services
