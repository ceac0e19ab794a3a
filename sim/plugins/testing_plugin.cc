// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/testing_plugin.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/float_control.h"
#include "sim/plugins/foreign_call.h"

// What a plug-in hands over: no C++ crosses.
struct reprise_simulation {
  struct Counter {
    uint64_t number;
    double value;
    float half;
    uint8_t small;
    int8_t sign;
    uint16_t medium;
    uint8_t is_moved;
    // Three bytes of padding: no state.
  };
  struct Player {
    uint64_t seen;  // a digest of what players gave
  };

  // How long its memory is, and where what has a name lies in it: of its two
  // pages, the second one holds the heat and half of the seam.
  static constexpr uint32_t kMemoryBytes = 5000;
  static constexpr uint32_t kStepsAt = 10;
  static constexpr uint32_t kSeamAt = 4092;  // in both pages
  static constexpr uint32_t kHeatAt = 4100;

  std::vector<Counter> counters;
  Player player;
  std::array<unsigned char, kMemoryBytes> memory;
  uint32_t created;  // how many were made before this one
  uint64_t hidden;   // what no row shows
  bool was_restored;
  void (*emit)(void* sink, const reprise_event* event);
  void* sink;
};

namespace reprise::sim {
namespace {

#if defined(__x86_64__)
constexpr uint64_t kFlushToZero = 1 << 15;  // of MXCSR
#else
constexpr uint64_t kFlushToZero = 1 << 24;  // of FPCR
#endif

using Counter = reprise_simulation::Counter;
using Player = reprise_simulation::Player;

PluginMistake g_mistake = PluginMistake::kNone;
uint32_t g_created = 0;
uint64_t g_shared = 0;
uint32_t g_destroyed = 0;
uint32_t g_pictures = 0;
std::string_view g_crashing_call;
thread_local uint64_t t_steps = 0;

bool Makes(PluginMistake mistake) { return g_mistake == mistake; }

// As a handler of signals does it.
void CrashIn(std::string_view call) {
  if (g_crashing_call == call) ReturnFromForeignCrash(SIGSEGV);
}

// Bytes that aren't the plug-in's: behind `size` of them.
void WriteBehind(const void* memory, size_t size) {
  std::memset(static_cast<char*>(const_cast<void*>(memory)) + size, 7, 8);
}

int32_t Fail(reprise_error* error, int32_t code, const char* text) {
  std::snprintf(error->text, error->capacity, "%s", text);
  return code;
}

int32_t Create(const reprise_create_arguments* arguments,
               reprise_simulation** simulation, reprise_error* error) {
  CrashIn("create");
  if (Makes(PluginMistake::kRefusesPack)) {
    return Fail(error, REPRISE_INVALID_ARGUMENT, "level.txt:1: no such level");
  }
  if (Makes(PluginMistake::kMakesNothing)) return REPRISE_OK;
  const auto* const file = REPRISE_ITEM(arguments->files, reprise_file, 0);
  auto made = std::make_unique<reprise_simulation>();
  made->counters.push_back({.number = 1,
                            .value = static_cast<double>(arguments->seed),
                            .half = 0.5F,
                            .small = static_cast<uint8_t>(file->size),
                            .sign = -1,
                            .medium = 65535,
                            .is_moved = 0});
  made->player = {};
  made->memory = {};
  made->created = g_created++;
  made->hidden = 0;
  made->was_restored = false;
  *simulation = made.release();
  if (Makes(PluginMistake::kWritesBehindPointer)) {
    WriteBehind(simulation, sizeof(void*));
  }
  return REPRISE_OK;
}

void Destroy(reprise_simulation* simulation) {
  CrashIn("destroy");
  ++g_destroyed;
  delete simulation;
}

// Regions that no state can have.
void DescribeMistakenRegions(reprise_region named, reprise_info* info) {
  static std::vector<std::string> names;
  static std::vector<reprise_region> regions;
  names.clear();
  regions.clear();
  if (Makes(PluginMistake::kLongNameOfRegion)) names.emplace_back(1020, 'r');
  if (Makes(PluginMistake::kManyRegions)) {
    for (int i = 0; i < 2000; ++i)
      names.push_back("region_" + std::to_string(i));
  }
  for (const std::string& name : names) {
    named.name = name.c_str();
    regions.push_back(named);
  }
  if (regions.empty()) return;
  info->regions = {regions.data(), static_cast<uint32_t>(regions.size()),
                   sizeof(reprise_region)};
}

void Info(const reprise_simulation* simulation, reprise_info* info) {
  CrashIn("info");
  static const reprise_field counter_fields[] = {
      REPRISE_MEMBER(Counter, number, "", REPRISE_OBJECT),
      REPRISE_MEMBER(Counter, value, "m", REPRISE_DOUBLE),
      REPRISE_MEMBER(Counter, half, "", REPRISE_FLOAT),
      REPRISE_MEMBER(Counter, small, "", REPRISE_UINT8),
      REPRISE_MEMBER(Counter, sign, "", REPRISE_INT8),
      REPRISE_MEMBER(Counter, medium, "", REPRISE_UINT16),
      REPRISE_MEMBER(Counter, is_moved, "", REPRISE_BOOL)};
  static const reprise_field player_fields[] = {
      REPRISE_MEMBER(Player, seen, "", REPRISE_UINT64)};
  static const reprise_legend_entry signs[] = {{-1, "minus"}, {1, "plus"}};
  static const reprise_legend legends[] = {{"sign", 0, REPRISE_LIST(signs)}};
  static const reprise_table tables[] = {
      {"game", "counters", 1, sizeof(Counter), REPRISE_LIST(counter_fields),
       REPRISE_LIST(legends)},
      {"game", "player", 0, sizeof(Player), REPRISE_LIST(player_fields), {}}};
  static const reprise_field memory_fields[] = {
      {"steps", "", REPRISE_UINT16, REPRISE_SCALAR, 1,
       reprise_simulation::kStepsAt},
      {"heat", "K", REPRISE_FLOAT, REPRISE_SCALAR, 1,
       reprise_simulation::kHeatAt},
      {"seam", "", REPRISE_UINT64, REPRISE_SCALAR, 1,
       reprise_simulation::kSeamAt}};
  static const reprise_region regions[] = {{"memory",
                                            "arena",
                                            reprise_simulation::kMemoryBytes,
                                            REPRISE_LIST(memory_fields),
                                            {}},
                                           {"memory", "nameless", 1, {}, {}}};
  static const reprise_argument by[] = {
      {"by", REPRISE_VALUE_NUMBER, 0, 0, 0, -10.0, 10.0},
      {"note", REPRISE_VALUE_TEXT, 16, 0, 0, 0.0, 0.0}};
  static const reprise_action actions[] = {
      {"move", REPRISE_ACTION_AXIS, 1, 0, {}},
      {"jump", REPRISE_ACTION_BUTTON, 3, 0, {}},
      {"key", REPRISE_ACTION_KEY, 44, 0, {}},
      {"point", REPRISE_ACTION_POINTER, 0, 0, {}},
      {"touch", REPRISE_ACTION_TOUCH, 0, 2, {}},
      {"say", REPRISE_ACTION_TEXT, 0, 32, {}},
      {"add", REPRISE_ACTION_COMMAND, 0, 0, REPRISE_LIST(by)}};
  static const reprise_event_argument_type arguments[] = {
      {"value", REPRISE_DOUBLE, "m"}};
  static const reprise_event_type events[] = {
      {"moved", "a counter is moved", REPRISE_LIST(arguments)}};
  info->ticks_per_second = 50;
  if (Makes(PluginMistake::kChangesDescription) && simulation->created > 0) {
    info->ticks_per_second = 60;
  }
  info->rules_revision = 3;
  info->player_count = 2;
  info->commands_per_tick_max = 2;
  info->actions = REPRISE_LIST(actions);
  info->tables = REPRISE_LIST(tables);
  info->events = REPRISE_LIST(events);
  info->regions = REPRISE_LIST(regions);
  DescribeMistakenRegions(regions[0], info);
  if (Makes(PluginMistake::kItemsOfNoSize)) info->actions.item_size = 8;
}

// Counts a step, and leaves a trail of bytes that have no name.
void WriteMemory(reprise_simulation& simulation, uint64_t tick) {
  unsigned char* const memory = simulation.memory.data();
  uint16_t steps = 0;
  std::memcpy(&steps, memory + reprise_simulation::kStepsAt, sizeof(steps));
  ++steps;
  std::memcpy(memory + reprise_simulation::kStepsAt, &steps, sizeof(steps));
  memory[100 + tick % 1000] += 3;
  if (Makes(PluginMistake::kRegionIsNan) && tick == 3) {
    const float heat = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(memory + reprise_simulation::kHeatAt, &heat, sizeof(heat));
  }
}

void Tell(reprise_simulation& simulation, uint64_t object, double value) {
  reprise_event_argument argument = {"value", REPRISE_DOUBLE, 0, value, 0};
  if (Makes(PluginMistake::kEventWithNan))
    argument.number = std::numeric_limits<double>::quiet_NaN();
  reprise_event event = {
      sizeof(event),
      Makes(PluginMistake::kUnknownEvent) ? "mvoed" : "moved",
      object,
      {&argument, 1, sizeof(argument)}};
  if (Makes(PluginMistake::kEventOfNoSize)) event.struct_size = 3;
  if (Makes(PluginMistake::kEventWithHalfAPointer)) event.struct_size += 4;
  if (Makes(PluginMistake::kEventWithoutArguments)) event.arguments.count = 0;
  simulation.emit(simulation.sink, &event);
}

// What one player gives, so that whatever is lost of it shows.
uint64_t DigestOf(const reprise_player& player) {
  uint64_t digest = player.buttons * 3 + player.keys[0] * 5 +
                    static_cast<uint64_t>(player.axes[1]) * 7 +
                    player.mouse_x * 11 + player.mouse_y * 13;
  for (uint32_t i = 0; i < player.touches.count; ++i) {
    const auto* const touch = REPRISE_ITEM(player.touches, reprise_touch, i);
    digest = digest * 31 + touch->id * 17 + touch->x * 19 + touch->y * 23 +
             touch->pressure * 29;
  }
  for (uint32_t i = 0; i < player.text_size; ++i) {
    digest = digest * 31 + static_cast<unsigned char>(player.text[i]);
  }
  return digest;
}

int32_t Step(reprise_simulation* simulation,
             const reprise_step_arguments* arguments, reprise_error* error) {
  CrashIn("step");
  if (arguments->tick == 3) {
    if (Makes(PluginMistake::kFailsAtTickThree)) {
      return Fail(error, REPRISE_DATA_LOSS, "the counters ran out");
    }
    if (Makes(PluginMistake::kFailsWithoutAWord)) return -77;
    if (Makes(PluginMistake::kIsNan)) {
      simulation->counters[0].value = std::numeric_limits<double>::quiet_NaN();
      return REPRISE_OK;
    }
    if (Makes(PluginMistake::kIsNoBoolean)) {
      simulation->counters[0].is_moved = 2;
      return REPRISE_OK;
    }
    if (Makes(PluginMistake::kUnorderedKeys)) {
      simulation->counters[0].number = 7;
      return REPRISE_OK;
    }
    if (Makes(PluginMistake::kWritesBehindError)) {
      WriteBehind(error, sizeof(*error));
    }
    if (Makes(PluginMistake::kWritesIntoStep)) {
      const_cast<reprise_step_arguments*>(arguments)->tick = 7;
    }
    if (Makes(PluginMistake::kWritesBehindStep)) {
      WriteBehind(arguments, sizeof(*arguments));
    }
    if (Makes(PluginMistake::kChangesFloatControl)) {
      WriteFloatControl(ReadFloatControl() | kFlushToZero);
    }
  }
  if (Makes(PluginMistake::kUnorderedAcrossPages) && arguments->tick == 2000) {
    simulation->counters[117].number = simulation->counters[116].number;
  }
  if (Makes(PluginMistake::kDiffersEachTime)) {
    simulation->player.seen = simulation->created;
  }
  if (Makes(PluginMistake::kHidesState) && arguments->tick > 20) {
    simulation->counters[0].value += static_cast<double>(++simulation->hidden);
  }
  if (Makes(PluginMistake::kSharesAVariable)) {
    // What was left by the step before, of whichever simulation.
    if (arguments->tick == 0) g_shared = 1;
    simulation->player.seen += g_shared;
    g_shared = simulation->player.seen % 1000 + 1;
  }
  if (Makes(PluginMistake::kHasAThreadsVariable)) {
    if (t_steps == 0 && arguments->tick == 0) t_steps = g_shared++;
    simulation->counters[0].value += static_cast<double>(t_steps);
  }
  simulation->emit = arguments->emit;
  simulation->sink = arguments->sink;
  for (uint32_t i = 0; i < arguments->players.count; ++i) {
    const auto& player = *REPRISE_ITEM(arguments->players, reprise_player, i);
    simulation->player.seen = simulation->player.seen * 37 + DigestOf(player);
    if (Makes(PluginMistake::kWritesIntoTexts) && player.text_size > 0) {
      const_cast<char*>(player.text)[0] = '!';
    }
    Counter& first = simulation->counters.front();
    if (player.axes[1] != 0) {
      first.value += player.axes[1] / 32767.0;
      first.is_moved = 1;
      Tell(*simulation, first.number, first.value);
    }
    for (uint32_t k = 0; k < player.commands.count; ++k) {
      const auto& command = *REPRISE_ITEM(player.commands, reprise_command, k);
      const auto& by = *REPRISE_ITEM(command.values, reprise_value, 0);
      const auto& note = *REPRISE_ITEM(command.values, reprise_value, 1);
      first.value += by.numbers[0];
      simulation->player.seen += note.text_size;
      if (Makes(PluginMistake::kWritesBehindValues)) {
        std::memset(const_cast<reprise_value*>(&note) + 1, 7, 8);
      }
    }
  }
  WriteMemory(*simulation, arguments->tick);
  if (arguments->tick % 10 == 0) {
    Counter next = simulation->counters.back();
    ++next.number;
    next.sign = static_cast<int8_t>(-next.sign);
    simulation->counters.push_back(next);
    // Padding that differs from one run to the next is no state.
    auto* const bytes =
        reinterpret_cast<unsigned char*>(&simulation->counters.back());
    bytes[sizeof(Counter) - 1] =
        static_cast<unsigned char>(simulation->created);
  }
  return REPRISE_OK;
}

void Rows(reprise_simulation* simulation, uint32_t table, reprise_rows* rows) {
  CrashIn("rows");
  if (table == 1) {
    rows->rows = &simulation->player;
    rows->row_count = 1;
    if (Makes(PluginMistake::kRowsOfNoSize)) rows->struct_size = 0;
    return;
  }
  if (table == 2) {
    rows->rows = simulation->memory.data();
    rows->row_count = simulation->memory.size();
    if (Makes(PluginMistake::kRegionChangesSize) &&
        simulation->counters.size() > 1) {
      rows->row_count = 4999;
    }
    if (Makes(PluginMistake::kRegionAtNull)) rows->rows = nullptr;
    if (Makes(PluginMistake::kHidesAChangeOfARegion)) {
      rows->changed_begin = 4096;
      rows->changed_end = 5000;
    }
    return;
  }
  if (table == 3) {
    rows->rows = &simulation->memory.back();
    rows->row_count = 1;
    return;
  }
  rows->rows = simulation->counters.data();
  rows->row_count = simulation->counters.size();
  if (Makes(PluginMistake::kRowsAtNull)) rows->rows = nullptr;
  if (Makes(PluginMistake::kHidesAChange)) {
    rows->changed_begin = 0;
    rows->changed_end = 0;
  }
  if (Makes(PluginMistake::kTooManyRows)) {
    rows->row_count = std::numeric_limits<uint64_t>::max() / 2;
  }
}

int32_t Restore(reprise_simulation* simulation, const reprise_list* tables,
                reprise_error* error) {
  CrashIn("restore");
  const auto& counters = *REPRISE_ITEM(*tables, reprise_rows, 0);
  const auto& player = *REPRISE_ITEM(*tables, reprise_rows, 1);
  if (counters.row_count == 0 || player.row_count != 1) {
    return Fail(error, REPRISE_DATA_LOSS, "there is no counter");
  }
  const bool restores_once = Makes(PluginMistake::kRestoresOnce);
  if (restores_once && simulation->was_restored) {
    return Fail(error, REPRISE_DATA_LOSS, "once is enough");
  }
  simulation->was_restored = true;
  const auto& memory = *REPRISE_ITEM(*tables, reprise_rows, 2);
  std::memcpy(simulation->memory.data(), memory.rows,
              simulation->memory.size());
  if (Makes(PluginMistake::kWritesBehindRegion)) {
    WriteBehind(memory.rows, memory.row_count);
  }
  if (Makes(PluginMistake::kWritesIntoGivenLists)) {
    const_cast<reprise_rows&>(counters).row_count = 0;
  }
  const double value = simulation->counters[0].value;
  const auto* const rows = static_cast<const Counter*>(counters.rows);
  simulation->counters.assign(rows, rows + counters.row_count);
  std::memcpy(&simulation->player, player.rows, sizeof(simulation->player));
  if (Makes(PluginMistake::kForgetsAField) || restores_once) {
    simulation->counters[0].value = value;
  }
  return REPRISE_OK;
}

void Outcome(const reprise_simulation* simulation, reprise_outcome* outcome) {
  CrashIn("outcome");
  if (Makes(PluginMistake::kEventAfterwards) && simulation->emit != nullptr) {
    const reprise_event event = {sizeof(event), "moved", 1, {}};
    simulation->emit(simulation->sink, &event);
  }
  if (Makes(PluginMistake::kOutcomeOfNoSize)) outcome->struct_size = 5000;
  if (simulation->counters.size() < 4) return;
  outcome->status = REPRISE_WON;
  outcome->reason = "four counters";
  if (Makes(PluginMistake::kUnknownOutcome)) outcome->status = 9;
  if (Makes(PluginMistake::kOutcomeWithoutReason)) outcome->reason = nullptr;
}

std::string NameOfCounters() {
  return Makes(PluginMistake::kLongNames) ? std::string(2000, 'c')
                                          : "a counter";
}

void ProduceFrame(const reprise_simulation* simulation,
                  const reprise_frame_arguments* arguments) {
  CrashIn("frame");
  if (Makes(PluginMistake::kWritesBehindFrame)) {
    WriteBehind(arguments, sizeof(*arguments));
  }
  if (Makes(PluginMistake::kWritesWhenWatched)) {
    const_cast<reprise_simulation*>(simulation)->counters[0].value += 1.0;
  }
  static const reprise_shape ball[] = {
      {REPRISE_SPHERE, {0, 0, 0}, {0, 0, 0, 1}, {0.5, 0, 0}}};
  // Of two pixels: red and black.
  static const uint8_t pixels[] = {255, 0, 0, 0, 0, 0};
  const reprise_picture picture = {
      .struct_size = sizeof(picture),
      .width = Makes(PluginMistake::kPictureTooLarge) ? 5000U : 2U,
      .height = 1,
      .pixels = pixels};
  if (arguments->wants_picture != 0) {
    ++g_pictures;
    arguments->show(arguments->sink, &picture);
  }
  const std::string name = NameOfCounters();
  for (const Counter& counter : simulation->counters) {
    const uint32_t size = Makes(PluginMistake::kFrameObjectOfNoSize)
                              ? 7
                              : uint32_t{sizeof(reprise_frame_object)};
    const reprise_frame_object object = {.struct_size = size,
                                         .object = counter.number,
                                         .name = name.c_str(),
                                         .type = "counter",
                                         .position = {counter.value, 0, 0},
                                         .rotation = {0, 0, 0, 1},
                                         .shapes = REPRISE_LIST(ball)};
    arguments->add(arguments->sink, &object);
  }
}

void ObjectName(const reprise_simulation* /*simulation*/, uint64_t object,
                char* name, uint32_t capacity) {
  CrashIn("object_name");
  if (Makes(PluginMistake::kLongNames)) {
    std::snprintf(name, capacity, "%s", NameOfCounters().c_str());
    return;
  }
  std::snprintf(name, capacity, "counter_%u", static_cast<unsigned>(object));
}

constexpr reprise_plugin kCalls = {
    .struct_size = sizeof(reprise_plugin),
    .interface_version = REPRISE_INTERFACE_VERSION,
    .name = "counters",
    .create = &Create,
    .destroy = &Destroy,
    .info = &Info,
    .step = &Step,
    .rows = &Rows,
    .restore = &Restore,
    .outcome = &Outcome,
    .frame = &ProduceFrame,
    .object_name = &ObjectName,
};

}  // namespace

std::shared_ptr<const Plugin> MakeTestingPlugin(PluginMistake mistake) {
  g_mistake = mistake;
  g_created = 0;
  g_shared = 0;
  g_destroyed = 0;
  g_pictures = 0;
  g_crashing_call = {};
  return std::make_shared<const Plugin>(
      Plugin{.path = "counters.so", .name = kCalls.name, .calls = kCalls});
}

void CrashTestingPluginIn(std::string_view call) { g_crashing_call = call; }

uint32_t TestingPluginDestroyedCount() { return g_destroyed; }

uint32_t TestingPluginPictureCount() { return g_pictures; }

const reprise_plugin& TestingPluginCalls() { return kCalls; }

PackArchive MakeTestingPluginPack() {
  PackArchive pack;
  CHECK(pack.Add("level.txt", "twelve bytes").ok());
  CHECK(pack.Add(std::string(kPackManifestPath),
                 "name: \"tally\"\nsimulation: \"counters\"\n")
            .ok());
  return pack;
}

}  // namespace reprise::sim
