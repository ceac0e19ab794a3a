// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/corpus/fuzz_corpus.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_writer.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/corpus/corpus_file.h"
#include "replays/recording/replay_text.h"
#include "sim/base/digest.h"

namespace reprise::replays {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrackEnd = ".txtpb";
constexpr std::string_view kReplayEnd = ".mcap";
constexpr char kPartialEnd[] = ".partial";

// A failure lies at the end of a run, where somebody looks: few keyframes, and
// digests at every tick.
ReplayWriterOptions FailureOptions() {
  ReplayWriterOptions options;
  options.digest_stride = 1;
  return options;
}

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

absl::StatusOr<InputTrack> ReadInputsOf(const std::string& path) {
  return path.ends_with(kTrackEnd) ? ReadWholeTrack(path)
                                   : ReadReplayTrack(path);
}

PlayedInputs ToPlayed(InputTrack track) {
  return {.ticks = std::move(track.ticks), .tick_count = track.tick_count};
}

std::string NameOf(const std::string& path) {
  return fs::path(path).filename().string();
}

// Whether `run` has the same inputs as far as `beginning` goes.
bool BeginsWith(const PlayedInputs& run, const PlayedInputs& beginning) {
  if (run.tick_count < beginning.tick_count) return false;
  const auto end = std::ranges::lower_bound(run.ticks, beginning.tick_count, {},
                                            &TickInputs::tick);
  return std::equal(run.ticks.begin(), end, beginning.ticks.begin(),
                    beginning.ticks.end());
}

InputTrack TrackOfFailure(const PlayedInputs& inputs,
                          const sim::SimulationInfo& info) {
  return {.pack = info.pack,
          .tick_count = inputs.tick_count,
          .run = RunDescription{.simulation = info.simulation,
                                .pack_digest = info.pack_digest,
                                .seed = info.seed,
                                .writer = FailureOptions()},
          .ticks = inputs.ticks};
}

}  // namespace

absl::StatusOr<PlayedInputs> ReadPlayedInputs(const std::string& path) {
  absl::StatusOr<InputTrack> track = ReadInputsOf(path);
  if (!track.ok()) return track.status();
  return ToPlayed(*std::move(track));
}

PlayedInputs CorpusRun::inputs() const {
  return ToPlayed(WholeTrackOf(*track));
}

absl::Status WriteReplayOf(const std::string& path, const PlayedInputs& inputs,
                           const sim::PackArchive& pack,
                           const sim::Simulation& start,
                           const std::function<void()>& before_tick) {
  const InputTrack track = TrackOfFailure(inputs, start.info());
  return WriteCorpusFile(path, [&](std::unique_ptr<FileSink> sink) {
    const std::unique_ptr<sim::Simulation> simulation = start.Fork();
    return AssembleReplay(track, pack, *simulation, std::move(sink),
                          before_tick)
        .status();
  });
}

absl::Status WriteTrackOf(const std::string& path, const PlayedInputs& inputs,
                          const sim::Simulation& start) {
  const sim::SimulationInfo& info = start.info();
  return WriteCorpusText(
      path, FormatInputTrack(TrackOfFailure(inputs, info), info.inputs));
}

absl::StatusOr<std::map<std::string, std::string>> ParseKnownFailures(
    std::string_view text, std::string_view file_name) {
  std::map<std::string, std::string> known;
  const auto trim = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && (part.back() == ' ' || part.back() == '\r')) {
      part.remove_suffix(1);
    }
    return std::string(part);
  };
  for (size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t hash = line.find('#');
    const std::string signature = trim(line.substr(0, hash));
    if (signature.empty()) continue;
    const std::string reason =
        hash == std::string_view::npos ? "" : trim(line.substr(hash + 1));
    if (reason.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("{}:{}: '{}' has no reason; say it behind a #",
                      std::string(file_name), number, signature));
    }
    known[signature] = reason;
  }
  return known;
}

std::string FileNameOf(std::string_view signature) {
  constexpr size_t kLettersMax = 60;
  std::string name;
  for (const char letter : signature.substr(0, kLettersMax)) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') ||
                          (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '.';
    name += is_plain ? letter : '_';
  }
  const sim::Digest digest = sim::DigestOf(std::as_bytes(std::span(signature)));
  return fmt::format("{}-{}", name, sim::FormatDigest(digest).substr(0, 8));
}

