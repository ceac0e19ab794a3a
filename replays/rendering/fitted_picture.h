// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A picture that a simulation has drawn itself, as large as one that is asked
// for: each of its pixels the same number of pixels where it fits, in the
// middle of black.

#ifndef REPRISE_REPLAYS_RENDERING_FITTED_PICTURE_H_
#define REPRISE_REPLAYS_RENDERING_FITTED_PICTURE_H_

#include <cstdint>

#include "replays/rendering/picture.h"
#include "sim/frame.h"

namespace reprise::replays {

// Of one that is larger than `width` by `height`, every nth pixel of every nth
// row. REQUIRES: `drawn` has as many pixels as it says, at least one;
// Picture's.
Picture FitPicture(const sim::FramePicture& drawn, uint32_t width,
                   uint32_t height);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_FITTED_PICTURE_H_
