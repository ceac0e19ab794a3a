// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/fuzz_corpus.h"

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
#include "replays/container/partial_file.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/messages/proto_conversion.h"
#include "replays/recording/replay_text.h"
#include "reprise/v1/input.pb.h"
#include "sim/base/digest.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrackEnd = ".txtpb";
constexpr std::string_view kReplayEnd = ".mcap";
constexpr char kPartialEnd[] = ".partial";
constexpr auto kDurability = FileSink::Durability::kProcess;

// A failure lies at the end of a run, where somebody looks: few keyframes, and
// digests at every tick.
ReplayWriterOptions FailureOptions() {
  ReplayWriterOptions options;
  options.digest_stride = 1;
  return options;
}

// Why `path` can't be written, with its name once. A full disk isn't the
// input's fault.
absl::Status WriteError(const absl::Status& status, const std::string& path) {
  std::string message(status.message());
  if (message.find(path) == std::string::npos) {
    message = fmt::format("{}: {}", path, message);
  }
  const bool is_full =
      absl::IsResourceExhausted(status) || absl::IsOutOfRange(status);
  return absl::Status(is_full ? absl::StatusCode::kUnavailable : status.code(),
                      message);
}

// Calls `write` with a sink, and gives the file its name if that went well;
// otherwise nothing is left of it.
absl::Status WriteWhole(
    const std::string& path,
    const std::function<absl::Status(std::unique_ptr<FileSink>)>& write) {
  std::error_code ignored;  // What can't be looked at can't be written either.
  if (fs::is_directory(path, ignored)) {
    return absl::InvalidArgumentError(
        fmt::format("{} is a folder, and no file", path));
  }
  const std::string partial = UnfinishedPath(path);
  auto sink = FileSink::Create(partial, kDurability);
  if (!sink.ok()) return WriteError(sink.status(), path);
  absl::Status status = write(*std::move(sink));
  if (partial == path) return status.ok() ? status : WriteError(status, path);
  if (status.ok()) status = RenameFile(partial, path, kDurability);
  if (status.ok()) return status;
  fs::remove(partial, ignored);
  return WriteError(status, path);
}

absl::Status WriteText(const std::string& path, std::string_view text) {
  return WriteWhole(path, [text](std::unique_ptr<FileSink> sink) {
    return sink->Append(std::as_bytes(std::span(text)));
  });
}

// A longer one is none of ours.
constexpr uint64_t kTextBytesMax = uint64_t{64} << 20;

