// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What playing and verifying cost, each against the least that it could: a seek
// against the steps of one keyframe interval, a verification against the same
// steps without it, two threads against one, reading against zstd alone, a
// branch as a seek, and opening a long file, or one of an older revision,
// against opening a short one of now.

#include <time.h>
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_encoding.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/playing/pack_folder.h"
#include "replays/playing/replay_player.h"
#include "replays/recording/recorder.h"
#include "replays/recording/resumed_recording.h"
#include "replays/verifying/verifier.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/input/random_input_source.h"
#include "sim/simulation_registry.h"

namespace reprise::replays {
namespace {

constexpr uint64_t kKeyframeStride = 600;

sim::PackArchive ReadPack(const std::string& name) {
  absl::StatusOr<sim::PackArchive> pack = ReadPackFolder("sim/packs/" + name);
  CHECK(pack.ok(), "{}", pack.status().ToString());
  return *std::move(pack);
}

enum class Player { kRandom, kNobody };

// The file of a pack played at random, or by nobody.
Bytes Record(const std::string& pack_name, sim::Tick ticks,
             uint64_t keyframe_stride, Player player = Player::kRandom) {
  const sim::PackArchive pack = ReadPack(pack_name);
  const std::unique_ptr<sim::Simulation> world =
      *sim::CreateSimulation("world", pack, /*seed=*/1);
  Bytes file;
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<MemorySink>(&file), *world, pack,
      {.keyframe_stride = keyframe_stride, .keyframe_bytes_per_tick = 0});
  Recorder recorder(world.get(), writer.get());
  sim::RandomInputSource inputs(world->info().inputs, /*seed=*/2);
  while (world->tick() < ticks) {
    std::vector<sim::InputFrame> frames;
    if (player == Player::kRandom) frames = inputs.Next();
    CHECK(recorder.Step(frames).ok());
    recorder.DrainEvents();
  }
  CHECK(recorder.Finish().ok());
  return file;
}

std::unique_ptr<ReplayReader> Open(const Bytes& file) {
  absl::StatusOr<std::unique_ptr<ReplayReader>> replay =
      ReplayReader::Open(std::make_unique<MemorySource>(file));
  CHECK(replay.ok(), "{}", replay.status().ToString());
  return *std::move(replay);
}

// The golden file of a revision of the format.
Bytes ReadGolden(int64_t revision) {
  std::ifstream in(fmt::format("replays/golden/format_{}.mcap", revision),
                   std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  CHECK(!bytes.empty());
  const std::span<const std::byte> view = std::as_bytes(std::span(bytes));
  return {view.begin(), view.end()};
}

double Now(clockid_t clock) {
  timespec time = {};
  CHECK(clock_gettime(clock, &time) == 0);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

// By the processor's time of this thread, which other programs don't take from.
template <typename Work>
double SecondsOf(Work&& work, clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  const double begin = Now(clock);
  work();
  return Now(clock) - begin;
}

// To a random tick, from wherever the last seek ended, with a player that keeps
// nothing of it; against the steps of one interval from a random keyframe.
void BM_SeekAgainstOneInterval(benchmark::State& state, const char* pack) {
  const auto intervals = static_cast<uint64_t>(state.range(0));
  const Bytes file = Record(pack, intervals * kKeyframeStride, kKeyframeStride);
  const std::unique_ptr<ReplayReader> replay = Open(file);
  sim::RandomStream random = sim::MakeRandomStream(3, sim::IdOf("seeks"));
  double seek_seconds = 0;
  double seek_seconds_max = 0;
  double interval_seconds = 0;
  double interval_seconds_max = 0;
  for (auto _ : state) {
    const std::unique_ptr<ReplayPlayer> player =
        *ReplayPlayer::Create(replay.get());
    const sim::Tick tick =
        sim::NextBelow(random, intervals * kKeyframeStride + 1);
    const double seconds = SecondsOf([&] { CHECK(player->SeekTo(tick).ok()); });
    state.SetIterationTime(seconds);
    seek_seconds += seconds;
    seek_seconds_max = std::max(seek_seconds_max, seconds);
    const sim::Tick keyframe =
        sim::NextBelow(random, intervals) * kKeyframeStride;
    CHECK(player->SeekTo(keyframe).ok());
    const double one_interval = SecondsOf([&] {
      for (uint64_t i = 0; i < kKeyframeStride; ++i) {
        CHECK(player->Step().ok());
      }
    });
    interval_seconds += one_interval;
    interval_seconds_max = std::max(interval_seconds_max, one_interval);
  }
  state.counters["seek_per_interval"] = seek_seconds / interval_seconds;
  // Intervals cost unequally: a pile comes to rest.
  state.counters["slowest_seek_per_slowest_interval"] =
      seek_seconds_max / interval_seconds_max;
  state.SetLabel("digest " + sim::FormatDigest(replay->end()->root));
}
BENCHMARK_CAPTURE(BM_SeekAgainstOneInterval, pile, "pile")
    ->Arg(1)
    ->Arg(10)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
// An hour.
BENCHMARK_CAPTURE(BM_SeekAgainstOneInterval, nursery, "nursery")
    ->Arg(360)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// A branch at a random tick into a new file, which holds the past of its
// parent, against the steps of one interval from a random keyframe.
void BM_BranchAgainstOneInterval(benchmark::State& state, const char* pack) {
  const auto intervals = static_cast<uint64_t>(state.range(0));
  const Bytes file = Record(pack, intervals * kKeyframeStride, kKeyframeStride);
  const std::unique_ptr<ReplayReader> replay = Open(file);
  sim::RandomStream random = sim::MakeRandomStream(3, sim::IdOf("branches"));
  double branch_seconds = 0;
  double interval_seconds = 0;
  for (auto _ : state) {
    const sim::Tick tick =
        sim::NextBelow(random, intervals * kKeyframeStride + 1);
    Bytes branch;
    const double seconds = SecondsOf([&] {
      CHECK(ResumedRecording::Branch(*replay, "parent", tick,
                                     std::make_unique<MemorySink>(&branch))
                .ok());
    });
    state.SetIterationTime(seconds);
    branch_seconds += seconds;
    const std::unique_ptr<ReplayPlayer> player =
        *ReplayPlayer::Create(replay.get());
    const sim::Tick keyframe =
        sim::NextBelow(random, intervals) * kKeyframeStride;
    CHECK(player->SeekTo(keyframe).ok());
    interval_seconds += SecondsOf([&] {
      for (uint64_t i = 0; i < kKeyframeStride; ++i) {
        CHECK(player->Step().ok());
      }
    });
  }
  state.counters["branch_per_interval"] = branch_seconds / interval_seconds;
  state.SetLabel("digest " + sim::FormatDigest(replay->end()->root));
}
BENCHMARK_CAPTURE(BM_BranchAgainstOneInterval, pile, "pile")
    ->Arg(1)
    ->Arg(10)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
// An hour.
BENCHMARK_CAPTURE(BM_BranchAgainstOneInterval, nursery, "nursery")
    ->Arg(360)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// On one thread against plain steps with the same inputs, in turns; and then on
// as many threads as asked for against one.
void BM_VerifyAgainstPlainRun(benchmark::State& state, const char* pack) {
  const auto ticks = static_cast<sim::Tick>(state.range(0));
  const auto threads = static_cast<uint32_t>(state.range(1));
  const Bytes file = Record(pack, ticks, std::min(ticks / 20, kKeyframeStride));
  const std::unique_ptr<ReplayReader> replay = Open(file);
  double plain_seconds = 0;
  double verify_seconds = 0;
  double one_thread_seconds = 0;  // these two by the clock on the wall
  double threads_seconds = 0;
  const auto verify = [&](uint32_t thread_count) {
    const auto report = VerifyReplay(*replay, {.threads = thread_count});
    CHECK(report.ok(), "{}", report.status().ToString());
    CHECK(report->ticks_verified == ticks);
  };
  for (auto _ : state) {
    plain_seconds += SecondsOf([&] {
      const std::unique_ptr<sim::Simulation> world =
          *CreateRecordedSimulation(*replay);
      const std::unique_ptr<InputSource> inputs = replay->ReadInputs();
      while (world->tick() < ticks) {
        CHECK(StepRecordedTick(*inputs, *world, /*observer=*/nullptr).ok());
        world->DrainEvents();
      }
    });
    one_thread_seconds +=
        SecondsOf([&] { verify_seconds += SecondsOf([&] { verify(1); }); },
                  CLOCK_MONOTONIC);
    const double seconds = SecondsOf([&] { verify(threads); }, CLOCK_MONOTONIC);
    state.SetIterationTime(seconds);
    threads_seconds += seconds;
  }
  state.counters["verify_per_plain"] = verify_seconds / plain_seconds;
  state.counters["speedup_of_threads"] = one_thread_seconds / threads_seconds;
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(ticks));
  state.SetLabel("digest " + sim::FormatDigest(replay->end()->root));
}
BENCHMARK_CAPTURE(BM_VerifyAgainstPlainRun, pile, "pile")
    ->Args({120, 2})
    ->Args({1200, 2})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
// Whose ticks cost little, so that what is compared at each weighs more.
BENCHMARK_CAPTURE(BM_VerifyAgainstPlainRun, nursery, "nursery")
    ->Args({12'000, 2})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_VerifyAgainstPlainRun, marble, "marble")
    ->Args({12'000, 2})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// All messages of a file against unpacking its chunks and nothing else.
void BM_ReadAgainstZstd(benchmark::State& state) {
  const Bytes file = Record("pile", static_cast<sim::Tick>(state.range(0)), 10);
  const std::unique_ptr<ReplayReader> replay = Open(file);
  const McapReader& reader = replay->file();
  double zstd_seconds = 0;
  double read_seconds = 0;
  uint64_t bytes = 0;
  for (auto _ : state) {
    const double seconds = SecondsOf([&] {
      CHECK(reader
                .ForEachMessage(
                    [&](const McapChannel&, const McapMessage& message) {
                      bytes += message.data.size();
                      return absl::OkStatus();
                    })
                .ok());
    });
    state.SetIterationTime(seconds);
    read_seconds += seconds;
    zstd_seconds += SecondsOf([&] {
      const auto chunks = reader.Chunks();
      for (const McapChunkIndex& index : *chunks) {
        const std::span<const std::byte> record = std::span(file).subspan(
            index.chunk_start_offset, index.chunk_length);
        const McapChunk chunk =
            *DecodeChunk(record.subspan(kMcapRecordPrefixBytes));
        Bytes unpacked(chunk.uncompressed_size);
        CHECK(ZSTD_decompress(unpacked.data(), unpacked.size(),
                              chunk.records.data(),
                              chunk.records.size()) == unpacked.size());
        benchmark::DoNotOptimize(unpacked.data());
      }
    });
  }
  state.counters["read_per_zstd"] = read_seconds / zstd_seconds;
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
  state.SetLabel("digest " + sim::FormatDigest(replay->end()->root));
}
BENCHMARK(BM_ReadAgainstZstd)
    ->Arg(60)
    ->Arg(600)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// A finished file of so many ticks against one of 600. Nobody plays, so that
// both end alike: opening unpacks the last chunk.
void BM_OpenByLength(benchmark::State& state) {
  const Bytes short_file =
      Record("marble", 600, kKeyframeStride, Player::kNobody);
  const Bytes file = Record("marble", static_cast<sim::Tick>(state.range(0)),
                            kKeyframeStride, Player::kNobody);
  double short_seconds = 0;
  double seconds = 0;
  for (auto _ : state) {
    short_seconds += SecondsOf([&] { Open(short_file); });
    const double one = SecondsOf([&] { Open(file); });
    state.SetIterationTime(one);
    seconds += one;
  }
  state.counters["open_per_short_open"] = seconds / short_seconds;
  state.counters["file_bytes"] = static_cast<double>(file.size());
}
BENCHMARK(BM_OpenByLength)
    ->Arg(600)
    ->Arg(6'000)
    ->Arg(60'000)
    ->Arg(216'000)  // an hour
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

// The golden file of a revision of the format against that of the newest.
void BM_OpenByRevision(benchmark::State& state) {
  const Bytes newest = ReadGolden(kReplayFormatRevision);
  const Bytes file = ReadGolden(state.range(0));
  double newest_seconds = 0;
  double seconds = 0;
  for (auto _ : state) {
    newest_seconds += SecondsOf([&] { Open(newest); });
    const double one = SecondsOf([&] { Open(file); });
    state.SetIterationTime(one);
    seconds += one;
  }
  state.counters["open_per_newest"] = seconds / newest_seconds;
}
BENCHMARK(BM_OpenByRevision)
    ->DenseRange(1, kReplayFormatRevision)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::replays
