// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Pictures, one after the other, as a folder of PNG files or as a film that
// ffmpeg makes of them.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_FILM_FILE_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_FILM_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/rendering/picture.h"

namespace reprise::tools {

class FilmFile {
 public:
  virtual ~FilmFile() = default;

  // UNAVAILABLE: it can't be written.
  // A folder tells pictures by their numbers.
  virtual absl::Status Add(const replays::Picture& picture,
                           uint64_t number) = 0;

  // All of it is there, and a film gets its name, in place of what was there.
  // Where this isn't called or fails, there is no film; what a folder has
  // stays. UNAVAILABLE: it can't be written.
  virtual absl::Status Finish() = 0;
};

struct FilmOptions {
  // A folder, which is made where it isn't there, or a film's name: it ends in
  // .mp4, .mkv, .webm, .mov or .gif.
  std::string output;
  // What the files of a folder are called before their numbers.
  std::string stem = "tick";
  uint32_t width = 0;
  uint32_t height = 0;
  // Pictures a second, as a fraction.
  uint64_t rate_numerator = 60;
  uint64_t rate_denominator = 1;
};

// Whether it is a film of which every player shows only pictures that are even
// in width and height.
bool NeedsEvenSize(const std::string& output);

// NOT_FOUND: there is no ffmpeg, and no film without it; UNAVAILABLE:
// the folder can't be made. A folder gets files called tick_0000120.png, of
// `stem` and number.
absl::StatusOr<std::unique_ptr<FilmFile>> OpenFilmFile(
    const FilmOptions& options);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_FILM_FILE_H_
