// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/shared_journal.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <new>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/input.pb.h"

namespace reprise::tools {
namespace {

using replays::PlayedInputs;
using replays::RunFailure;
using replays::TickInputs;

constexpr uint64_t kNoRound = UINT64_MAX;

// Before the bytes of a record.
struct RecordHead {
  uint64_t state = 0;
  uint64_t before = 0;
  uint64_t tick = 0;
  uint64_t size = 0;
};

std::string RecordOf(const RecordHead& head, std::string_view bytes) {
  std::string record(sizeof(head), '\0');
  std::memcpy(record.data(), &head, sizeof(head));
  record += bytes;
  return record;
}

// Takes a whole record from the front of `bytes`; false: there is none.
bool TakeRecord(std::string_view& bytes, RecordHead& head,
                std::string_view& content) {
  if (bytes.size() < sizeof(head)) return false;
  std::memcpy(&head, bytes.data(), sizeof(head));
  bytes.remove_prefix(sizeof(head));
  if (bytes.size() < head.size) return false;
  content = bytes.substr(0, head.size);
  bytes.remove_prefix(head.size);
  return true;
}

// Appends the inputs of Encode to `ticks`.
void Decode(std::string_view bytes, std::vector<TickInputs>& ticks) {
  v1::InputTrack message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return;
  }
  for (const v1::TickInputs& inputs : message.ticks()) {
    auto frames = replays::FromProto(inputs.frames());
    if (!frames.ok()) continue;
    ticks.push_back({.tick = inputs.tick(), .frames = *std::move(frames)});
  }
}

}  // namespace

struct SharedJournal::Counters {
  std::atomic<uint64_t> round = kNoRound;
  std::atomic<uint64_t> ticks_before_rounds = 0;
  std::atomic<uint64_t> beats = 0;
  // A line of the cache for each, so that jobs don't wait for one another.
  struct alignas(64) JobCounter {
    std::atomic<uint64_t> ticks = 0;
  };
  std::array<JobCounter, replays::kFuzzJobsMax> jobs;
};

absl::StatusOr<std::unique_ptr<SharedJournal>> SharedJournal::Create(
    uint32_t jobs, const sim::InputGrammar* grammar) {
  std::unique_ptr<SharedJournal> journal(new SharedJournal(grammar));
  void* const memory = mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::UnavailableError(
        fmt::format("mmap: {}", std::generic_category().message(errno)));
  }
  journal->counters_ = new (memory) Counters;
  std::vector<SharedFile*> files = {&journal->states_, &journal->failures_};
  journal->pieces_.resize(jobs);
  for (SharedFile& piece : journal->pieces_) files.push_back(&piece);
  for (SharedFile* const file : files) {
    absl::StatusOr<SharedFile> created = SharedFile::Create();
    if (!created.ok()) return created.status();
    *file = *std::move(created);
  }
  return journal;
}

SharedJournal::~SharedJournal() {
  if (counters_ != nullptr) munmap(counters_, sizeof(Counters));
}

void SharedJournal::Clear() {
  states_.Replace("");
  for (const SharedFile& piece : pieces_) piece.Replace("");
  counters_->round = kNoRound;
}

std::string SharedJournal::Encode(std::span<const TickInputs> inputs) const {
  v1::InputTrack message;
  for (const TickInputs& tick : inputs) {
    // What has no form as a message is what the game refuses.
    if (!sim::ValidateInputs(grammar_, tick.frames).ok()) continue;
    v1::TickInputs& one = *message.add_ticks();
    one.set_tick(tick.tick);
    for (const sim::InputFrame& frame : tick.frames) {
      *one.add_frames() = replays::ToProto(frame, grammar_);
    }
  }
  return message.SerializeAsString();
}

void SharedJournal::OnRound(uint64_t round) {
  if (counters_->round == kNoRound) counters_->ticks_before_rounds = ticks();
  counters_->round = round;
}

void SharedJournal::OnState(uint64_t state, uint64_t before,
                            std::span<const TickInputs> inputs,
                            sim::Tick tick) {
  const std::string bytes = Encode(inputs);
  states_.Append(RecordOf(
      {.state = state, .before = before, .tick = tick, .size = bytes.size()},
      bytes));
}

void SharedJournal::OnPiece(uint32_t job, uint64_t state,
                            std::span<const TickInputs> inputs, sim::Tick end) {
  const std::string bytes = Encode(inputs);
  pieces_[job].Replace(
      RecordOf({.before = state, .tick = end, .size = bytes.size()}, bytes));
}

void SharedJournal::OnTick(uint32_t job) {
  // Nobody else counts this job's.
  std::atomic<uint64_t>& ticks = counters_->jobs[job].ticks;
  ticks.store(ticks.load(std::memory_order_relaxed) + 1,
              std::memory_order_relaxed);
}

void SharedJournal::OnBeat() {
  counters_->beats.fetch_add(1, std::memory_order_relaxed);
}

void SharedJournal::OnFailure(const RunFailure& failure) {
  failures_.Append(
      RecordOf({.tick = failure.tick,
                .size = failure.signature.size() + 1 + failure.message.size()},
               failure.signature + "\n" + failure.message));
}

uint64_t SharedJournal::progress() const {
  return ticks() + counters_->beats.load(std::memory_order_relaxed);
}

uint64_t SharedJournal::ticks() const {
  uint64_t sum = 0;
  for (const Counters::JobCounter& job : counters_->jobs) {
    sum += job.ticks.load(std::memory_order_relaxed);
  }
  return sum;
}

uint64_t SharedJournal::ticks_before_rounds() const {
  return round() ? counters_->ticks_before_rounds.load() : ticks();
}

std::optional<uint64_t> SharedJournal::round() const {
  const uint64_t round = counters_->round;
  if (round == kNoRound) return std::nullopt;
  return round;
}

std::vector<PlayedInputs> SharedJournal::InPlay() const {
  const std::string bytes = states_.Read();
  struct Step {
    uint64_t before = 0;
    std::string_view inputs;
  };
  std::map<uint64_t, Step> steps;
  std::string_view rest = bytes;
  RecordHead head;
  std::string_view content;
  while (TakeRecord(rest, head, content)) {
    steps[head.state] = {.before = head.before, .inputs = content};
  }
  std::vector<PlayedInputs> runs;
  for (const SharedFile& piece : pieces_) {
    const std::string record = piece.Read();
    rest = record;
    if (!TakeRecord(rest, head, content)) continue;
    std::vector<std::string_view> parts = {content};
    for (auto step = steps.find(head.before); step != steps.end();
         step = steps.find(step->second.before)) {
      parts.push_back(step->second.inputs);
    }
    PlayedInputs& run = runs.emplace_back();
    run.tick_count = head.tick;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      Decode(*part, run.ticks);
    }
  }
  return runs;
}

std::vector<RunFailure> SharedJournal::Failures() const {
  const std::string bytes = failures_.Read();
  std::string_view rest = bytes;
  RecordHead head;
  std::string_view content;
  std::vector<RunFailure> failures;
  while (TakeRecord(rest, head, content)) {
    const size_t line = content.find('\n');
    const std::string_view signature = content.substr(0, line);
    if (std::ranges::find(failures, signature, &RunFailure::signature) !=
        failures.end()) {
      continue;
    }
    failures.push_back({.signature = std::string(signature),
                        .message = std::string(content.substr(line + 1)),
                        .tick = head.tick});
  }
  return failures;
}

}  // namespace reprise::tools
