// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A process that can start no threads, open no files, speak to nobody and ask
// for neither time nor random numbers by a call of the system, and that notices
// when something in it tries to. Reading a clock without such a call, as Linux
// offers it, isn't noticed.

#ifndef REPRISE_TOOLS_REPRISE_CONFORMING_ENCLOSURE_H_
#define REPRISE_TOOLS_REPRISE_CONFORMING_ENCLOSURE_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace reprise::tools {

struct EnclosedCall {
  std::string_view kind;  // of mistake_kind.h
  std::string what;       // "it opens 'tuning.txt'"
};

// From now on and for good. UNAVAILABLE: the system doesn't offer it.
absl::Status Enclose();

// The first call that was refused, if there was one.
std::optional<EnclosedCall> FirstEnclosedCall();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CONFORMING_ENCLOSURE_H_
