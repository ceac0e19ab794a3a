// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Tracks of one folder, of which many begin alike: such a one is a branch,
// which has only what comes behind its beginning and says in its first line
// where that stands:
//
//   goes_on_from: "3fa9c2d15b7e0842.txtpb" at_tick: 120
//   pack: "marble"
//   tick_count: 300
//   ...
//
// So many runs take no more than a tree of them. A track that others go on from
// bears the digest of its text as its name, and is never changed.

#ifndef REPRISE_REPLAYS_TRACKS_TRACK_FOLDER_H_
#define REPRISE_REPLAYS_TRACKS_TRACK_FOLDER_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "replays/tracks/input_track.h"
#include "sim/base/tick.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {

// Which track of the same folder, and how much of it.
struct TrackBeginning {
  std::string file;
  sim::Tick tick = 0;

  friend bool operator==(const TrackBeginning&,
                         const TrackBeginning&) = default;
};

// A track as it lies in its folder. Its own inputs are those from `begin` on.
struct StoredTrack {
  InputTrack track;
  std::string before_file;                    // empty: it is whole
  std::shared_ptr<const StoredTrack> before;  // of that file
  sim::Tick begin = 0;
  bool is_named_by_digest = false;

  StoredTrack() = default;
  StoredTrack(const StoredTrack&) = delete;
  StoredTrack& operator=(const StoredTrack&) = delete;
  // Those before it that nobody else holds go one after the other, however many
  // they are.
  ~StoredTrack();
};

// The whole run, from tick 0 on.
InputTrack WholeTrackOf(const StoredTrack& stored);

// The text of a branch, or, without a beginning, of a whole track. REQUIRES: as
// FormatInputTrack; no inputs of `track` are before the beginning's tick.
std::string FormatStoredTrack(const std::optional<TrackBeginning>& beginning,
                              const InputTrack& track,
                              const sim::InputGrammar& grammar);

// "3fa9c2d15b7e0842.txtpb" for the text of a track.
std::string TrackFileNameOf(std::string_view text);

// What the first line of a text says. INVALID_ARGUMENT names `file_name`: it is
// none of those above. nullopt: the track is whole.
absl::StatusOr<std::optional<TrackBeginning>> ParseTrackBeginning(
    std::string_view text, std::string_view file_name);

// Reads tracks of a folder, each once. What it read stays as it was. Used by
// one thread at a time.
class TrackFolder {
 public:
  explicit TrackFolder(std::string folder) : folder_(std::move(folder)) {}

  // The track of a file of that name. Errors name the file: those of
  // ReadInputTrack; FAILED_PRECONDITION: it goes on from what isn't there,
  // can't be read, is shorter, was changed, or goes on from itself.
  absl::StatusOr<std::shared_ptr<const StoredTrack>> Read(
      const std::string& name);

 private:
  struct Entry;
  using Tracks =
      std::map<std::string, absl::StatusOr<std::shared_ptr<const StoredTrack>>,
               std::less<>>;

  absl::StatusOr<Entry> Open(const std::string& name) const;
  absl::StatusOr<std::shared_ptr<const StoredTrack>> Join(Entry entry) const;

  const std::string folder_;
  Tracks tracks_;  // what reading each came to
};

// Reads a file, whole, with what it goes on from in the same folder. Errors as
// of TrackFolder.
absl::StatusOr<InputTrack> ReadWholeTrack(const std::string& path);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TRACKS_TRACK_FOLDER_H_
