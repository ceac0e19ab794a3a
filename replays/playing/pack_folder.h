// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Packs as they lie on a disk: a folder, or the archive made of one. Reading
// the same files gives the same pack, in whatever order the disk lists them.

#ifndef REPRISE_REPLAYS_PLAYING_PACK_FOLDER_H_
#define REPRISE_REPLAYS_PLAYING_PACK_FOLDER_H_

#include <string>

#include "absl/status/statusor.h"
#include "sim/pack_archive.h"

namespace reprise::replays {

// Reads the pack at `path`: a folder with a pack.txtpb, or a regular file that
// PackArchive::Encode wrote.
//
// Of a folder, every file counts except those whose name, or whose folder's
// name, starts with a dot (editors and version control keep theirs there), and
// but those of the folder tests beside pack.txtpb, where its scenarios lie. A
// link to a file is read as that file if, all links resolved, it lies in the
// folder where pack.txtpb lies; so a pack made of links works, and no pack can
// carry off other files of the machine.
//
// Errors name the path. NOT_FOUND: nothing is there, or no pack.txtpb.
// INVALID_ARGUMENT: a link that leads out of the pack or to a folder, a device
// or pipe, or a path that an archive cannot hold. RESOURCE_EXHAUSTED: more than
// kPackBytesMax or kPackFilesMax. DATA_LOSS: a damaged archive.
absl::StatusOr<sim::PackArchive> ReadPackFolder(const std::string& path);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_PLAYING_PACK_FOLDER_H_