absl::StatusOr<std::unique_ptr<FuzzCorpus>> FuzzCorpus::Open(
    const std::string& folder, const sim::PackArchive* pack,
    const sim::Simulation* start) {
  std::unique_ptr<FuzzCorpus> corpus(new FuzzCorpus(folder, pack, start));
  for (const char* const part : {"runs", "failures"}) {
    std::error_code error;
    fs::create_directories(fs::path(folder) / part, error);
    if (error) {
      return absl::UnavailableError(
          fmt::format("{}/{}: {}", folder, part, error.message()));
    }
  }
  auto lock = FileSink::Create(folder + "/.lock", kCorpusDurability);
  if (!lock.ok()) return lock.status();
  corpus->lock_ = *std::move(lock);
  absl::Status status = corpus->ReadProgress();
  if (status.ok()) status = corpus->ReadKnown();
  if (!status.ok()) return status;
  return corpus;
}

absl::Status FuzzCorpus::ReadProgress() {
  const std::string path = folder_ + "/progress.txt";
  if (!fs::exists(path)) return absl::OkStatus();
  const absl::StatusOr<std::string> text = ReadCorpusText(path);
  if (!text.ok()) return text.status();
  std::string_view rest = *text;
  for (const auto& [key, number] : {std::pair("ticks: ", &progress_.ticks),
                                    std::pair("rounds: ", &progress_.rounds)}) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::optional<uint64_t> value =
        line.starts_with(key)
            ? ParseNumber(line.substr(std::string_view(key).size()))
            : std::nullopt;
    if (!value) {
      return absl::InvalidArgumentError(
          fmt::format("{}: it is damaged; without it the search draws the same "
                      "inputs again",
                      path));
    }
    *number = *value;
  }
  return absl::OkStatus();
}

absl::Status FuzzCorpus::ReadKnown() {
  const std::string path = folder_ + "/known.txt";
  if (!fs::exists(path)) return absl::OkStatus();
  const absl::StatusOr<std::string> text = ReadCorpusText(path);
  if (!text.ok()) return text.status();
  auto known = ParseKnownFailures(*text, path);
  if (!known.ok()) return known.status();
  known_ = *std::move(known);
  return absl::OkStatus();
}

absl::Status FuzzCorpus::SetProgress(const CorpusProgress& progress) {
  progress_ = progress;
  return WriteCorpusText(
      folder_ + "/progress.txt",
      fmt::format("ticks: {}\nrounds: {}\n", progress.ticks, progress.rounds));
}

std::set<std::string> FuzzCorpus::PathsOfRuns(std::error_code& error) const {
  std::set<std::string> paths;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder_ + "/runs", error)) {
    const std::string path = entry.path().string();
    // What another job is writing, or a killed one was.
    if (!path.ends_with(kPartialEnd)) paths.insert(path);
  }
  return paths;
}

std::string FuzzCorpus::ReasonToSkip(const InputTrack& track) const {
  if (!track.pack.empty() && track.pack != start_.info().pack) {
    return fmt::format("of the pack {}", track.pack);
  }
  if (track.tick_count == 0) return "it has no ticks";
  if (track.tick_count > kCorpusRunTicksMax) {
    return fmt::format("it has {} ticks, and at most {} are played",
                       track.tick_count, kCorpusRunTicksMax);
  }
  return "";
}

void FuzzCorpus::SortByBeginnings(CorpusRuns& corpus) const {
  std::vector<std::shared_ptr<const StoredTrack>> tracks;
  for (const CorpusRun& run : corpus.runs) tracks.push_back(run.track);
  std::vector<CorpusRun> sorted;
  for (const size_t place : OrderByBeginnings(tracks, start_.info().inputs)) {
    sorted.push_back(std::move(corpus.runs[place]));
  }
  corpus.runs = std::move(sorted);
}

CorpusRuns FuzzCorpus::ReadRuns() {
  const std::string folder = folder_ + "/runs";
  std::error_code error;
  CorpusRuns result = Read(folder, PathsOfRuns(error));
  if (error) result.skipped.push_back({folder, error.message()});
  index_.emplace(&start_.info().inputs);
  for (const CorpusRun& run : result.runs) {
    // Replays and tracks with other names are somebody's, who may change them.
    if (!run.track->is_named_by_digest) continue;
    index_->Add(run.inputs(), NameOf(run.path));
  }
  return result;
}

CorpusRuns FuzzCorpus::ReadFailures() const {
  const std::string folder = folder_ + "/failures";
  std::error_code error;
  std::set<std::string> paths;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, error)) {
    const std::string path = entry.path().string();
    if (path.ends_with(kTrackEnd) || path.ends_with(kReplayEnd)) {
      paths.insert(path);
    }
  }
  CorpusRuns result = Read(folder, paths);
  if (error) result.skipped.push_back({folder, error.message()});
  return result;
}