absl::StatusOr<std::string> ReadWhole(const std::string& path) {
  const auto file = FileSource::Open(path);
  if (!file.ok()) return file.status();
  if ((*file)->size() > kTextBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{}: it has more than {} bytes", path, kTextBytesMax));
  }
  std::string text((*file)->size(), '\0');
  const absl::Status status =
      (*file)->ReadAt(0, std::as_writable_bytes(std::span(text)));
  if (!status.ok()) return status;
  return text;
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

absl::StatusOr<StoredInputs> ReadInputsOf(const std::string& path) {
  StoredInputs result;
  if (path.ends_with(kTrackEnd)) {
    absl::StatusOr<InputTrack> track = ReadInputTrack(path);
    if (!track.ok()) return track.status();
    result.pack = track->pack;
    if (track->run) result.pack_digest = track->run->pack_digest;
    result.inputs = {.ticks = std::move(track->ticks),
                     .tick_count = track->tick_count};
    return result;
  }
  absl::StatusOr<std::unique_ptr<ReplayReader>> replay =
      ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  result.pack = (*replay)->metadata().pack;
  result.pack_digest = (*replay)->metadata().pack_digest;
  result.inputs.tick_count = (*replay)->tick_count();
  const auto cursor = (*replay)->ReadTickInputs();
  while (true) {
    auto inputs = cursor->Next();
    if (!inputs.ok()) return inputs.status();
    if (!inputs->has_value()) return result;
    result.inputs.ticks.push_back(**std::move(inputs));
  }
}

// What the game refuses is known by its tick alone.
sim::Digest DigestOfInputs(const TickInputs& inputs,
                           const sim::InputGrammar& grammar) {
  v1::TickInputs message;
  message.set_tick(inputs.tick);
  if (sim::ValidateInputs(grammar, inputs.frames).ok()) {
    for (const sim::InputFrame& frame : inputs.frames) {
      *message.add_frames() = ToProto(frame, grammar);
    }
  }
  const std::string bytes = message.SerializeAsString();
  return sim::DigestOf(std::as_bytes(std::span(bytes)));
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
  absl::StatusOr<StoredInputs> result = ReadInputsOf(path);
  if (!result.ok()) return result.status();
  return std::move(result->inputs);
}

absl::Status WriteReplayOf(const std::string& path, const PlayedInputs& inputs,
                           const sim::PackArchive& pack,
                           const sim::Simulation& start,
                           const std::function<void()>& before_tick) {
  const InputTrack track = TrackOfFailure(inputs, start.info());
  return WriteWhole(path, [&](std::unique_ptr<FileSink> sink) {
    const std::unique_ptr<sim::Simulation> simulation = start.Fork();
    return AssembleReplay(track, pack, *simulation, std::move(sink),
                          before_tick)
        .status();
  });
}

absl::Status WriteTrackOf(const std::string& path, const PlayedInputs& inputs,
                          const sim::Simulation& start) {
  const sim::SimulationInfo& info = start.info();
  return WriteText(path,
                   FormatInputTrack(TrackOfFailure(inputs, info), info.inputs));
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
  auto lock = FileSink::Create(folder + "/.lock", kDurability);
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
  const absl::StatusOr<std::string> text = ReadWhole(path);
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
  const absl::StatusOr<std::string> text = ReadWhole(path);
  if (!text.ok()) return text.status();
  auto known = ParseKnownFailures(*text, path);
  if (!known.ok()) return known.status();
  known_ = *std::move(known);
  return absl::OkStatus();
}

absl::Status FuzzCorpus::SetProgress(const CorpusProgress& progress) {
  progress_ = progress;
  return WriteText(
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

std::string FuzzCorpus::ReasonToSkip(const StoredInputs& stored) const {
  if (!stored.pack.empty() && stored.pack != start_.info().pack) {
    return fmt::format("of the pack {}", stored.pack);
  }
  const sim::Tick tick_count = stored.inputs.tick_count;
  if (tick_count == 0) return "it has no ticks";
  if (tick_count > kCorpusRunTicksMax) {
    return fmt::format("it has {} ticks, and at most {} are played", tick_count,
                       kCorpusRunTicksMax);
  }
  return "";
}

void FuzzCorpus::SortByBeginnings(CorpusRuns& corpus) const {
  const size_t count = corpus.runs.size();
  std::vector<std::pair<std::vector<sim::Digest>, size_t>> order(count);
  for (size_t i = 0; i < count; ++i) {
    order[i].second = i;
    for (const TickInputs& inputs : corpus.runs[i].ticks) {
      order[i].first.push_back(DigestOfInputs(inputs, start_.info().inputs));
    }
  }
  // A total order: places differ.
  std::ranges::sort(order);
  CorpusRuns sorted{.runs = {}, .paths = {}, .skipped = {}};
  for (const auto& [inputs, place] : order) {
    sorted.runs.push_back(std::move(corpus.runs[place]));
    sorted.paths.push_back(std::move(corpus.paths[place]));
  }
  corpus.runs = std::move(sorted.runs);
  corpus.paths = std::move(sorted.paths);
}

CorpusRuns FuzzCorpus::ReadRuns() const {
  std::error_code error;
  CorpusRuns result = Read(PathsOfRuns(error));
  if (error) result.skipped.push_back({folder_ + "/runs", error.message()});
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
  CorpusRuns result = Read(paths);
  if (error) result.skipped.push_back({folder, error.message()});
  return result;
}

CorpusRuns FuzzCorpus::Read(const std::set<std::string>& paths) const {
  CorpusRuns result;
  for (const std::string& path : paths) {
    if (!path.ends_with(kTrackEnd) && !path.ends_with(kReplayEnd)) {
      result.skipped.push_back({path, "no input track and no replay"});
      continue;
    }
    absl::StatusOr<StoredInputs> read = ReadInputsOf(path);
    if (!read.ok()) {
      result.skipped.push_back({path, std::string(read.status().message())});
      continue;
    }
    std::string reason = ReasonToSkip(*read);
    if (!reason.empty()) {
      result.skipped.push_back({path, std::move(reason)});
      continue;
    }
    result.paths.push_back(path);
    result.runs.push_back(std::move(read->inputs));
  }
  SortByBeginnings(result);
  return result;
}

std::string FuzzCorpus::TrackOf(const PlayedInputs& run) const {
  const sim::SimulationInfo& info = start_.info();
  return FormatInputTrack({.pack = info.pack,
                           .tick_count = run.tick_count,
                           .run = std::nullopt,
                           .ticks = run.ticks},
                          info.inputs);
}

std::string FuzzCorpus::PathOfRun(const std::string& track) const {
  const sim::Digest digest = sim::DigestOf(std::as_bytes(std::span(track)));
  return fmt::format("{}/runs/{}{}", folder_, sim::FormatDigest(digest),
                     kTrackEnd);
}

absl::StatusOr<bool> FuzzCorpus::AddRun(const PlayedInputs& run) {
  const std::string track = TrackOf(run);
  const std::string path = PathOfRun(track);
  if (fs::exists(path)) return false;
  const absl::Status status = WriteText(path, track);
  if (!status.ok()) return status;
  return true;
}

absl::Status FuzzCorpus::KeepOnly(const std::vector<PlayedInputs>& runs,
                                  std::span<const std::string> read) {
  std::set<std::string> kept;
  for (const PlayedInputs& run : runs) kept.insert(PathOfRun(TrackOf(run)));
  for (const std::string& path : read) {
    if (!path.ends_with(kTrackEnd) || kept.contains(path)) continue;
    std::error_code error;
    fs::remove(path, error);
    if (error) {
      return absl::UnavailableError(
          fmt::format("{}: {}", path, error.message()));
    }
  }
  return absl::OkStatus();
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
  const absl::StatusOr<StoredInputs> there = ReadInputsOf(path);
  return there.ok() && there->pack_digest &&
         start_.info().IsOfPack(*there->pack_digest) &&
         there->inputs.tick_count <= failure.inputs.tick_count;
}

absl::StatusOr<std::string> FuzzCorpus::Describe(const std::string& stem,
                                                 const std::string& path,
                                                 const FoundFailure& failure) {
  const RunFailure& told = failure.failure;
  const absl::Status status =
      WriteText(stem + ".txt", fmt::format("{}\ntick {}: {}\n", told.signature,
                                           told.tick, told.message));
  if (!status.ok()) return status;
  return path;
}

absl::Status FuzzCorpus::RemoveRunsThatBeginWith(const PlayedInputs& inputs) {
  bool is_found = false;
  std::error_code error;
  for (const std::string& path : PathsOfRuns(error)) {
    const absl::StatusOr<StoredInputs> run = ReadInputsOf(path);
    if (!run.ok() || run->inputs.tick_count < inputs.tick_count) continue;
    const auto end = std::ranges::lower_bound(
        run->inputs.ticks, inputs.tick_count, {}, &TickInputs::tick);
    if (!std::equal(run->inputs.ticks.begin(), end, inputs.ticks.begin(),
                    inputs.ticks.end())) {
      continue;
    }
    is_found = true;
    if (path.ends_with(kReplayEnd)) {
      return absl::InvalidArgumentError(fmt::format(
          "{}: the game doesn't survive this run; take it away", path));
    }
    fs::remove(path, error);
    if (error) return absl::UnavailableError(error.message());
  }
  if (is_found) return absl::OkStatus();
  return absl::NotFoundError(fmt::format(
      "{}/runs: the game doesn't survive one of the runs", folder_));
}

}  // namespace reprise::replays
