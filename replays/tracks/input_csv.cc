// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/tracks/input_csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "google/protobuf/util/json_util.h"
#include "replays/messages/proto_conversion.h"
#include "replays/tracks/input_rows.h"
#include "replays/tracks/input_track.h"
#include "reprise/v1/key.pb.h"
#include "sim/base/check.h"
#include "sim/base/nearest_name.h"
#include "sim/compiler/reading/csv_table.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {
namespace {

using google::protobuf::util::JsonStringToMessage;
using google::protobuf::util::MessageToJsonString;

// Four columns of a million rows: nearly five hours of a player who gives
// something at each of 60 ticks a second.
constexpr size_t kCellsMax = 4'000'000;

constexpr std::string_view kKeyPrefix = "KEY_";
constexpr std::string_view kCommandsOpening = R"({"commands":)";

// What a row is read into and written from; its commands are in the message.
struct Row {
  uint64_t tick = 0;
  sim::InputFrame frame;
  v1::InputFrame message;
};

// Reads a whole number of the range of its column.
absl::Status ReadNumber(std::string_view text, int64_t minimum, int64_t maximum,
                        int64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && rest == end && number >= minimum &&
      number <= maximum) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("'{}' is not {} to {}", text, minimum, maximum));
}

template <typename Number>
absl::Status ReadNumber(std::string_view text, int64_t minimum, int64_t maximum,
                        Number& number) {
  int64_t wide = 0;
  const absl::Status status = ReadNumber(text, minimum, maximum, wide);
  if (status.ok()) number = static_cast<Number>(wide);
  return status;
}

// "A LEFT_SHIFT 100": names of key.proto, and numbers of what has none.
std::string FormatKeys(const sim::KeySet& keys) {
  std::string text;
  for (uint32_t key = sim::kKeyMin; key <= sim::kKeyMax; ++key) {
    if (!keys.Has(key)) continue;
    const std::string& name = v1::Key_Name(static_cast<v1::Key>(key));
    if (!text.empty()) text += ' ';
    text +=
        name.empty() ? fmt::format("{}", key) : name.substr(kKeyPrefix.size());
  }
  return text;
}

absl::Status ReadKeys(std::string_view text, sim::KeySet& keys) {
  for (const std::string& word : std::vector<std::string>(
           absl::StrSplit(absl::string_view(text.data(), text.size()), ' ',
                          absl::SkipEmpty()))) {
    v1::Key named = v1::KEY_UNSPECIFIED;
    uint32_t key = 0;
    if (v1::Key_Parse(std::string(kKeyPrefix) + word, &named) &&
        named != v1::KEY_UNSPECIFIED) {
      key = named;
    } else if (!ReadNumber(word, sim::kKeyMin, sim::kKeyMax, key).ok()) {
      return absl::InvalidArgumentError(fmt::format(
          "there is no key '{}'; keys are names, such as LEFT_SHIFT, or "
          "numbers, {} to {}, with blanks between them",
          word, sim::kKeyMin, sim::kKeyMax));
    }
    keys.Add(key);
  }
  return absl::OkStatus();
}

// "ID,X,Y,PRESSURE;ID,X,Y,PRESSURE".
std::string FormatTouches(const std::vector<sim::Touch>& touches) {
  std::string text;
  for (const sim::Touch& touch : touches) {
    text += fmt::format("{}{},{},{},{}", text.empty() ? "" : ";", touch.id,
                        touch.x, touch.y, touch.pressure);
  }
  return text;
}

absl::Status ReadTouches(std::string_view text,
                         std::vector<sim::Touch>& touches) {
  for (const std::string& each : std::vector<std::string>(
           absl::StrSplit(absl::string_view(text.data(), text.size()), ';',
                          absl::SkipEmpty()))) {
    const std::vector<std::string> numbers = absl::StrSplit(each, ',');
    std::array<uint16_t, 4> read = {};
    bool is_good = numbers.size() == read.size();
    for (size_t i = 0; is_good && i < read.size(); ++i) {
      is_good = ReadNumber(numbers[i], 0, sim::kViewEdge, read[i]).ok();
    }
    if (!is_good) {
      return absl::InvalidArgumentError(fmt::format(
          "'{}' is no touch, which is ID,X,Y,PRESSURE of 0 to {} each", each,
          sim::kViewEdge));
    }
    touches.push_back(
        {.id = read[0], .x = read[1], .y = read[2], .pressure = read[3]});
  }
  return absl::OkStatus();
}