CorpusRuns FuzzCorpus::Read(const std::string& folder,
                            const std::set<std::string>& paths) const {
  CorpusRuns result;
  TrackFolder tracks(folder);
  for (const std::string& path : paths) {
    absl::StatusOr<std::shared_ptr<const StoredTrack>> read =
        absl::InvalidArgumentError("no input track and no replay");
    if (path.ends_with(kTrackEnd)) {
      read = tracks.Read(NameOf(path));
    } else if (path.ends_with(kReplayEnd)) {
      absl::StatusOr<InputTrack> replay = ReadReplayTrack(path);
      if (replay.ok()) {
        auto stored = std::make_shared<StoredTrack>();
        stored->track = *std::move(replay);
        read = std::move(stored);
      } else {
        read = replay.status();
      }
    }
    std::string reason = read.ok() ? ReasonToSkip((*read)->track)
                                   : std::string(read.status().message());
    if (!reason.empty()) {
      result.skipped.push_back({path, std::move(reason)});
      continue;
    }
    result.runs.push_back({path, *std::move(read)});
  }
  SortByBeginnings(result);
  return result;
}

absl::StatusOr<std::string> FuzzCorpus::Write(const PlayedInputs& run,
                                              TrackIndex& index) {
  if (index.Has(run)) return "";
  std::optional<TrackBeginning> beginning = index.BeginningOf(run);
  // Who copies folders may have taken it away.
  if (beginning && !fs::exists(folder_ + "/runs/" + beginning->file)) {
    beginning.reset();
  }
  const sim::SimulationInfo& info = start_.info();
  InputTrack track{.pack = info.pack,
                   .tick_count = run.tick_count,
                   .run = std::nullopt,
                   .ticks = {}};
  const sim::Tick begin = beginning ? beginning->tick : 0;
  track.ticks.assign(
      std::ranges::lower_bound(run.ticks, begin, {}, &TickInputs::tick),
      run.ticks.end());
  const std::string text = FormatStoredTrack(beginning, track, info.inputs);
  const std::string name = TrackFileNameOf(text);
  std::string path = folder_ + "/runs/" + name;
  const absl::Status status = WriteCorpusText(path, text);
  if (!status.ok()) return status;
  index.Add(run, name);
  return path;
}

absl::StatusOr<bool> FuzzCorpus::AddRun(const PlayedInputs& run) {
  if (!index_) ReadRuns();
  const absl::StatusOr<std::string> path = Write(run, *index_);
  if (!path.ok()) return path.status();
  return !path->empty();
}

std::string FuzzCorpus::BeginningOf(const std::string& path) const {
  if (!path.ends_with(kTrackEnd)) return "";
  const absl::StatusOr<std::string> text = ReadInputText(path);
  if (!text.ok()) return "";
  const auto beginning = ParseTrackBeginning(*text, path);
  if (!beginning.ok() || !beginning->has_value()) return "";
  return folder_ + "/runs/" + (*beginning)->file;
}

std::set<std::string> FuzzCorpus::WithBeginnings(
    std::set<std::string> paths) const {
  std::vector<std::string> next(paths.begin(), paths.end());
  while (!next.empty()) {
    std::string before = BeginningOf(next.back());
    next.pop_back();
    if (before.empty()) continue;
    if (paths.insert(before).second) next.push_back(std::move(before));
  }
  return paths;
}

