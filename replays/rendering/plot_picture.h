// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A plot as a picture: the same pixels on every machine.

#ifndef REPRISE_REPLAYS_RENDERING_PLOT_PICTURE_H_
#define REPRISE_REPLAYS_RENDERING_PLOT_PICTURE_H_

#include <cstdint>

#include "replays/rendering/picture.h"
#include "replays/showing/plot.h"

namespace reprise::replays {

// As DrawPlot lays it out, on white; letters are those of DrawText. REQUIRES:
// the width and PlotHeight are sizes of pictures.
Picture MakePlotPicture(const Plot& plot, uint32_t width,
                        uint32_t panel_height);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_PLOT_PICTURE_H_