// A list of Command in protobuf's JSON.
std::string FormatCommands(const v1::InputFrame& message) {
  if (message.commands().empty()) return "";
  v1::InputFrame commands;
  *commands.mutable_commands() = message.commands();
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  CHECK(MessageToJsonString(commands, &text, options).ok());
  CHECK(text.starts_with(kCommandsOpening) && text.ends_with('}'));
  return text.substr(kCommandsOpening.size(),
                     text.size() - kCommandsOpening.size() - 1);
}

absl::Status ReadCommands(std::string_view text, v1::InputFrame& message) {
  v1::InputFrame read;
  const auto status = JsonStringToMessage(
      std::string(kCommandsOpening) + std::string(text) + "}", &read);
  if (!status.ok()) {
    return absl::InvalidArgumentError(fmt::format(
        "no list of commands in JSON: {}", std::string(status.message())));
  }
  *message.mutable_commands() = std::move(*read.mutable_commands());
  return absl::OkStatus();
}

// How a column is read and written. An empty cell is never read, and what is
// written as one is at rest.
struct Column {
  using Read = absl::Status (*)(std::string_view text, size_t index, Row& row);
  using Write = std::string (*)(const Row& row, size_t index);

  std::string_view name;
  size_t index = 0;  // among those of one kind
  Read read;
  Write write;
};

std::string FormatUnlessZero(int64_t number) {
  return number == 0 ? "" : fmt::format("{}", number);
}

int16_t& ActivityOf(sim::DeviceActivity& activity, size_t index) {
  const std::array<int16_t*, 4> numbers = {&activity.mouse_x, &activity.mouse_y,
                                           &activity.wheel_x,
                                           &activity.wheel_y};
  return *numbers[index];
}

int32_t& MotionOf(sim::MotionSensorState& motion, size_t index) {
  return index < 3 ? motion.acceleration_mm_s2[index]
                   : motion.angular_velocity_mrad_s[index - 3];
}

absl::Status ReadTick(std::string_view text, size_t /*index*/, Row& row) {
  return ReadNumber(text, 0, std::numeric_limits<int64_t>::max(), row.tick);
}
absl::Status ReadPlayer(std::string_view text, size_t /*index*/, Row& row) {
  return ReadNumber(text, 0, sim::kPlayersMax - 1, row.frame.player);
}
absl::Status ReadButtons(std::string_view text, size_t /*index*/, Row& row) {
  uint64_t& buttons = row.frame.device.buttons;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, buttons);
  if (error == std::errc() && rest == end) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("'{}' is not 0 to 2^64-1: a bit for each button", text));
}
absl::Status ReadAxis(std::string_view text, size_t index, Row& row) {
  return ReadNumber(text, -sim::kAxisMax, sim::kAxisMax,
                    row.frame.device.axes[index]);
}
absl::Status ReadPointer(std::string_view text, size_t index, Row& row) {
  sim::MouseState& mouse = row.frame.device.mouse;
  return ReadNumber(text, 0, sim::kViewEdge, index == 0 ? mouse.x : mouse.y);
}
absl::Status ReadMotion(std::string_view text, size_t index, Row& row) {
  return ReadNumber(text, -sim::kMotionMax, sim::kMotionMax,
                    MotionOf(row.frame.device.motion_sensor, index));
}
absl::Status ReadActivity(std::string_view text, size_t index, Row& row) {
  return ReadNumber(text, -sim::kAxisMax, sim::kAxisMax,
                    ActivityOf(row.frame.activity, index));
}

std::string WriteTick(const Row& row, size_t /*index*/) {
  return fmt::format("{}", row.tick);
}
std::string WriteAxis(const Row& row, size_t index) {
  return FormatUnlessZero(row.frame.device.axes[index]);
}
std::string WritePointer(const Row& row, size_t index) {
  const sim::MouseState& mouse = row.frame.device.mouse;
  return FormatUnlessZero(index == 0 ? mouse.x : mouse.y);
}
std::string WriteMotion(const Row& row, size_t index) {
  sim::MotionSensorState motion = row.frame.device.motion_sensor;
  return FormatUnlessZero(MotionOf(motion, index));
}
std::string WriteActivity(const Row& row, size_t index) {
  sim::DeviceActivity activity = row.frame.activity;
  return FormatUnlessZero(ActivityOf(activity, index));
}

