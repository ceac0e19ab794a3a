// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the digest tree and copy-on-write cost against the plainest way of doing
// the same: XXH3 over the same bytes in one piece, and memcpy of them. Each
// side is timed within one run, in turns.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <vector>

#include "benchmark/benchmark.h"
#include "sim/base/digest.h"
#include "sim/base/field.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

// One of four components of an object: 64 bytes.
template <char kName>
struct ComponentRow {
  ObjectId object;
  std::array<double, 7> values = {};

  static constexpr char kLetter[] = {kName, '\0'};
  static constexpr std::string_view kTable = kLetter;
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ComponentRow, object, ""),
                      REPRISE_FIELD(ComponentRow, values, "")};
  }
};

template <typename Row>
void AddComponent(uint32_t object_count, State& state) {
  const TableIndex index = state.AddTable("game", RowSchema::Of<Row>());
  Table& table = state.mutable_table(index);
  table.Resize(object_count);
  for (uint32_t i = 0; i < object_count; ++i) {
    Row& row = table.Mutable<Row>(i);
    row.object = ObjectId{i + 1};
    for (size_t k = 0; k < row.values.size(); ++k) {
      row.values[k] = static_cast<double>(i) / static_cast<double>(k + 3);
    }
  }
}

State MakeState(uint32_t object_count) {
  State state;
  AddComponent<ComponentRow<'a'>>(object_count, state);
  AddComponent<ComponentRow<'b'>>(object_count, state);
  AddComponent<ComponentRow<'c'>>(object_count, state);
  AddComponent<ComponentRow<'d'>>(object_count, state);
  return state;
}

std::vector<std::byte> FlatBytes(const State& state) {
  std::vector<std::byte> bytes;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const Table& table = state.table({i});
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      const std::span<const std::byte> used = table.PageBytes(page);
      bytes.insert(bytes.end(), used.begin(), used.end());
    }
  }
  return bytes;
}

// Writes to every `stride`-th page, so that its digest has to be had anew.
void WritePages(uint32_t stride, uint32_t round, State& state) {
  uint32_t page = round;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    Table& table = state.mutable_table({i});
    for (uint32_t k = 0; k < table.page_count(); ++k, ++page) {
      if (page % stride != 0) continue;
      std::byte& first = table.MutableRow(k * table.rows_per_page())[8];
      first ^= std::byte{1};
    }
  }
}

class Stopwatch {
 public:
  template <typename Work>
  void Time(const Work& work) {
    const std::clock_t begin = std::clock();
    work();
    seconds_ += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = 0.0;
};

// Rounds of one turn: long enough for the clock's grain of a microsecond.
constexpr uint32_t kRoundsPerTurn = 20;

void BM_DigestAgainstXxh3(benchmark::State& benchmark_state) {
  State state = MakeState(static_cast<uint32_t>(benchmark_state.range(0)));
  std::vector<std::byte> flat = FlatBytes(state);
  Stopwatch tree;
  Stopwatch plain;
  for (auto _ : benchmark_state) {
    for (uint32_t i = 0; i < kRoundsPerTurn; ++i) {
      WritePages(1, 0, state);
      tree.Time([&] { benchmark::DoNotOptimize(state.ComputeRootDigest()); });
    }
    for (uint32_t i = 0; i < kRoundsPerTurn; ++i) {
      flat[0] ^= std::byte{1};
      plain.Time([&] { benchmark::DoNotOptimize(DigestOf(flat)); });
    }
  }
  benchmark_state.counters["ratio"] = tree.seconds() / plain.seconds();
  benchmark_state.SetBytesProcessed(benchmark_state.iterations() *
                                    kRoundsPerTurn *
                                    static_cast<int64_t>(flat.size()));
}
BENCHMARK(BM_DigestAgainstXxh3)->Arg(10000)->Unit(benchmark::kMillisecond);

// A snapshot a round, with one in `stride` pages written in between; the cost
// of cloning the written pages is the snapshot's.
void BM_SnapshotAgainstMemcpy(benchmark::State& benchmark_state) {
  const auto stride = static_cast<uint32_t>(benchmark_state.range(1));
  State state = MakeState(static_cast<uint32_t>(benchmark_state.range(0)));
  State alone = state;
  WritePages(1, 0, alone);  // shares nothing any more
  std::vector<std::byte> flat = FlatBytes(state);
  std::vector<std::byte> copy = flat;
  Stopwatch with_snapshot;
  Stopwatch writes_only;
  Stopwatch plain;
  State snapshot = state;
  uint32_t round = 0;
  for (auto _ : benchmark_state) {
    with_snapshot.Time([&] {
      for (uint32_t i = 0; i < kRoundsPerTurn; ++i) {
        snapshot = state;
        WritePages(stride, round + i, state);
      }
    });
    writes_only.Time([&] {
      for (uint32_t i = 0; i < kRoundsPerTurn; ++i) {
        WritePages(stride, round + i, alone);
      }
    });
    plain.Time([&] {
      for (uint32_t i = 0; i < kRoundsPerTurn; ++i) {
        flat[i] ^= std::byte{1};
        std::memcpy(copy.data(), flat.data(), flat.size());
        benchmark::ClobberMemory();
      }
    });
    round += kRoundsPerTurn;
  }
  benchmark_state.counters["ratio"] =
      (with_snapshot.seconds() - writes_only.seconds()) / plain.seconds();
}
BENCHMARK(BM_SnapshotAgainstMemcpy)
    ->Args({10000, 1})
    ->Args({10000, 100})
    ->Unit(benchmark::kMillisecond);

// Four components of ten thousand objects, updated once: as tables (structure
// of arrays), and as one vector of structs. The time is that of the tables.
void BM_UpdateTablesAgainstStructs(benchmark::State& benchmark_state) {
  const auto count = static_cast<uint32_t>(benchmark_state.range(0));
  State state = MakeState(count);
  struct Object {
    ComponentRow<'a'> a;
    ComponentRow<'b'> b;
    ComponentRow<'c'> c;
    ComponentRow<'d'> d;
  };
  std::vector<Object> objects(count);
  const auto advance = [](auto& row) {
    row.values[0] += row.values[1] * (1.0 / 60.0);
  };
  const auto update_table = [&]<typename Row>(uint32_t index, const Row*) {
    Table& table = state.mutable_table({index});
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      for (Row& row : table.MutablePageRows<Row>(page)) advance(row);
    }
  };
  Stopwatch tables;
  Stopwatch one_component;
  Stopwatch structs;
  Stopwatch one_member;
  for (auto _ : benchmark_state) {
    tables.Time([&] {
      update_table(0, static_cast<ComponentRow<'a'>*>(nullptr));
      update_table(1, static_cast<ComponentRow<'b'>*>(nullptr));
      update_table(2, static_cast<ComponentRow<'c'>*>(nullptr));
      update_table(3, static_cast<ComponentRow<'d'>*>(nullptr));
    });
    structs.Time([&] {
      for (Object& object : objects) {
        advance(object.a);
        advance(object.b);
        advance(object.c);
        advance(object.d);
      }
      benchmark::ClobberMemory();
    });
    one_component.Time(
        [&] { update_table(0, static_cast<ComponentRow<'a'>*>(nullptr)); });
    one_member.Time([&] {
      for (Object& object : objects) advance(object.a);
      benchmark::ClobberMemory();
    });
  }
  benchmark_state.counters["ratio"] = tables.seconds() / structs.seconds();
  benchmark_state.counters["ratio_one_component"] =
      one_component.seconds() / one_member.seconds();
}
BENCHMARK(BM_UpdateTablesAgainstStructs)
    ->Arg(10000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim
