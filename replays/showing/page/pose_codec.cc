// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/page/pose_codec.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "replays/showing/page/number_codec.h"
#include "sim/base/check.h"
#include "sim/geometry/quaternion.h"

namespace reprise::replays {
namespace {

constexpr uint64_t kMoves = 1;
constexpr uint64_t kIsThereAtTimes = 2;
constexpr size_t kColumns = 7;

int64_t Quantize(double value, double step) {
  return std::llround(value / step);
}

int64_t QuantizePosition(double metres) {
  return Quantize(std::clamp(metres, -kPositionMaxM, kPositionMaxM),
                  kPositionStepM);
}

// The lengths of the runs of frames without and with it, in turn.
std::vector<uint32_t> RunsOf(std::span<const uint32_t> frames,
                             uint32_t frame_count) {
  std::vector<uint32_t> runs;
  uint32_t begin = 0;
  bool is_there = false;
  size_t next = 0;
  for (uint32_t frame = 0; frame < frame_count; ++frame) {
    const bool has_it = next < frames.size() && frames[next] == frame;
    if (has_it) ++next;
    if (has_it == is_there) continue;
    runs.push_back(frame - begin);
    begin = frame;
    is_there = has_it;
  }
  runs.push_back(frame_count - begin);
  return runs;
}

void AppendColumn(std::span<const int64_t> column, std::string& bytes) {
  int64_t before = column.front();
  int64_t speed = 0;
  AppendSigned(before, bytes);
  for (const int64_t value : column.subspan(1)) {
    AppendSigned(value - before - speed, bytes);
    speed = value - before;
    before = value;
  }
}

// The frames that have the object; nullopt where the runs aren't of so many.
std::optional<std::vector<uint32_t>> ReadFrames(bool is_there_at_times,
                                                uint32_t frame_count,
                                                NumberReader& reader) {
  std::vector<uint32_t> frames;
  uint64_t run_count = is_there_at_times ? reader.Unsigned() : 2;
  uint64_t frame = 0;
  for (uint64_t run = 0; run < run_count && reader.is_ok(); ++run) {
    uint64_t length = run == 0 ? 0 : frame_count;
    if (is_there_at_times) length = reader.Unsigned();
    if (length > frame_count - frame) return std::nullopt;
    for (const uint64_t end = frame + length; frame < end; ++frame) {
      if (run % 2 == 1) frames.push_back(static_cast<uint32_t>(frame));
    }
  }
  if (frame != frame_count || frames.empty()) return std::nullopt;
  return frames;
}

std::vector<int64_t> ReadColumn(bool moves, size_t count,
                                NumberReader& reader) {
  std::vector<int64_t> column = {reader.Signed()};
  int64_t speed = 0;
  while (column.size() < count) {
    if (moves) speed += reader.Signed();
    column.push_back(column.back() + speed);
  }
  return column;
}

}  // namespace

void PoseEncoder::AddFrame(std::span<const ShownPose> poses) {
  CHECK(frame_count_ < kChunkFrames);
  for (const auto& [object, position, rotation] : poses) {
    Track& track = tracks_[object];
    const bool is_first = track.frames.empty();
    track.frames.push_back(frame_count_);
    const double now[4] = {rotation.x, rotation.y, rotation.z, rotation.w};
    // Of the two that are one rotation, the one nearer to the last.
    double nearness = 0;
    for (size_t i = 0; i < 4 && !is_first; ++i) {
      nearness += now[i] * static_cast<double>(track.columns[3 + i].back());
    }
    const double sign = nearness < 0 ? -1 : 1;
    track.columns[0].push_back(QuantizePosition(position.x));
    track.columns[1].push_back(QuantizePosition(position.y));
    track.columns[2].push_back(QuantizePosition(position.z));
    for (size_t i = 0; i < 4; ++i) {
      track.columns[3 + i].push_back(Quantize(sign * now[i], kRotationStep));
    }
  }
  ++frame_count_;
}

std::string PoseEncoder::TakeChunk() {
  std::string bytes;
  AppendUnsigned(tracks_.size(), bytes);
  int64_t before = -1;
  for (const auto& [object, track] : tracks_) {
    bool moves = false;
    for (const std::vector<int64_t>& column : track.columns) {
      moves = moves || std::ranges::any_of(column, [&](int64_t value) {
                return value != column.front();
              });
    }
    const bool is_there_at_times = track.frames.size() != frame_count_;
    AppendUnsigned(object - before, bytes);
    before = object;
    AppendUnsigned(
        (moves ? kMoves : 0) | (is_there_at_times ? kIsThereAtTimes : 0),
        bytes);
    if (is_there_at_times) {
      const std::vector<uint32_t> runs = RunsOf(track.frames, frame_count_);
      AppendUnsigned(runs.size(), bytes);
      for (const uint32_t run : runs) AppendUnsigned(run, bytes);
    }
    for (const std::vector<int64_t>& column : track.columns) {
      AppendColumn(std::span(column).first(moves ? column.size() : 1), bytes);
    }
  }
  tracks_.clear();
  frame_count_ = 0;
  return bytes;
}

absl::StatusOr<std::vector<std::vector<ShownPose>>> DecodePoses(
    std::string_view chunk, uint32_t frame_count) {
  const absl::Status damage =
      absl::DataLossError("a chunk of poses is damaged");
  NumberReader reader(chunk);
  std::vector<std::vector<ShownPose>> poses(frame_count);
  int64_t object = -1;
  for (uint64_t left = reader.Unsigned(); left > 0 && reader.is_ok(); --left) {
    object += static_cast<int64_t>(reader.Unsigned());
    const uint64_t flags = reader.Unsigned();
    const auto frames =
        ReadFrames((flags & kIsThereAtTimes) != 0, frame_count, reader);
    if (!frames) return damage;
    std::vector<int64_t> columns[kColumns];
    for (std::vector<int64_t>& column : columns) {
      column = ReadColumn((flags & kMoves) != 0, frames->size(), reader);
    }
    for (size_t i = 0; i < frames->size(); ++i) {
      const auto value = [&](size_t column) {
        return static_cast<double>(columns[column][i]);
      };
      poses[(*frames)[i]].push_back(
          {static_cast<uint32_t>(object),
           kPositionStepM * sim::Vector3{value(0), value(1), value(2)},
           sim::Normalized(
               sim::Quaternion{value(3), value(4), value(5), value(6)})});
    }
  }
  if (!reader.is_ok() || !reader.is_at_end()) return damage;
  return poses;
}

}  // namespace reprise::replays
