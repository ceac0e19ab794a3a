// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Draws a replay, and tells pictures by the digests of their pixels: what has
// to be the same on every machine, as states have.

#ifndef REPRISE_TOOLS_MATRIX_PICTURES_H_
#define REPRISE_TOOLS_MATRIX_PICTURES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"

namespace reprise::tools {

struct DrawnTick {
  sim::Tick tick = 0;
  sim::Digest picture;
};

// Of each `every`th tick of the replay at `path`: from a camera that sees all
// of the first, with shadows and all layers, four samples a pixel.
// INVALID_ARGUMENT: it is no replay, or `every` is 0. Other errors as
// InputFile::Open's and replays::FrameStream's.
absl::StatusOr<std::vector<DrawnTick>> DrawPictures(const std::string& path,
                                                    uint64_t every);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_MATRIX_PICTURES_H_
