// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The name of a file until it is finished: "game.mcap.partial". Who is killed
// leaves it under that name, and nobody takes it for a finished one.

#ifndef REPRISE_REPLAYS_CONTAINER_PARTIAL_FILE_H_
#define REPRISE_REPLAYS_CONTAINER_PARTIAL_FILE_H_

#include <string>
#include <string_view>

namespace reprise::replays {

// "game.mcap.partial" for "game.mcap".
std::string PartialPath(std::string_view path);

// Where to write what is to be at `path` once it is finished: its partial path,
// but a device, a
// pipe or a symbolic link is written to as it is.
std::string UnfinishedPath(const std::string& path);

// "game.mcap" for "game.mcap.partial", and for itself.
std::string FinishedPath(std::string_view path);

// The name that the file has now: `path`, or else the other one of the two that
// is there; `path` where neither is.
std::string PathNow(const std::string& path);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_PARTIAL_FILE_H_
