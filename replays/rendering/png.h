// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Pictures as PNG, by libpng.

#ifndef REPRISE_REPLAYS_RENDERING_PNG_H_
#define REPRISE_REPLAYS_RENDERING_PNG_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "replays/rendering/picture.h"

namespace reprise::replays {

// The same bytes of the same picture, as long as libpng and zlib are the same.
// INTERNAL: libpng says why not.
absl::StatusOr<std::string> EncodePng(const Picture& picture);

// INVALID_ARGUMENT: it is no PNG, or larger than pictures are.
absl::StatusOr<Picture> DecodePng(std::string_view bytes);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_PNG_H_
