// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A small MCAP file of our profile with one of everything: metadata, an
// attachment, three chunks, and two channels of which one has no message in the
// second chunk. Tests take it apart.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_EXAMPLE_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_EXAMPLE_H_

#include <string_view>

#include "replays/container/byte_stream.h"

namespace reprise::replays {

inline constexpr std::string_view kMcapExampleProfile = "reprise";

// The same bytes every time.
Bytes WriteMcapExample();

// The same without its end, as a recorder that was killed leaves it.
Bytes WriteUnfinishedMcapExample();

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_EXAMPLE_H_
