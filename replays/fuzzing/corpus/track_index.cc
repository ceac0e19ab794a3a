// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/corpus/track_index.h"

#include <algorithm>

#include "replays/messages/proto_conversion.h"
#include "reprise/v1/input.pb.h"

namespace reprise::replays {
namespace {

// Tells of each tick with inputs what was given up to and with it.
std::vector<sim::Digest> ChainOf(const PlayedInputs& run,
                                 const sim::InputGrammar& grammar) {
  std::vector<sim::Digest> chain;
  sim::Digest last;
  for (const TickInputs& inputs : run.ticks) {
    last = sim::ExtendChain(last, DigestOfInputs(inputs, grammar));
    chain.push_back(last);
  }
  return chain;
}

sim::Digest EndOf(const std::vector<sim::Digest>& chain) {
  return chain.empty() ? sim::Digest{} : chain.back();
}

// The inputs of a run as the parts of the tracks that it goes through.
using Parts = std::vector<std::span<const sim::Digest>>;

// A place in parts.
class PartCursor {
 public:
  explicit PartCursor(const Parts& parts) : parts_(parts) { SkipEmpty(); }

  bool is_at_end() const { return part_ == parts_.size(); }
  std::span<const sim::Digest> rest() const {
    return parts_[part_].subspan(offset_);
  }
  void Skip(size_t count) {
    offset_ += count;
    SkipEmpty();
  }

 private:
  void SkipEmpty() {
    while (part_ < parts_.size() && offset_ == parts_[part_].size()) {
      ++part_;
      offset_ = 0;
    }
  }

  const Parts& parts_;
  size_t part_ = 0;
  size_t offset_ = 0;
};

// Less than 0: `one` comes before `other`. What both have of one track isn't
// looked at.
int Compare(const Parts& one, const Parts& other) {
  PartCursor a(one);
  PartCursor b(other);
  while (!a.is_at_end() && !b.is_at_end()) {
    const size_t count = std::min(a.rest().size(), b.rest().size());
    if (a.rest().data() != b.rest().data()) {
      const auto [in_a, in_b] =
          std::ranges::mismatch(a.rest().first(count), b.rest().first(count));
      if (in_a != a.rest().first(count).end()) return *in_a < *in_b ? -1 : 1;
    }
    a.Skip(count);
    b.Skip(count);
  }
  return static_cast<int>(b.is_at_end()) - static_cast<int>(a.is_at_end());
}

}  // namespace

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

void TrackIndex::Add(const PlayedInputs& run, const std::string& file) {
  const std::vector<sim::Digest> chain = ChainOf(run, *grammar_);
  runs_.insert({EndOf(chain), run.tick_count});
  const size_t index = files_.size();
  files_.push_back(file);
  for (size_t i = 0; i < chain.size(); ++i) {
    // The first that has it stays: it has least behind it.
    places_.try_emplace(chain[i].value,
                        Place{.file = index, .tick = run.ticks[i].tick + 1});
  }
}

bool TrackIndex::Has(const PlayedInputs& run) const {
  return runs_.contains({EndOf(ChainOf(run, *grammar_)), run.tick_count});
}

std::optional<TrackBeginning> TrackIndex::BeginningOf(
    const PlayedInputs& run) const {
  const std::vector<sim::Digest> chain = ChainOf(run, *grammar_);
  for (size_t count = chain.size(); count >= kSharedTicksMin; --count) {
    const auto found = places_.find(chain[count - 1].value);
    if (found == places_.end()) continue;
    return TrackBeginning{.file = files_[found->second.file],
                          .tick = found->second.tick};
  }
  return std::nullopt;
}

std::vector<size_t> OrderByBeginnings(
    std::span<const std::shared_ptr<const StoredTrack>> tracks,
    const sim::InputGrammar& grammar) {
  // Of the inputs of each track, also of those that others go on from. Looked
  // into, and never walked through.
  std::map<const StoredTrack*, std::vector<sim::Digest>> digests;
  std::vector<std::pair<Parts, size_t>> order(tracks.size());
  for (size_t i = 0; i < tracks.size(); ++i) {
    Parts& parts = order[i].first;
    order[i].second = i;
    sim::Tick end = tracks[i]->track.tick_count;
    for (const StoredTrack* one = tracks[i].get(); one != nullptr;
         one = one->before.get()) {
      const std::vector<TickInputs>& ticks = one->track.ticks;
      const auto [found, is_new] = digests.try_emplace(one);
      if (is_new) {
        for (const TickInputs& inputs : ticks) {
          found->second.push_back(DigestOfInputs(inputs, grammar));
        }
      }
      const auto last =
          std::ranges::lower_bound(ticks, end, {}, &TickInputs::tick);
      parts.push_back(std::span<const sim::Digest>(found->second)
                          .first(static_cast<size_t>(last - ticks.begin())));
      end = std::min(end, one->begin);
    }
    std::ranges::reverse(parts);
  }
  // A total order: places differ.
  std::ranges::sort(order, [](const auto& a, const auto& b) {
    const int compared = Compare(a.first, b.first);
    return compared != 0 ? compared < 0 : a.second < b.second;
  });
  std::vector<size_t> places;
  for (const auto& [parts, place] : order) places.push_back(place);
  return places;
}

}  // namespace reprise::replays
