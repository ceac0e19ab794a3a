// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The journal of a campaign in memory that two processes share: when the one
// that plays dies or stands still, the one that watches reads what was played.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_SHARED_JOURNAL_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_SHARED_JOURNAL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_journal.h"
#include "sim/base/tick.h"
#include "sim/input/input_grammar.h"
#include "tools/reprise/fuzzing/shared_file.h"

namespace reprise::tools {

class SharedJournal final : public replays::FuzzJournal {
 public:
  // For as many jobs. `grammar` must remain live. UNAVAILABLE: the system gives
  // no memory.
  static absl::StatusOr<std::unique_ptr<SharedJournal>> Create(
      uint32_t jobs, const sim::InputGrammar* grammar);

  SharedJournal(const SharedJournal&) = delete;
  SharedJournal& operator=(const SharedJournal&) = delete;
  ~SharedJournal() override;

  // Forgets everything but the failures, and how many ticks were made.
  void Clear();

  void OnRound(uint64_t round) override;
  void OnState(uint64_t state, uint64_t before,
               std::span<const replays::TickInputs> inputs,
               sim::Tick tick) override;
  void OnPiece(uint32_t job, uint64_t state,
               std::span<const replays::TickInputs> inputs,
               sim::Tick end) override;
  void OnTick(uint32_t job) override;
  void OnBeat() override;
  void OnFailure(const replays::RunFailure& failure) override;

  // What follows is for whoever watches, while nobody plays; `ticks` and
  // `progress` at any time.

  // Grows by each tick and each beat.
  uint64_t progress() const;
  // Made since the journal was, in all rounds and before them.
  uint64_t ticks() const;
  // Of those, how many before the first round since it was cleared; all, where
  // there was none.
  uint64_t ticks_before_rounds() const;
  // The last one that began; nullopt: none since the journal was cleared.
  std::optional<uint64_t> round() const;
  // What each job that played something played last, from tick 0 on.
  std::vector<replays::PlayedInputs> InPlay() const;
  // Each signature once, in the order in which they came.
  std::vector<replays::RunFailure> Failures() const;

 private:
  // Numbers that both processes look at while one of them plays.
  struct Counters;

  explicit SharedJournal(const sim::InputGrammar* grammar)
      : grammar_(*grammar) {}

  std::string Encode(std::span<const replays::TickInputs> inputs) const;

  const sim::InputGrammar& grammar_;
  Counters* counters_ = nullptr;
  SharedFile states_;               // records, one behind the other
  SharedFile failures_;             // the same
  std::vector<SharedFile> pieces_;  // of each job: one record
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_SHARED_JOURNAL_H_