// The order in which they are written.
const std::vector<Column>& Columns() {
  static const auto& columns = *new std::vector<Column>{
      {"tick", 0, &ReadTick, &WriteTick},
      {"player", 0, &ReadPlayer,
       [](const Row& row, size_t) {
         return fmt::format("{}", row.frame.player);
       }},
      {"buttons", 0, &ReadButtons,
       [](const Row& row, size_t) {
         const uint64_t buttons = row.frame.device.buttons;
         return buttons == 0 ? "" : fmt::format("{}", buttons);
       }},
      {"axis_0", 0, &ReadAxis, &WriteAxis},
      {"axis_1", 1, &ReadAxis, &WriteAxis},
      {"axis_2", 2, &ReadAxis, &WriteAxis},
      {"axis_3", 3, &ReadAxis, &WriteAxis},
      {"axis_4", 4, &ReadAxis, &WriteAxis},
      {"axis_5", 5, &ReadAxis, &WriteAxis},
      {"axis_6", 6, &ReadAxis, &WriteAxis},
      {"axis_7", 7, &ReadAxis, &WriteAxis},
      {"keys", 0,
       [](std::string_view text, size_t, Row& row) {
         return ReadKeys(text, row.frame.device.keys);
       },
       [](const Row& row, size_t) {
         return FormatKeys(row.frame.device.keys);
       }},
      {"mouse_buttons", 0,
       [](std::string_view text, size_t, Row& row) {
         return ReadNumber(text, 0, std::numeric_limits<uint32_t>::max(),
                           row.frame.device.mouse.buttons);
       },
       [](const Row& row, size_t) {
         return FormatUnlessZero(row.frame.device.mouse.buttons);
       }},
      {"pointer_x", 0, &ReadPointer, &WritePointer},
      {"pointer_y", 1, &ReadPointer, &WritePointer},
      {"touches", 0,
       [](std::string_view text, size_t, Row& row) {
         return ReadTouches(text, row.frame.device.touches);
       },
       [](const Row& row, size_t) {
         return FormatTouches(row.frame.device.touches);
       }},
      {"acceleration_x", 0, &ReadMotion, &WriteMotion},
      {"acceleration_y", 1, &ReadMotion, &WriteMotion},
      {"acceleration_z", 2, &ReadMotion, &WriteMotion},
      {"angular_velocity_x", 3, &ReadMotion, &WriteMotion},
      {"angular_velocity_y", 4, &ReadMotion, &WriteMotion},
      {"angular_velocity_z", 5, &ReadMotion, &WriteMotion},
      {"mouse_x", 0, &ReadActivity, &WriteActivity},
      {"mouse_y", 1, &ReadActivity, &WriteActivity},
      {"wheel_x", 2, &ReadActivity, &WriteActivity},
      {"wheel_y", 3, &ReadActivity, &WriteActivity},
      {"text", 0,
       [](std::string_view text, size_t, Row& row) {
         row.frame.activity.text = std::string(text);
         return absl::OkStatus();
       },
       [](const Row& row, size_t) { return row.frame.activity.text; }},
      {"commands", 0,
       [](std::string_view text, size_t, Row& row) {
         return ReadCommands(text, row.message);
       },
       [](const Row& row, size_t) { return FormatCommands(row.message); }}};
  return columns;
}

// In quotes where it has to be.
std::string QuoteCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// Reads a text from its head to its last row.
class CsvReader {
 public:
  CsvReader(std::string_view text, std::string_view file_name)
      : text_(text), file_name_(file_name), rows_(file_name) {}

  absl::StatusOr<v1::InputTrack> Read() {
    absl::Status status = ReadHead();
    if (!status.ok()) return status;
    const sim::CsvTable table = sim::ParseCsv(text_, kCellsMax);
    for (size_t i = 0; i < table.rows.size(); ++i) {
      status = i == 0 ? ReadNames(table.rows[i]) : ReadRow(table.rows[i]);
      if (!status.ok()) return status;
    }
    if (table.mistake.has_value()) {
      return rows_.ErrorAt(table.mistake->line + line_offset_,
                           fmt::format("column {}: {}", table.mistake->column,
                                       table.mistake->message));
    }
    if (table.rows.empty()) {
      return rows_.ErrorAt(line_offset_ + 1, "there is no row with names");
    }
    return std::move(rows_).Take();
  }