absl::Status FuzzCorpus::Remove(const std::set<std::string>& paths) const {
  std::map<std::string, std::string> beginnings;
  std::map<std::string, size_t> branch_counts;
  for (const std::string& path : paths) {
    std::string before = BeginningOf(path);
    if (!paths.contains(before)) continue;
    ++branch_counts[before];
    beginnings[path] = std::move(before);
  }
  std::vector<std::string> next;
  for (const std::string& path : paths) {
    if (!branch_counts.contains(path)) next.push_back(path);
  }
  while (!next.empty()) {
    const std::string path = std::move(next.back());
    next.pop_back();
    std::error_code error;
    fs::remove(path, error);
    if (error) {
      return absl::UnavailableError(
          fmt::format("{}: {}", path, error.message()));
    }
    const auto before = beginnings.find(path);
    if (before == beginnings.end()) continue;
    if (--branch_counts[before->second] == 0) next.push_back(before->second);
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> FuzzCorpus::KeepOnly(
    const std::vector<PlayedInputs>& runs, std::span<const std::string> read) {
  std::error_code error;
  const std::set<std::string> before = PathsOfRuns(error);
  std::set<std::string> dropped;
  for (const std::string& path : read) {
    if (path.ends_with(kTrackEnd)) dropped.insert(path);
  }
  // Branches of one another alone. Killed meanwhile, both are there.
  TrackIndex index(&start_.info().inputs);
  uint64_t added = 0;
  for (const PlayedInputs& run : runs) {
    const absl::StatusOr<std::string> path = Write(run, index);
    if (!path.ok()) return path.status();
    dropped.erase(*path);
    added += !path->empty() && !before.contains(*path) ? 1 : 0;
  }
  std::set<std::string> stay = PathsOfRuns(error);
  std::erase_if(stay, [&dropped](const std::string& path) {
    return dropped.contains(path);
  });
  stay = WithBeginnings(std::move(stay));
  std::erase_if(dropped, [&stay](const std::string& path) {
    return stay.contains(path);
  });
  const absl::Status removed = Remove(dropped);
  if (!removed.ok()) return removed;
  index_ = std::move(index);
  return added;
}

std::string FuzzCorpus::StemOf(std::string_view signature) const {
  return folder_ + "/failures/" + FileNameOf(signature);
}

std::string FuzzCorpus::PathOfFailure(std::string_view signature) const {
  for (const std::string_view end : {kReplayEnd, kTrackEnd}) {
    const std::string path = StemOf(signature) + std::string(end);
    if (fs::exists(path)) return path;
  }
  return "";
}

absl::StatusOr<std::string> FuzzCorpus::AddFailure(
    const FoundFailure& failure, const std::function<void()>& before_tick) {
  if (failure.failure.signature == kStepFailed) return AddCrash(failure);
  const std::string stem = StemOf(failure.failure.signature);
  const std::string path = stem + std::string(kReplayEnd);
  if (IsShortEnough(path, failure)) return path;
  const absl::Status status =
      WriteReplayOf(path, failure.inputs, pack_, start_, before_tick);
  if (!status.ok()) return status;
  return Describe(stem, path, failure);
}

absl::StatusOr<std::string> FuzzCorpus::AddCrash(const FoundFailure& failure) {
  const std::string stem = StemOf(failure.failure.signature);
  const std::string path = stem + std::string(kTrackEnd);
  if (IsShortEnough(path, failure)) return path;
  const absl::Status status = WriteTrackOf(path, failure.inputs, start_);
  if (!status.ok()) return status;
  return Describe(stem, path, failure);
}

bool FuzzCorpus::IsShortEnough(const std::string& path,
                               const FoundFailure& failure) const {
  if (!fs::exists(path)) return false;
  const absl::StatusOr<InputTrack> there = ReadInputsOf(path);
  return there.ok() && there->run && there->run->pack_digest &&
         start_.info().IsOfPack(*there->run->pack_digest) &&
         there->tick_count <= failure.inputs.tick_count;
}

absl::StatusOr<std::string> FuzzCorpus::Describe(const std::string& stem,
                                                 const std::string& path,
                                                 const FoundFailure& failure) {
  const RunFailure& told = failure.failure;
  const absl::Status status = WriteCorpusText(
      stem + ".txt", fmt::format("{}\ntick {}: {}\n", told.signature, told.tick,
                                 told.message));
  if (!status.ok()) return status;
  return path;
}

absl::Status FuzzCorpus::RemoveRunsThatBeginWith(const PlayedInputs& inputs) {
  const CorpusRuns all = ReadRuns();
  std::set<std::string> removed;
  for (const CorpusRun& run : all.runs) {
    if (!BeginsWith(run.inputs(), inputs)) continue;
    if (run.path.ends_with(kReplayEnd)) {
      return absl::InvalidArgumentError(fmt::format(
          "{}: the game doesn't survive this run; take it away", run.path));
    }
    removed.insert(run.path);
  }
  if (removed.empty()) {
    return absl::NotFoundError(fmt::format(
        "{}/runs: the game doesn't survive one of the runs", folder_));
  }
  // What goes on from them begins otherwise, and is written anew.
  TrackIndex index(&start_.info().inputs);
  std::vector<PlayedInputs> orphans;
  for (const CorpusRun& run : all.runs) {
    if (removed.contains(run.path)) continue;
    bool is_orphan = false;
    for (const StoredTrack* one = run.track.get(); one->before != nullptr;
         one = one->before.get()) {
      is_orphan |= removed.contains(folder_ + "/runs/" + one->before_file);
    }
    if (is_orphan) {
      orphans.push_back(run.inputs());
      removed.insert(run.path);
    } else if (run.track->is_named_by_digest) {
      index.Add(run.inputs(), NameOf(run.path));
    }
  }
  for (const PlayedInputs& run : orphans) {
    const absl::StatusOr<std::string> path = Write(run, index);
    if (!path.ok()) return path.status();
    removed.erase(*path);
  }
  const absl::Status status = Remove(removed);
  if (!status.ok()) return status;
  index_ = std::move(index);
  return absl::OkStatus();
}

}  // namespace reprise::replays
