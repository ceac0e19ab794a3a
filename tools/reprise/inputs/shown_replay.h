// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The frames of a replay that a verb shows, chosen by the flags that all such
// verbs have.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_SHOWN_REPLAY_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_SHOWN_REPLAY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/shown_scene.h"
#include "sim/pack_archive.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {

// --from, --to, --every and --pack.
struct FrameFlags {
  uint64_t first = 0;
  std::optional<uint64_t> last;
  uint64_t every = 1;
  std::string pack;
  std::vector<std::string> objects;
  std::optional<std::string> rate;

  // They write into this, which must remain live.
  std::vector<Flag> flags();
  // --objects, of verbs that show objects.
  Flag objects_flag();
  // --rate, of verbs whose frames may lie between ticks.
  Flag rate_flag();

  // INVALID_ARGUMENT for what no replay has.
  absl::Status Check() const;

  // Of --rate; nullopt if unset. INVALID_ARGUMENT: it is none.
  absl::StatusOr<std::optional<replays::FrameRate>> ParseRate() const;
};

// Names with commas between them, each by itself.
std::vector<std::string> SplitNames(const std::vector<std::string>& given);

class ShownReplay {
 public:
  // What else the stream is asked for; see FrameStreamOptions.
  struct Wishes {
    bool reverse = false;
    bool keeps_events = false;
  };

  // Of another pack than the replay's own `console` is told. Errors are those
  // of OpenReplayFile, OpenPack and FrameStream::Open.
  static absl::StatusOr<ShownReplay> Open(const std::string& path,
                                          const FrameFlags& frames,
                                          Wishes wishes, Console& console);

  // Begins again with other frames of the same replay and pack; a stream that
  // was handed out is gone. Errors are those of FrameStream::Open.
  absl::Status Restart(const FrameFlags& frames) {
    return Start(frames, {.reverse = false, .keeps_events = false});
  }

  const replays::ReplayReader& replay() const { return *replay_; }
  replays::FrameStream& stream() { return *stream_; }

 private:
  ShownReplay(std::unique_ptr<replays::ReplayReader> replay,
              std::optional<sim::PackArchive> pack)
      : replay_(std::move(replay)), pack_(std::move(pack)) {}

  absl::Status Start(const FrameFlags& frames, Wishes wishes);

  std::unique_ptr<replays::ReplayReader> replay_;
  std::optional<sim::PackArchive> pack_;          // where one is named
  std::unique_ptr<replays::FrameStream> stream_;  // of the replay
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_SHOWN_REPLAY_H_
