// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Pictures that have to stay as they are.

#ifndef REPRISE_REPLAYS_RENDERING_TESTING_PICTURE_H_
#define REPRISE_REPLAYS_RENDERING_TESTING_PICTURE_H_

#include <string>

#include "replays/rendering/picture.h"

namespace reprise::replays {

// Fails where the PNG at `path`, from the root of the tree, isn't this picture.
// The picture, and what is different in red, lie among the test's outputs then;
// to accept it, copy it over the golden.
void ExpectGoldenPicture(const std::string& path, const Picture& picture);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_TESTING_PICTURE_H_
