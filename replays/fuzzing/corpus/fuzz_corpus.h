// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a campaign keeps from day to day: a folder with runs, failures, what is
// known of them, and how far it got. Every file comes whole or not at all, so
// the folder can be copied, shared and killed at any moment.
//
//   runs/3fa9c2....txtpb    input tracks, of which those that begin alike are
//                           branches of one another; replays do as well
//   failures/NAME.mcap      a replay of each failure, by its signature
//   failures/NAME.txtpb     the inputs of one that ends the process, or with a
//                           tick that can't be made
//   failures/NAME.txt       signature and message
//   known.txt               signatures that are no news, with reasons
//   progress.txt            ticks and rounds so far

#ifndef REPRISE_REPLAYS_FUZZING_CORPUS_FUZZ_CORPUS_H_
#define REPRISE_REPLAYS_FUZZING_CORPUS_FUZZ_CORPUS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_file.h"
#include "replays/fuzzing/corpus/track_index.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/tracks/input_track.h"
#include "replays/tracks/track_folder.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

// A file of the folder that isn't used, and why.
struct SkippedFile {
  std::string path;
  std::string reason;
};

struct CorpusRun {
  std::string path;
  std::shared_ptr<const StoredTrack> track;

  PlayedInputs inputs() const;
};

struct CorpusRuns {
  // Those that begin alike follow each other; the order follows from the runs
  // and the names of their files. What they share is there once.
  std::vector<CorpusRun> runs;
  std::vector<SkippedFile> skipped;
};

// A run of a corpus with more isn't played: at 60 Hz it takes 19 hours, and a
// line of text can claim any number.
inline constexpr sim::Tick kCorpusRunTicksMax = sim::Tick{1} << 22;

struct CorpusProgress {
  uint64_t ticks = 0;
  uint64_t rounds = 0;
};

// The inputs of a track file or a replay. INVALID_ARGUMENT, DATA_LOSS and
// others name the file.
absl::StatusOr<PlayedInputs> ReadPlayedInputs(const std::string& path);

// Records `inputs` as a replay at `path`, which comes whole or not at all.
// `start` is at tick 0 and of `pack`; it is forked. A device is written to as
// it is. `before_tick` is called before the game makes a tick; may be empty.
// Errors are the disk's, UNAVAILABLE where it is full, with the path; or
// INVALID_ARGUMENT of inputs that the game refuses, or where `path` is a
// folder.
absl::Status WriteReplayOf(const std::string& path, const PlayedInputs& inputs,
                           const sim::PackArchive& pack,
                           const sim::Simulation& start,
                           const std::function<void()>& before_tick = {});

// Writes `inputs` as a track for the game of `start`, whole or not at all: what
// ends the process that plays it can't be a replay, which has a digest of each
// tick. Errors as above.
absl::Status WriteTrackOf(const std::string& path, const PlayedInputs& inputs,
                          const sim::Simulation& start);

// Reads lines of "signature  # reason"; what is empty or begins with # says
// nothing. INVALID_ARGUMENT: a line without a reason.
absl::StatusOr<std::map<std::string, std::string>> ParseKnownFailures(
    std::string_view text, std::string_view file_name);

// Used by one process at a time: it holds a lock.
class FuzzCorpus {
 public:
  // Makes the folder where it isn't there. UNAVAILABLE: another process works
  // on it; INVALID_ARGUMENT: its known.txt; other errors are the disk's.
  // `pack` and `start`, which is at tick 0, must remain live.
  static absl::StatusOr<std::unique_ptr<FuzzCorpus>> Open(
      const std::string& folder, const sim::PackArchive* pack,
      const sim::Simulation* start);

  // All runs that can be read; who isn't for a pack of this name, has no ticks
  // or too many, goes on from what isn't there, is skipped. Those that are kept
  // from now on are branches of these.
  CorpusRuns ReadRuns();

  // The runs of the failures that are kept, as above.
  CorpusRuns ReadFailures() const;

