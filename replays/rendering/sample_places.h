// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where the samples of a pixel are.

#ifndef REPRISE_REPLAYS_RENDERING_SAMPLE_PLACES_H_
#define REPRISE_REPLAYS_RENDERING_SAMPLE_PLACES_H_

#include <cstdint>
#include <vector>

namespace reprise::replays {

// Within a pixel, from its left upper corner, 0 to 1.
struct SamplePlace {
  double x = 0;
  double y = 0;
};

// No row, column or diagonal has two of them, as far as that goes. REQUIRES:
// 1, 4 or 16 samples.
inline std::vector<SamplePlace> PlacesOf(uint32_t samples) {
  if (samples == 1) return {{0.5, 0.5}};
  if (samples == 4) {
    return {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};
  }
  // Rows of sixteenths, columns by a walk of 5 of 16, from the middle of each.
  std::vector<SamplePlace> places;
  for (uint32_t i = 0; i < samples; ++i) {
    places.push_back(
        {(5 * i + 2) % samples / 16.0 + 1.0 / 32, i / 16.0 + 1.0 / 32});
  }
  return places;
}

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_SAMPLE_PLACES_H_
