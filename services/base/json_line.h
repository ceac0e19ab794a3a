// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A JSON object in one line, for files that have one a line: logs of programs
// read them. Members stand in the order in which they are added.

#ifndef REPRISE_SERVICES_BASE_JSON_LINE_H_
#define REPRISE_SERVICES_BASE_JSON_LINE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/time/time.h"

namespace reprise::services {

class JsonLine {
 public:
  // Any text may be a value: bytes that aren't UTF-8 become U+FFFD. REQUIRES of
  // all names: letters and '_' only, none of them twice.
  void Add(std::string_view name, std::string_view value);
  void AddUnlessEmpty(std::string_view name, std::string_view value);
  void Add(std::string_view name, uint64_t value);
  // In seconds, to the microsecond.
  void Add(std::string_view name, absl::Duration value);
  // As RFC 3339 writes it, in UTC, to the microsecond.
  void Add(std::string_view name, absl::Time value);

  // Without the line's end.
  std::string text() const { return "{" + members_ + "}"; }

 private:
  void AddRaw(std::string_view name, std::string_view value);

  std::string members_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_JSON_LINE_H_