 private:
  // The lines with a number sign are a track without ticks.
  absl::Status ReadHead() {
    std::string head;
    while (text_.starts_with('#')) {
      const size_t end = std::min(text_.find('\n'), text_.size() - 1) + 1;
      // So that the text of an error has the right column.
      head += ' ';
      head += text_.substr(1, end - 1);
      text_.remove_prefix(end);
      ++line_offset_;
    }
    absl::StatusOr<v1::InputTrack> track = ParseTrackMessage(head, file_name_);
    if (!track.ok()) return track.status();
    if (track->ticks_size() > 0) {
      return rows_.ErrorAt(1, "ticks stand in rows, not in front of them");
    }
    rows_.SetHead(*std::move(track));
    return absl::OkStatus();
  }

  absl::Status ReadNames(const std::vector<sim::CsvCell>& cells) {
    std::vector<std::string_view> names;
    for (const Column& column : Columns()) names.push_back(column.name);
    for (const sim::CsvCell& cell : cells) {
      const auto found = std::ranges::find(
          Columns(), std::string_view(cell.text), &Column::name);
      if (found == Columns().end()) {
        return rows_.ErrorAt(cell.line + line_offset_,
                             sim::ThereIsNo("column", cell.text, names));
      }
      if (std::ranges::find(columns_, &*found) != columns_.end()) {
        return rows_.ErrorAt(
            cell.line + line_offset_,
            fmt::format("there are two columns '{}'", cell.text));
      }
      columns_.push_back(&*found);
    }
    if (std::ranges::find(columns_, &Columns().front()) != columns_.end()) {
      return absl::OkStatus();
    }
    return rows_.ErrorAt(cells.front().line + line_offset_,
                         "there is no column 'tick'");
  }

  absl::Status ReadRow(const std::vector<sim::CsvCell>& cells) {
    const uint32_t line = cells.front().line + line_offset_;
    if (cells.size() != columns_.size()) {
      return rows_.ErrorAt(line, fmt::format("{} cells; there are {} columns",
                                             cells.size(), columns_.size()));
    }
    Row row;
    for (size_t i = 0; i < cells.size(); ++i) {
      const Column& column = *columns_[i];
      if (cells[i].text.empty() && column.read != &ReadTick) continue;
      const absl::Status status = column.read(cells[i].text, column.index, row);
      if (!status.ok()) {
        return rows_.ErrorAt(
            cells[i].line + line_offset_,
            fmt::format("{}: {}", column.name, std::string(status.message())));
      }
    }
    v1::InputFrame frame = ToProto(row.frame, sim::InputGrammar{});
    *frame.mutable_commands() = std::move(*row.message.mutable_commands());
    return rows_.Add(line, row.tick, frame);
  }

  std::string_view text_;
  const std::string_view file_name_;
  InputRows rows_;
  uint32_t line_offset_ = 0;  // lines of the head
  std::vector<const Column*> columns_;
};

std::vector<Row> RowsOf(const v1::InputTrack& track) {
  std::vector<Row> rows;
  for (const v1::TickInputs& inputs : track.ticks()) {
    for (const v1::InputFrame& message : inputs.frames()) {
      absl::StatusOr<sim::InputFrame> frame = FromProto(message);
      CHECK(frame.ok(), "{}", frame.status().ToString());
      rows.push_back({.tick = inputs.tick(),
                      .frame = *std::move(frame),
                      .message = message});
    }
  }
  return rows;
}

}  // namespace

absl::StatusOr<v1::InputTrack> ParseInputCsv(std::string_view text,
                                             std::string_view file_name) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  return CsvReader(text, file_name).Read();
}

std::string FormatInputCsv(const v1::InputTrack& track) {
  v1::InputTrack head = track;
  head.clear_ticks();
  std::string text;
  const std::string head_text = FormatTrackMessage(head);
  for (const std::string& line : std::vector<std::string>(
           absl::StrSplit(head_text, '\n', absl::SkipEmpty()))) {
    text += fmt::format("# {}\n", line);
  }
  const std::vector<Row> rows = RowsOf(track);
  std::vector<const Column*> columns;
  for (const Column& column : Columns()) {
    const bool is_used = std::ranges::any_of(rows, [&](const Row& row) {
      return !column.write(row, column.index).empty();
    });
    const bool is_key = column.name == "tick" || column.name == "player";
    if (!is_used && !is_key) continue;
    if (!columns.empty()) text += ',';
    text += column.name;
    columns.push_back(&column);
  }
  text += '\n';
  for (const Row& row : rows) {
    for (const Column* const column : columns) {
      if (column != columns.front()) text += ',';
      text += QuoteCell(column->write(row, column->index));
    }
    text += '\n';
  }
  return text;
}

}  // namespace reprise::replays