  // Keeps a run, under a name that follows from its bytes: what it has in
  // common with another one isn't written again. Whether it is new.
  absl::StatusOr<bool> AddRun(const PlayedInputs& run);
  // Keeps `runs`, and drops those of the files `read` that are tracks and that
  // none of these nor anything else goes on from. Replays stay, and so does
  // what wasn't read: it may be another pack's, or come from another job since.
  // Returns how many files are new.
  absl::StatusOr<uint64_t> KeepOnly(const std::vector<PlayedInputs>& runs,
                                    std::span<const std::string> read);

  // Keeps a failure's replay, in place of a longer one and of one of another
  // state of the pack, which may be mended there; returns its path. It is
  // played for that: `before_tick` is called before each tick; may be empty.
  // What ends with a tick that can't be made is kept as AddCrash does.
  absl::StatusOr<std::string> AddFailure(
      const FoundFailure& failure,
      const std::function<void()>& before_tick = {});

  // Keeps what ends the process that plays it, as a track; returns its path.
  absl::StatusOr<std::string> AddCrash(const FoundFailure& failure);
  // Drops the tracks that begin with `inputs`; what goes on from them is
  // written anew before. INVALID_ARGUMENT: a replay begins so, which isn't
  // ours, and nothing is dropped; NOT_FOUND: no run.
  absl::Status RemoveRunsThatBeginWith(const PlayedInputs& inputs);

  // Where AddFailure or AddCrash kept it; empty: nowhere.
  std::string PathOfFailure(std::string_view signature) const;

  // By signature, the reason.
  const std::map<std::string, std::string>& known() const { return known_; }

  const CorpusProgress& progress() const { return progress_; }
  absl::Status SetProgress(const CorpusProgress& progress);

 private:
  FuzzCorpus(std::string folder, const sim::PackArchive* pack,
             const sim::Simulation* start)
      : folder_(std::move(folder)), pack_(*pack), start_(*start) {}

  absl::Status ReadProgress();
  absl::Status ReadKnown();
  std::set<std::string> PathsOfRuns(std::error_code& error) const;
  CorpusRuns Read(const std::string& folder,
                  const std::set<std::string>& paths) const;
  std::string StemOf(std::string_view signature) const;
  void SortByBeginnings(CorpusRuns& corpus) const;
  // Empty: the run is played.
  std::string ReasonToSkip(const InputTrack& track) const;
  // Writes a run unless `index` has it, to which it is added; returns its path,
  // or nothing.
  absl::StatusOr<std::string> Write(const PlayedInputs& run, TrackIndex& index);
  // The path of what the track at `path` goes on from; empty: nothing.
  std::string BeginningOf(const std::string& path) const;
  // Removes the files, each behind those that go on from it: killed meanwhile,
  // none is there without its beginning.
  absl::Status Remove(const std::set<std::string>& paths) const;
  // Of the tracks among `paths`, those that others of them go on from, too.
  std::set<std::string> WithBeginnings(std::set<std::string> paths) const;
  // Whether the file at `path` shows the failure on the same pack, and isn't
  // longer.
  bool IsShortEnough(const std::string& path,
                     const FoundFailure& failure) const;
  // Says in a file beside `path` what it shows; returns `path`.
  static absl::StatusOr<std::string> Describe(const std::string& stem,
                                              const std::string& path,
                                              const FoundFailure& failure);
  const std::string folder_;
  const sim::PackArchive& pack_;
  const sim::Simulation& start_;
  std::unique_ptr<FileSink> lock_;
  std::map<std::string, std::string> known_;
  CorpusProgress progress_;
  // Of the runs that can be gone on from; nullopt: they weren't read.
  std::optional<TrackIndex> index_;
};

// The file name, without its end, that a signature has: its own letters as far
// as a file may have them, and a digest.
std::string FileNameOf(std::string_view signature);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CORPUS_FUZZ_CORPUS_H_
