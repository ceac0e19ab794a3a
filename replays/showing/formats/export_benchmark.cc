// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an export costs beside the playing of its frames, against zstd packing
// the same bytes: those of the file or, of one that is packed itself, those
// that it packed. "frames" are those of an export a second, playing left out;
// "bytes" is what the file takes for an object and frame.

#include <time.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/playing/pack_folder.h"
#include "replays/recording/recorder.h"
#include "replays/showing/formats/csv_export.h"
#include "replays/showing/formats/foxglove_export.h"
#include "replays/showing/formats/gltf_export.h"
#include "replays/showing/formats/json_lines_export.h"
#include "replays/showing/formats/usda_export.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/object_tracks.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/input/random_input_source.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/simulation_registry.h"

namespace reprise::replays {
namespace {

// Played at random.
Bytes Record(const std::string& pack_name, sim::Tick ticks) {
  absl::StatusOr<sim::PackArchive> pack =
      ReadPackFolder("sim/packs/" + pack_name);
  CHECK(pack.ok(), "{}", pack.status().ToString());
  const std::unique_ptr<sim::Simulation> world =
      *sim::CreateSimulation("world", *pack, /*seed=*/1);
  Bytes file;
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<MemorySink>(&file), *world, *pack, {});
  Recorder recorder(world.get(), writer.get());
  sim::RandomInputSource inputs(world->info().inputs, /*seed=*/2);
  while (world->tick() < ticks) {
    CHECK(recorder.Step(inputs.Next()).ok());
    recorder.DrainEvents();
  }
  CHECK(recorder.Finish().ok());
  return file;
}

// By the processor's time of this thread, which other programs don't take from.
double Now() {
  timespec time = {};
  CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

template <typename Work>
double SecondsOf(Work&& work) {
  const double begin = Now();
  work();
  return Now() - begin;
}

std::span<const std::byte> BytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// Each makes a file of the frames of a stream as `reprise export` does.
class Gltf {
 public:
  explicit Gltf(const FrameStream* stream) : export_(stream, PoseTolerance()) {}

  void AddFrame() { export_.AddFrame(); }
  Bytes Finish() {
    const std::string file = *export_.Finish();
    const std::span<const std::byte> bytes = BytesOf(file);
    return {bytes.begin(), bytes.end()};
  }

 private:
  GltfExport export_;
};

class Usda {
 public:
  explicit Usda(const FrameStream* stream) : export_(stream, PoseTolerance()) {}

  void AddFrame() { export_.AddFrame(); }
  Bytes Finish() {
    std::ostringstream out;
    export_.Finish(out);
    const std::span<const std::byte> bytes = BytesOf(out.view());
    return {bytes.begin(), bytes.end()};
  }

 private:
  UsdaExport export_;
};

class Csv {
 public:
  explicit Csv(const FrameStream* stream)
      : export_(*CsvExport::Create(stream, {}, CsvShape::kLong, &out_)) {}

  void AddFrame() { CHECK(export_->AddFrame().ok()); }
  Bytes Finish() {
    export_->Finish();
    const std::span<const std::byte> bytes = BytesOf(out_.view());
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::ostringstream out_;
  const std::unique_ptr<CsvExport> export_;
};

class JsonLines {
 public:
  explicit JsonLines(const FrameStream* stream) : export_(stream) {}

  void AddFrame() {
    const std::string line = *export_.FormatFrame() + '\n';
    const std::span<const std::byte> bytes = BytesOf(line);
    file_.insert(file_.end(), bytes.begin(), bytes.end());
  }
  Bytes Finish() { return std::move(file_); }

 private:
  JsonLinesExport export_;
  Bytes file_;
};

class Mcap {
 public:
  explicit Mcap(const FrameStream* stream)
      : sink_(&file_), export_(*FoxgloveExport::Create(stream, {}, &sink_)) {}

  void AddFrame() { CHECK(export_->AddFrame().ok()); }
  Bytes Finish() {
    CHECK(export_->Finish().ok());
    return std::move(file_);
  }

 private:
  Bytes file_;
  MemorySink sink_;
  const std::unique_ptr<FoxgloveExport> export_;
};

// What a file of MCAP packed: its messages.
Bytes MessagesOf(const Bytes& file) {
  const std::unique_ptr<McapReader> reader =
      *McapReader::Open(std::make_unique<MemorySource>(file));
  Bytes all;
  const absl::Status status = reader->ForEachMessage(
      [&](const McapChannel& /*channel*/, const McapMessage& message) {
        all.insert(all.end(), message.data.begin(), message.data.end());
        return absl::OkStatus();
      });
  CHECK(status.ok(), "{}", status.ToString());
  return all;
}

template <typename Export>
void BM_ExportAgainstZstd(benchmark::State& state) {
  const auto ticks = static_cast<sim::Tick>(state.range(0));
  const Bytes recording = Record("pile", ticks);
  const std::unique_ptr<ReplayReader> replay =
      *ReplayReader::Open(std::make_unique<MemorySource>(recording));
  double export_seconds = 0;
  double play_seconds = 0;
  double zstd_seconds = 0;
  uint64_t frames = 0;
  uint64_t poses = 0;
  uint64_t file_bytes = 0;
  for (auto _ : state) {
    const std::unique_ptr<FrameStream> stream =
        *FrameStream::Open(replay.get(), {});
    Export made(stream.get());
    bool is_there = true;
    double seconds = 0;
    while (true) {
      play_seconds += SecondsOf([&] { is_there = *stream->Next(); });
      if (!is_there) break;
      seconds += SecondsOf([&] { made.AddFrame(); });
      ++frames;
      poses += stream->frame().poses.size();
    }
    Bytes file;
    seconds += SecondsOf([&] { file = made.Finish(); });
    state.SetIterationTime(seconds);
    export_seconds += seconds;
    file_bytes += file.size();

    if constexpr (std::is_same_v<Export, Mcap>) file = MessagesOf(file);
    std::vector<char> packed(ZSTD_compressBound(file.size()));
    zstd_seconds += SecondsOf([&] {
      const size_t size =
          ZSTD_compress(packed.data(), packed.size(), file.data(), file.size(),
                        ZSTD_CLEVEL_DEFAULT);
      CHECK(ZSTD_isError(size) == 0);
      benchmark::DoNotOptimize(packed.data());
    });
  }
  state.counters["frames"] = static_cast<double>(frames) / export_seconds;
  state.counters["export_per_zstd"] = export_seconds / zstd_seconds;
  state.counters["export_per_playing"] = export_seconds / play_seconds;
  state.counters["bytes"] =
      static_cast<double>(file_bytes) / static_cast<double>(poses);
  state.SetLabel("digest " + sim::FormatDigest(replay->end()->root));
}
BENCHMARK_TEMPLATE(BM_ExportAgainstZstd, Gltf)
    ->Arg(60)
    ->Arg(1200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(BM_ExportAgainstZstd, Usda)
    ->Arg(60)
    ->Arg(1200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(BM_ExportAgainstZstd, Mcap)
    ->Arg(60)
    ->Arg(1200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(BM_ExportAgainstZstd, Csv)
    ->Arg(60)
    ->Arg(1200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(BM_ExportAgainstZstd, JsonLines)
    ->Arg(60)
    ->Arg(1200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::replays
