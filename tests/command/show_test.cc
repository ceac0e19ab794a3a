// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what people and other programs see of `reprise export` and `reprise
// view`, by running the real program and reading its files with readers written
// here. tests/interop holds them against the world's.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;

// Objects come and go in this one.
std::string NurseryReplay() {
  static const std::string path = [] {
    const std::string made = TemporaryPath("nursery.mcap");
    const CommandResult result =
        Reprise({"run", "nursery", "--ticks", "240", "--record", made});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return made;
  }();
  return path;
}

// What `export` writes into a file.
std::string Export(const std::string& replay, const std::string& format,
                   std::vector<std::string> flags = {}) {
  const std::string path = TemporaryPath("exported." + format);
  std::vector<std::string> words = {"export", replay,     "--format",
                                    format,   "--output", path};
  words.insert(words.end(), flags.begin(), flags.end());
  const CommandResult result = Reprise(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return ReadFileBytes(path);
}

std::vector<Json> ExportFrames(const std::string& replay) {
  std::vector<Json> frames;
  for (const std::string& line : Lines(Export(replay, "jsonl"))) {
    frames.push_back(Json::parse(line));
  }
  return frames;
}

// Rows of cells; none of what is read here has commas within quotes.
std::vector<std::vector<std::string>> Cells(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : Lines(csv)) {
    std::istringstream stream(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string cell; std::getline(stream, cell, ',');) {
      row.push_back(cell);
    }
  }
  return rows;
}

std::string StateDigestAt(const std::string& replay, const std::string& tick) {
  const std::string text = Reprise({"inspect", replay, "--tick", tick}).out;
  const std::string label = "digest ";
  return text.substr(text.find(label) + label.size(), 16);
}

class ShowTest : public MarbleReplayTest {};

TEST_F(ShowTest, JsonLinesTellShapesOnceAndNameRunAndStates) {
  const std::vector<Json> frames = ExportFrames(replay());
  ASSERT_EQ(frames.size(), 241u);
  EXPECT_EQ(frames[0]["source"]["pack"], "marble");
  EXPECT_EQ(frames[0]["source"]["replay_digest"].get<std::string>().size(),
            64u);
  EXPECT_FALSE(frames[0]["objects"][0]["shapes"].empty());
  EXPECT_FALSE(frames[1].contains("source"));
  for (const Json& object : frames[1]["objects"]) {
    EXPECT_TRUE(object["shapes"].empty());
    EXPECT_EQ(object["has_same_shapes"], true);
  }
  EXPECT_EQ(frames[100]["state_digest"], StateDigestAt(replay(), "100"));
}

TEST_F(ShowTest, ObjectsThatComeBringTheirShapes) {
  const std::vector<Json> frames = ExportFrames(NurseryReplay());
  const size_t at_first = frames.front()["objects"].size();
  bool has_come = false;
  for (const Json& frame : frames) {
    for (const Json& object : frame["objects"]) {
      if (frame == frames.front() || object["has_same_shapes"] == true) {
        continue;
      }
      has_come = true;
      EXPECT_FALSE(object["shapes"].empty()) << object["name"];
    }
  }
  EXPECT_TRUE(has_come) << at_first;
}

TEST_F(ShowTest, TheNameOfAnExportSaysItsFormat) {
  const auto exported = [&](const std::string& name,
                            const std::vector<std::string>& flags = {}) {
    const std::string path = TemporaryPath(name);
    std::vector<std::string> words = {"export", replay(),   "--to",
                                      "3",      "--output", path};
    words.insert(words.end(), flags.begin(), flags.end());
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ReadFileBytes(path);
  };
  EXPECT_THAT(exported("named.csv"), StartsWith("tick,time_s,"));
  EXPECT_THAT(exported("named.csv", {"--fields", "outcome"}),
              StartsWith("tick,time_s,outcome,"));
  EXPECT_THAT(exported("named.glb"), StartsWith("glTF"));
  EXPECT_THAT(exported("named.gltf"), StartsWith("glTF"));
  EXPECT_THAT(exported("named.usda"), StartsWith("#usda"));
  EXPECT_THAT(exported("named.mcap"), StartsWith("\x89MCAP"));
  EXPECT_THAT(exported("named.jsonl"), StartsWith("{"));
  EXPECT_THAT(exported("named"), StartsWith("{"));
  // Who says the format means it.
  EXPECT_THAT(exported("other.csv", {"--format", "jsonl"}), StartsWith("{"));
  EXPECT_THAT(exported("other.jsonl", {"--format", "csv"}),
              StartsWith("tick,time_s,"));
}

// Of marble's 60 ticks a second: each whole one is as without a rate, and in
// the middle of two is the middle of their poses.
TEST_F(ShowTest, FramesOfARateLieBetweenTicks) {
  const std::vector<std::string> range = {"--from", "30", "--to", "60"};
  const auto with_rate = [&](const std::string& rate) {
    std::vector<std::string> flags = range;
    flags.insert(flags.end(), {"--rate", rate});
    return flags;
  };
  const auto ticks = Cells(Export(replay(), "csv", range));
  const auto twice = Cells(Export(replay(), "csv", with_rate("120")));
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> rows;
  for (const auto& row : twice) rows[{row[1], row[2]}] = row;
  std::map<std::string, std::vector<std::string>> before;
  size_t between = 0;
  for (size_t i = 1; i < ticks.size(); ++i) {
    const std::vector<std::string>& row = ticks[i];
    EXPECT_EQ((rows[{row[1], row[2]}]), row);
    const std::vector<std::string> last = std::exchange(before[row[2]], row);
    if (last.empty()) continue;
    const double time = 0.5 * (std::stod(last[1]) + std::stod(row[1]));
    const auto half = std::ranges::find_if(twice, [&](const auto& cells) {
      return cells[2] == row[2] && cells[0] == row[0] && cells[1] != row[1];
    });
    ASSERT_NE(half, twice.end());
    EXPECT_NEAR(std::stod((*half)[1]), time, 1e-12);
    for (const size_t column : {5, 6, 7}) {
      EXPECT_NEAR(std::stod((*half)[column]),
                  0.5 * (std::stod(last[column]) + std::stod(row[column])),
                  1e-12);
    }
    // The state that it names is that of the tick to come.
    EXPECT_EQ((*half)[12], row[12]);
    ++between;
  }
  EXPECT_GT(between, 30u);
}

TEST_F(ShowTest, EveryFormatTakesARateAndNamesItsStates) {
  const auto is_right = [&](const std::string& path) {
    const CommandResult result =
        Reprise({"verify", "--export", path, replay()});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    return result.out;
  };
  for (const std::string format : {"jsonl", "csv", "mcap", "gltf", "usda"}) {
    // 40 frames to 96 ticks, of which the last lies between two.
    const std::string bytes =
        Export(replay(), format, {"--to", "96", "--rate", "24.9"});
    EXPECT_THAT(is_right(TemporaryPath("exported." + format)),
                HasSubstr("right"))
        << format;
    EXPECT_THAT(
        Reprise({"export", replay(), "--format", format, "--to", "96", "--rate",
                 "24.9", "--output", TemporaryPath("counted." + format)})
            .err,
        HasSubstr("40 frames"))
        << format;
  }
  const std::string usda =
      Export(replay(), "usda", {"--to", "2", "--rate", "240"});
  EXPECT_THAT(usda, AllOf(HasSubstr("uint64 frames = 240"),
                          HasSubstr("endTimeCode = 2\n")));
}

TEST_F(ShowTest, WideCsvHasARowAFrameAndAColumnAnExpression) {
  const auto rows = Cells(
      Export(replay(), "csv",
             {"--fields", "player.bodies.position.y, min(tick, 3), outcome",
              "--every", "60"}));
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0][2], "player.bodies.position.y");
  EXPECT_EQ(rows[1][0], "0");
  EXPECT_EQ(rows[1][2], "0.25");
  EXPECT_EQ(rows[2][0], "60");
  EXPECT_EQ(rows[2][1], "1");
  EXPECT_EQ(rows[5][4], "running");
  EXPECT_EQ(rows[2][5], StateDigestAt(replay(), "60"));
}

TEST_F(ShowTest, WideCsvHasAColumnForEachObject) {
  const auto rows =
      Cells(Export(NurseryReplay(), "csv", {"--fields", "bodies.position.y"}));
  size_t balls = 0;
  for (const std::string& name : rows[0]) {
    if (name.starts_with("ball#")) ++balls;
  }
  EXPECT_GT(balls, 1u);
  // A ball that isn't there yet has an empty cell.
  const std::string first = Lines(Export(
      NurseryReplay(), "csv",
      {"--fields", "bodies.position.y", "--to", "200", "--every", "200"}))[1];
  EXPECT_THAT(first, HasSubstr(",,"));
}

TEST_F(ShowTest, LongCsvHasARowAValue) {
  const auto rows =
      Cells(Export(replay(), "csv",
                   {"--fields", "bodies.position.y", "--long", "--to", "0"}));
  EXPECT_EQ(rows[0][2], "object");
  EXPECT_EQ(rows[1].size(), 7u);
  EXPECT_EQ(rows[1][3], "bodies.position.y");
}

TEST_F(ShowTest, CsvWithoutFieldsHasThePosesOfJsonLines) {
  const std::vector<Json> frames = ExportFrames(NurseryReplay());
  const auto rows = Cells(Export(NurseryReplay(), "csv"));
  size_t row = 1;
  for (const Json& frame : frames) {
    for (const Json& object : frame["objects"]) {
      ASSERT_LT(row, rows.size());
      EXPECT_EQ(rows[row][2], object["name"]);
      EXPECT_EQ(std::stod(rows[row][5]), object["position"]["x"]);
      EXPECT_EQ(std::stod(rows[row][11]), object["rotation"]["w"]);
      ++row;
    }
  }
  EXPECT_EQ(row, rows.size());
}

TEST_F(ShowTest, CsvTellsMistakesWithTheirColumnAndNoAnswersWithTheirTick) {
  const CommandResult wrong = Reprise(
      {"export", replay(), "--format", "csv", "--fields", "bodys.position.y"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'bodies'?"));
  const CommandResult empty = Reprise(
      {"export", replay(), "--format", "csv", "--fields", "tick,,outcome"});
  EXPECT_EQ(empty.exit_code, 2);
  const CommandResult none = Reprise(
      {"export", replay(), "--format", "csv", "--fields", "1 / (tick - 7)"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.err, HasSubstr("tick 7: 1 / (tick - 7): a division by "
                                  "zero; no answer 1 time"));
  EXPECT_THAT(Lines(none.out)[8], StartsWith("7,0.11666666666666667,,"));
}

using Pose = std::array<double, 7>;  // x y z, qx qy qz qw

Pose PoseOf(const Json& object) {
  const Json& at = object["position"];
  const Json& turn = object["rotation"];
  return {at["x"],   at["y"],   at["z"],  turn["x"],
          turn["y"], turn["z"], turn["w"]};
}

// What a viewer of glTF sees of one file, by the formulas of its specification.
class GltfReader {
 public:
  explicit GltfReader(const std::string& file) {
    const auto word = [&file](size_t at) {
      uint32_t value = 0;
      std::memcpy(&value, file.data() + at, sizeof(value));
      return value;
    };
    EXPECT_EQ(file.substr(0, 4), "glTF");
    EXPECT_EQ(word(4), 2u);
    EXPECT_EQ(word(8), file.size());
    const uint32_t json_size = word(12);
    json_ = Json::parse(file.substr(20, json_size));
    binary_ = file.substr(20 + json_size + 8);
    for (const Json& animation : json_.value("animations", Json::array())) {
      for (const Json& channel : animation["channels"]) {
        const Json& sampler =
            animation["samplers"][channel["sampler"].get<int>()];
        Track& track =
            tracks_[{channel["target"]["node"], channel["target"]["path"]}];
        track.times = Floats(sampler["input"]);
        track.values = Floats(sampler["output"]);
        track.is_step = sampler["interpolation"] == "STEP";
      }
    }
  }

  const Json& json() const { return json_; }

  // The number of the node of an object; -1 where there is none.
  int NodeOf(const std::string& name) const {
    for (size_t i = 0; i < json_["nodes"].size(); ++i) {
      if (json_["nodes"][i].value("name", "") == name) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }

  std::vector<double> ValueAt(int node, const std::string& path,
                              const std::vector<double>& otherwise,
                              double time) const {
    const auto found = tracks_.find({node, path});
    if (found == tracks_.end()) {
      return json_["nodes"][node].value(path, otherwise);
    }
    const Track& track = found->second;
    const size_t width = otherwise.size();
    size_t next = 0;
    while (next < track.times.size() && track.times[next] <= time) ++next;
    const size_t last = next == 0 ? 0 : next - 1;
    const auto value = [&](size_t key) {
      return std::vector<double>(
          track.values.begin() + static_cast<long>(width * key),
          track.values.begin() + static_cast<long>(width * (key + 1)));
    };
    if (track.is_step || next == 0 || next == track.times.size()) {
      return value(last);
    }
    const double part =
        (time - track.times[last]) / (track.times[next] - track.times[last]);
    return width == 4 ? Slerp(value(last), value(next), part)
                      : Lerp(value(last), value(next), part);
  }

 private:
  struct Track {
    std::vector<double> times;
    std::vector<double> values;
    bool is_step = false;
  };

  std::vector<double> Floats(const Json& number) const {
    const Json& accessor = json_["accessors"][number.get<int>()];
    const Json& view = json_["bufferViews"][accessor["bufferView"].get<int>()];
    const std::string type = accessor["type"];
    const size_t width = type == "VEC4" ? 4 : type == "VEC3" ? 3 : 1;
    const size_t count = accessor["count"].get<size_t>() * width;
    std::vector<float> floats(count);
    std::memcpy(floats.data(),
                binary_.data() + view["byteOffset"].get<size_t>(), 4 * count);
    return {floats.begin(), floats.end()};
  }

  static std::vector<double> Lerp(std::vector<double> a,
                                  const std::vector<double>& b, double part) {
    for (size_t i = 0; i < a.size(); ++i) a[i] += part * (b[i] - a[i]);
    return a;
  }

  static std::vector<double> Slerp(std::vector<double> a, std::vector<double> b,
                                   double part) {
    double dot = 0;
    for (size_t i = 0; i < 4; ++i) dot += a[i] * b[i];
    const double sign = dot < 0 ? -1 : 1;
    const double angle = std::acos(std::min(1.0, std::fabs(dot)));
    if (angle < 1e-6) return a;
    for (size_t i = 0; i < 4; ++i) {
      a[i] = (std::sin((1 - part) * angle) * a[i] +
              sign * std::sin(part * angle) * b[i]) /
             std::sin(angle);
    }
    return a;
  }

  Json json_;
  std::string binary_;
  std::map<std::pair<int, std::string>, Track> tracks_;
};

double Distance(const std::vector<double>& at, const Pose& pose) {
  return std::hypot(at[0] - pose[0], at[1] - pose[1], at[2] - pose[2]);
}

double Angle(const std::vector<double>& turn, const Pose& pose) {
  double plus = 0;
  double minus = 0;
  for (size_t i = 0; i < 4; ++i) {
    plus += std::pow(turn[i] + pose[3 + i], 2);
    minus += std::pow(turn[i] - pose[3 + i], 2);
  }
  return 4 * std::asin(std::min(1.0, std::sqrt(std::min(plus, minus)) / 2));
}

// Holds every pose of every frame against what a file shows then; what a frame
// doesn't have, it doesn't show.
void ExpectSamePoses(const GltfReader& gltf, const std::vector<Json>& frames,
                     double position_error, double rotation_error) {
  for (const Json& frame : frames) {
    const double time =
        static_cast<float>(std::stod(frame["tick"].get<std::string>()) / 60);
    size_t visible = 0;
    for (const Json& node : gltf.json()["scenes"][0]["nodes"]) {
      if (gltf.ValueAt(node, "scale", {1, 1, 1}, time)[0] == 1) ++visible;
    }
    EXPECT_EQ(visible, frame["objects"].size()) << frame["tick"];
    for (const Json& object : frame["objects"]) {
      const int node = gltf.NodeOf(object["name"]);
      ASSERT_GE(node, 0) << object["name"];
      const Pose pose = PoseOf(object);
      EXPECT_LE(
          Distance(gltf.ValueAt(node, "translation", {0, 0, 0}, time), pose),
          position_error)
          << object["name"] << " at tick " << frame["tick"];
      EXPECT_LE(Angle(gltf.ValueAt(node, "rotation", {0, 0, 0, 1}, time), pose),
                rotation_error)
          << object["name"] << " at tick " << frame["tick"];
    }
  }
}

TEST_F(ShowTest, GltfShowsEveryPoseWithinTheStatedError) {
  for (const std::string& path : {replay(), NurseryReplay()}) {
    const GltfReader gltf(Export(path, "gltf"));
    const Json& said = gltf.json()["asset"]["extras"];
    EXPECT_LE(said["position_error_m"].get<double>(), 0.001);
    EXPECT_LE(said["rotation_error_rad"].get<double>(), 0.002);
    // What is read here is by other roundings than what is stated.
    ExpectSamePoses(gltf, ExportFrames(path),
                    said["position_error_m"].get<double>() + 1e-9,
                    said["rotation_error_rad"].get<double>() + 1e-7);
  }
}

TEST_F(ShowTest, GltfNamesRunAndStatesAndObeysTheErrorAskedFor) {
  const GltfReader exact(Export(replay(), "gltf", {"--error", "0.00001"}));
  const GltfReader rough(Export(replay(), "gltf", {"--error", "0.1"}));
  const Json& said = exact.json()["asset"]["extras"];
  EXPECT_EQ(said["first_state"], StateDigestAt(replay(), "0"));
  EXPECT_EQ(said["last_state"], StateDigestAt(replay(), "240"));
  EXPECT_EQ(said["last_tick"], 240);
  EXPECT_LE(said["position_error_m"].get<double>(), 0.00001);
  ExpectSamePoses(rough, ExportFrames(replay()), 0.1, 0.2);
  EXPECT_LT(rough.json()["buffers"][0]["byteLength"].get<int>(),
            exact.json()["buffers"][0]["byteLength"].get<int>());
}

TEST_F(ShowTest, UsdaHasTheStatesValuesToTheLastBit) {
  const std::string layer = Export(replay(), "usda", {"--error", "1e-9"});
  EXPECT_THAT(layer, StartsWith("#usda 1.0\n("));
  EXPECT_THAT(layer, HasSubstr("timeCodesPerSecond = 60"));
  EXPECT_THAT(layer, HasSubstr("string last_state = \"" +
                               StateDigestAt(replay(), "240") + "\""));
  const std::vector<Json> frames = ExportFrames(replay());
  const size_t player = layer.find("def Xform \"player\"");
  ASSERT_NE(player, std::string::npos);
  const std::string label = "double3 xformOp:translate.timeSamples = {\n";
  std::istringstream samples(
      layer.substr(layer.find(label, player) + label.size()));
  size_t count = 0;
  char mark = 0;
  double tick = 0;
  double x = 0;
  double y = 0;
  double z = 0;
  while (samples >> tick >> mark >> mark >> x >> mark >> y >> mark >> z >>
         mark >> mark) {
    ++count;
    for (const Json& object : frames[static_cast<size_t>(tick)]["objects"]) {
      if (object["name"] != "player") continue;
      EXPECT_EQ((std::array{x, y, z}),
                (std::array<double, 3>{object["position"]["x"],
                                       object["position"]["y"],
                                       object["position"]["z"]}));
    }
  }
  EXPECT_GT(count, 100u);
}

std::string View(std::vector<std::string> words, std::string& page) {
  const std::string path = TemporaryPath("view.html");
  words.insert(words.begin(), "view");
  words.insert(words.end(), {"--output", path});
  const CommandResult result = Reprise(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  page = ReadFileBytes(path);
  return result.err;
}

// The JSON within the page.
Json PageOf(const std::string& html) {
  const std::string label = "id=\"page\">";
  const size_t begin = html.find(label) + label.size();
  return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

TEST_F(ShowTest, ViewIsOneFileThatAsksForNothing) {
  std::string html;
  const std::string said = View({replay()}, html);
  EXPECT_THAT(said, HasSubstr("241 frames in "));
  for (const char* const reference :
       {"http://", "https://", "src=", "href=", "@import", "fetch("}) {
    EXPECT_THAT(html, Not(HasSubstr(reference)));
  }
  const Json page = PageOf(html);
  EXPECT_EQ(page["runs"].size(), 1u);
  EXPECT_EQ(page["runs"][0]["frame_count"], 241);
  EXPECT_TRUE(page["difference"].is_null());
  EXPECT_THAT(html, HasSubstr("id=\"chunk-0-1\""));
}

TEST_F(ShowTest, ViewHasLayersAndControlsUnlessToldOtherwise) {
  std::string html;
  View({replay()}, html);
  const Json run = PageOf(html)["runs"][0];
  EXPECT_EQ(run["has_contacts"], true);
  std::map<std::string, size_t> guides;
  for (const Json& guide : run["guides"]) {
    ++guides[guide["kind"].get<std::string>()];
    EXPECT_EQ(guide["lines"].size() % 9, 0u);
    EXPECT_FALSE(guide["lines"].empty()) << guide["name"];
  }
  EXPECT_GT(guides["joint"], 0u);
  EXPECT_GT(guides["trigger"], 0u);
  EXPECT_EQ(run["inputs"]["player_count"], 1);
  EXPECT_EQ(run["inputs"]["controls"][0]["kind"], "axis");
  std::string bare;
  View({replay(), "--no-layers"}, bare);
  EXPECT_LT(bare.size(), html.size());
  EXPECT_TRUE(PageOf(bare)["runs"][0]["guides"].empty());
  EXPECT_EQ(PageOf(bare)["runs"][0]["has_contacts"], false);
}

TEST_F(ShowTest, ViewHasPathsAndWhereOneCanWalk) {
  const std::string recording = TemporaryPath("guard.mcap");
  ASSERT_EQ(Reprise({"run", "guard", "--ticks", "120", "--record", recording})
                .exit_code,
            0);
  std::string html;
  View({recording}, html);
  std::map<std::string, std::set<std::string>> names;
  const Json page = PageOf(html);
  for (const Json& guide : page["runs"][0]["guides"]) {
    names[guide["kind"].get<std::string>()].insert(
        guide["name"].get<std::string>());
  }
  EXPECT_TRUE(names["path"].contains("alf"));
  EXPECT_TRUE(names["path"].contains("bert"));
  EXPECT_TRUE(names["space"].contains("floor"));
}

// A grid whose open cells are as many as can be shown, of which a door closes
// one every tenth of a second: each time its borders are others.
std::string ManyBorders() {
  constexpr int kSide = 96;
  constexpr int kDoors = 24;
  std::string text = "name: 'borders'\nnavigation { grids { name: 'floor'\n";
  for (int row = 0; row < kSide; ++row) {
    text += "rows: '";
    for (int column = 0; column < kSide; ++column) {
      text += (row + column) % 2 == 0 ? '.' : '#';
    }
    text += "'\n";
  }
  text += "} }\n";
  for (int i = 0; i < kDoors; ++i) {
    text += fmt::format(
        "types {{ name: 'door_{0}' timers {{ name: 'shut' event: 'shut_{0}' "
        "delay_s: {1} }} }}\n"
        "objects {{ name: 'door_{0}' type: 'door_{0}' position {{ x: {2} z: "
        "0.5 "
        "}} }}\n"
        "events {{ name: 'shut_{0}' }}\n"
        "connections {{ name: 'shut_{0}' event: 'shut_{0}' then {{ send {{ "
        "event: 'change_cell' object: 'door_{0}' with {{ argument: 'grid' to: "
        "'floor' }} with {{ argument: 'weight' to: '0' }} }} }} }}\n",
        i, 0.1 * (i + 1), 2 * i + 0.5);
  }
  return text;
}

TEST_F(ShowTest, ViewBoundsWhatLayersTake) {
  const std::string folder = TemporaryPath("borders");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/pack.txtpb") << ManyBorders();
  const std::string recording = TemporaryPath("borders.mcap");
  ASSERT_EQ(Reprise({"run", folder, "--ticks", "160", "--record", recording})
                .exit_code,
            0);
  std::string html;
  View({recording}, html);
  size_t lines = 0;
  const Json page = PageOf(html);
  for (const Json& guide : page["runs"][0]["guides"]) {
    lines += guide["lines"].size() / 9;
  }
  EXPECT_GT(lines, 180'000u);
  EXPECT_LE(lines, 200'000u);
}

TEST_F(ShowTest, ViewOfTwoRunsNamesTheirFirstDifference) {
  std::string html;
  const std::string said = View({replay(), MakeChangedReplay()}, html);
  EXPECT_THAT(said, HasSubstr("they differ from tick 101 on: "));
  const Json page = PageOf(html);
  EXPECT_EQ(page["difference"]["tick"], 101);
  EXPECT_GE(page["difference"]["objects"]["player"], 101);
  EXPECT_FALSE(page["difference"]["objects"].contains("floor_start"));
}

TEST_F(ShowTest, DiffShowsBothRunsAroundTheirDifference) {
  const std::string path = TemporaryPath("parted.html");
  const CommandResult result =
      Reprise({"diff", replay(), MakeChangedReplay(), "--view", path});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("both runs are shown in " + path));
  const Json page = PageOf(ReadFileBytes(path));
  EXPECT_EQ(page["difference"]["tick"], 101);
  EXPECT_EQ(page["runs"][0]["source"]["first_tick"], 0);
  EXPECT_EQ(page["runs"][1]["source"]["last_tick"], 221);
  const std::string none = TemporaryPath("none.html");
  EXPECT_EQ(Reprise({"diff", replay(), replay(), "--view", none}).exit_code, 0);
  EXPECT_EQ(ReadFileBytes(none), "");
}

TEST_F(ShowTest, DiffShowsAnotherPackBesideTheRecordedOne) {
  const std::string pack =
      MakeChangedPack("heavier", "mass_kg: 2\n", "mass_kg: 2.5\n");
  const std::string path = TemporaryPath("packs.html");
  const CommandResult result =
      Reprise({"diff", replay(), "--pack", pack, "--view", path});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_EQ(PageOf(ReadFileBytes(path))["runs"].size(), 2u);
}

TEST_F(ShowTest, VerifyShowsEachFailure) {
  const std::string folder = TemporaryPath("views");
  const std::string pack =
      MakeChangedPack("lighter", "mass_kg: 2\n", "mass_kg: 1.5\n");
  const CommandResult result =
      Reprise({"verify", replay(), "--pack", pack, "--view", folder});
  EXPECT_EQ(result.exit_code, 1);
  const std::string label = "shown in ";
  const size_t begin = result.out.find(label);
  ASSERT_NE(begin, std::string::npos) << result.out << result.err;
  const size_t end = result.out.find("#t=", begin);
  const std::string path =
      result.out.substr(begin + label.size(), end - begin - label.size());
  EXPECT_THAT(path, StartsWith(folder + "/random-"));
  const Json page = PageOf(ReadFileBytes(path));
  EXPECT_EQ(page["runs"].size(), 2u);
  EXPECT_FALSE(page["difference"].is_null());
}

TEST_F(ShowTest, ViewWithoutFieldsIsSmallerAndAsksTheSameLanguage) {
  std::string whole;
  std::string poses;
  View({replay()}, whole);
  View({replay(), "--no-fields", "--fields", "count(bodies.position.y < 0)"},
       poses);
  EXPECT_LT(poses.size(), whole.size());
  const Json columns = PageOf(poses)["runs"][0]["columns"];
  ASSERT_EQ(columns.size(), 1u);
  EXPECT_EQ(columns[0][1], "count(bodies.position.y < 0)");
}

// Of 301 bodies that fall and touch each other, with contacts; the whole page,
// its program and all that is said once included.
TEST_F(ShowTest, APageTakesTwelveBytesForEachObjectAndFrame) {
  const std::string path = TemporaryPath("pile.mcap");
  ASSERT_EQ(
      Reprise({"run", "pile", "--ticks", "600", "--record", path}).exit_code,
      0);
  std::string html;
  View({path, "--no-fields"}, html);
  const Json run = PageOf(html)["runs"][0];
  const size_t frames = run["frame_count"];
  EXPECT_TRUE(run["has_contacts"]);
  EXPECT_LT(html.size(), 12 * frames * run["objects"].size());
}

TEST_F(ShowTest, NothingInAPageEndsItsScripts) {
  const std::string path = TemporaryPath("a<script>b.mcap");
  WriteFileBytes(path, ReadFileBytes(replay()));
  std::string html;
  View({path}, html);
  EXPECT_THAT(html, HasSubstr("a&lt;script>b.mcap</title>"));
  EXPECT_THAT(PageOf(html)["runs"][0]["name"].get<std::string>(),
              HasSubstr("a<script>b.mcap"));
}

// The points of each line of a drawing.
std::vector<std::vector<std::array<double, 2>>> LinesOf(
    const std::string& svg) {
  std::vector<std::vector<std::array<double, 2>>> lines;
  for (size_t at = 0; (at = svg.find("<path d=\"M", at)) != std::string::npos;
       ++at) {
    const std::string path = svg.substr(at + 9, svg.find('"', at + 9) - at - 9);
    // Lines of values alone are round.
    if (svg.substr(at, svg.find('>', at) - at).find("stroke-linejoin") ==
        std::string::npos) {
      continue;
    }
    std::istringstream points(path);
    auto& line = lines.emplace_back();
    char letter = 0;
    std::array<double, 2> point = {};
    while (points >> letter >> point[0] >> point[1]) line.push_back(point);
  }
  return lines;
}

TEST_F(ShowTest, APlotHasTheValuesOfEachTick) {
  const std::string path = TemporaryPath("plot.svg");
  const std::string expression = "player.bodies.position.y";
  const CommandResult result =
      Reprise({"plot", replay(), expression, "tick", "--to", "100", "--width",
               "1000", "--output", path});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("2 lines in"));
  const auto lines = LinesOf(ReadFileBytes(path));
  ASSERT_EQ(lines.size(), 2u);
  const auto rows =
      Cells(Export(replay(), "csv", {"--fields", expression, "--to", "100"}));
  // Nine pixels a tick: each has its point, on a straight scale.
  ASSERT_EQ(lines[0].size(), 101u);
  const auto value = [&](size_t tick) { return std::stod(rows[tick + 1][2]); };
  const size_t other = 50;
  ASSERT_NE(value(0), value(other));
  const double scale =
      (lines[0][other][1] - lines[0][0][1]) / (value(other) - value(0));
  EXPECT_LT(scale, 0);  // pixels count downwards
  for (size_t tick = 0; tick <= 100; ++tick) {
    EXPECT_NEAR(lines[0][tick][0] - lines[0][0][0],
                9.14 * static_cast<double>(tick), 0.011);
    EXPECT_NEAR(lines[0][tick][1] - lines[0][0][1],
                scale * (value(tick) - value(0)), 0.5);
    // The tick itself is a straight line through its panel, bottom to top.
    EXPECT_NEAR(lines[1][0][1] - lines[1][tick][1],
                1.6 * static_cast<double>(tick), 0.011);
  }
}

TEST_F(ShowTest, APlotLosesNoPeakAndHasGapsWhereNothingIs) {
  const std::string path = TemporaryPath("peaks.svg");
  // Of 240 ticks one in which it is true; some objects come, some go.
  const CommandResult result =
      Reprise({"plot", NurseryReplay(), "tick == 133", "bodies.position.y",
               "--width", "300", "--output", path});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = LinesOf(ReadFileBytes(path));
  ASSERT_GT(lines.size(), 2u);
  double least = lines[0][0][1];
  for (const auto& point : lines[0]) least = std::min(least, point[1]);
  EXPECT_NEAR(lines[0][0][1] - least, 160, 0.011);
  size_t begun_later = 0;
  for (const auto& line : lines) begun_later += line[0][0] > lines[0][0][0];
  EXPECT_GT(begun_later, 0u);
}

// The same plot as a picture, each time and in each order of flags.
TEST_F(ShowTest, APlotIsAPictureWhereItsNameSaysSo) {
  const std::string path = TemporaryPath("plot.png");
  const std::string other = TemporaryPath("again.png");
  const std::string changed = MakeChangedReplay();
  for (const std::string& output : {path, other}) {
    const CommandResult result =
        Reprise({"plot", replay(), changed, "player.bodies.position.y",
                 "--width", "500", "--output", output});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("2 lines in"));
  }
  const std::string png = ReadFileBytes(path);
  EXPECT_THAT(png, StartsWith("\x89PNG"));
  EXPECT_EQ(png, ReadFileBytes(other));
}

TEST_F(ShowTest, BadInputIsToldInASentence) {
  const auto expect = [](const std::vector<std::string>& words, int exit_code,
                         const std::string& sentence) {
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(sentence));
  };
  const std::string r = replay();
  expect({"export", r, "--from", "900"}, 2, "it has the ticks 0 to 240, not");
  expect({"view", r, "--from", "900"}, 2, "it has the ticks 0 to 240, not");
  expect({"export", r, "--fields", "tick"}, 2, "are of --format csv and mcap");
  expect({"export", r, "--format", "mcap", "--long"}, 2, "is of --format csv");
  expect({"export", r, "--layers", "contacts"}, 2, "are of --format mcap");
  expect({"export", r, "--format", "mcap", "--layers", "dreams"}, 2,
         "there is no layer 'dreams'");
  expect({"export", r, "--format", "mcap", "--reverse"}, 2, "--reverse is of");
  expect({"export", r, "--format", "mcap", "--fields", "bodys.kind"}, 2,
         "did you mean 'bodies'?");
  std::string many = "tick";
  for (int i = 0; i < 24; ++i) many += ",tick";
  expect({"export", r, "--format", "mcap", "--fields", many}, 2,
         "an mcap takes 24 fields, not 25");
  expect({"export", r, "--error", "1"}, 2, "of --format gltf and usda");
  expect({"export", r, "--format", "gltf", "--error", "-1"}, 2,
         "a length in metres");
  expect({"export", r, "--format", "usda", "--reverse"}, 2, "--reverse is of");
  expect({"export", r, "--every", "0"}, 2, "--every takes 1 or more");
  expect({"view", r, "--every", "0"}, 2, "--every takes 1 or more");
  expect({"export", r, "--rate", "0"}, 2, "a rate is frames a second");
  expect({"render", r, "--rate", "fast", "--digests"}, 2,
         "a rate is frames a second");
  expect({"view", r, "--fields", "bodys.kind"}, 2, "did you mean 'bodies'?");
  expect({"plot", r, "outcome"}, 2, "a text has no place on a scale");
  expect({"plot", r, "bodys.kind"}, 2, "did you mean 'bodies'?");
  expect({"plot", "outcome", "tick"}, 2, "replays come first");
  expect({"plot", r, r}, 2, "no expression");
  expect({"plot", "nowhere.mcap", "tick"}, 3, "nowhere.mcap");
  expect({"plot", r, "tick", "--width", "1"}, 2, "--width takes 300 to");
  expect({"plot", r, "tick", "--output", r}, 2, "would overwrite a replay");
  expect({"plot", r, "tick", "--height", "9000", "--output", "x.png"}, 2,
         "a picture has at most 8192");
  expect({"plot", r, "tick", "--output", "/dev/full"}, 5,
         "/dev/full can't be written");
  expect({"export", r, "--output", r}, 2, "would overwrite the replay");
  expect({"view", r, "--output", r}, 2, "would overwrite the replay");
  expect({"view", "nowhere.mcap"}, 3, "nowhere.mcap");
  for (const std::string format : {"jsonl", "csv", "gltf", "usda", "mcap"}) {
    expect({"export", r, "--format", format, "--output", "/dev/full"}, 5,
           "/dev/full can't be written");
  }
  expect({"view", r, "--output", "/dev/full"}, 5, "is there space left?");
  expect({"view", r, "--output", "/nowhere/a.html"}, 5, "can't be written");
}

// Divisions by nothing, where an answer is wanted, are counted by all.
TEST_F(ShowTest, ValuesThatAreNoneAreSaid) {
  const std::string r = replay();
  const std::string page = TemporaryPath("nothing.html");
  for (const CommandResult& result :
       {Reprise({"view", r, "--fields", "1/(tick-7)", "--output", page}),
        Reprise({"export", r, "--format", "csv", "--fields", "1/(tick-7)",
                 "--output", TemporaryPath("nothing.csv")}),
        Reprise({"export", r, "--format", "mcap", "--fields", "1/(tick-7)",
                 "--output", TemporaryPath("nothing.mcap")}),
        Reprise({"plot", r, "1/(tick-7)", "--output",
                 TemporaryPath("nothing.svg")})}) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("tick 7"), HasSubstr("1 time")));
  }
  const std::string none = TemporaryPath("none.svg");
  for (const std::string expression : {"0/0", "0.0/0.0"}) {
    const CommandResult result =
        Reprise({"plot", r, expression, "--output", none});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("it has no value at any tick"),
                                  HasSubstr("there is nothing to draw")));
    EXPECT_EQ(ReadFileBytes(none), "");
  }
  const CommandResult half =
      Reprise({"plot", r, "0/0", "tick", "--output", none});
  EXPECT_EQ(half.exit_code, 0);
  EXPECT_THAT(half.err, HasSubstr("0/0: it has no value at any tick"));
}

// JSON has no such numbers, and no scale a place for them.
TEST_F(ShowTest, NumbersThatAreNotFiniteAreSaid) {
  const std::string r = replay();
  const std::string csv = TemporaryPath("infinite.csv");
  const std::string mcap = TemporaryPath("infinite.mcap");
  const std::string page = TemporaryPath("infinite.html");
  // A double ends a little behind 1.79e308.
  const std::string beyond = "1.79e308 + (tick - 6) * 1e307";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"export", r, "--format", "csv", "--output",
                                 csv},
        {"export", r, "--format", "mcap", "--output", mcap},
        {"view", r, "--output", page}}) {
    std::vector<std::string> asked = words;
    asked.insert(asked.end(), {"--to", "9", "--fields", beyond});
    const CommandResult result = Reprise(asked);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("tick 7: " + beyond +
                                      " is inf; not a finite number 3 times"))
        << words[0];
  }
  EXPECT_THAT(Lines(ReadFileBytes(csv))[8], HasSubstr(",inf,"));
  EXPECT_THAT(ReadFileBytes(page), HasSubstr("id=\"chunk-0-0\""));
  const std::string plot = TemporaryPath("infinite.svg");
  const CommandResult drawn =
      Reprise({"plot", r, beyond, "--to", "9", "--output", plot});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_THAT(drawn.err, HasSubstr("is inf; no answer 3 times"));
  ASSERT_EQ(LinesOf(ReadFileBytes(plot)).size(), 1u);
  EXPECT_EQ(LinesOf(ReadFileBytes(plot))[0].size(), 7u);
}

// What a full disk leaves of a file is not taken for one. No file here may
// have more than 8 KiB.
TEST_F(ShowTest, AFullDiskLeavesTheFileThatWasThere) {
  const std::string kept = TemporaryPath("kept.out");
  const std::vector<std::vector<std::string>> verbs = {
      {"view"},
      {"export", "--format", "jsonl"},
      {"export", "--format", "csv"},
      {"export", "--format", "gltf"},
      {"export", "--format", "usda"},
      {"export", "--format", "mcap"},
      {"plot", "bodies.position.y"}};
  for (std::vector<std::string> words : verbs) {
    WriteFileBytes(kept, "before");
    words.insert(words.begin() + 1, replay());
    words.insert(words.end(), {"--output", kept});
    std::vector<std::string> limited = {
        "bash", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "bash",
        "tools/reprise/reprise"};
    limited.insert(limited.end(), words.begin(), words.end());
    const CommandResult result = RunCommand(limited);
    EXPECT_EQ(result.exit_code, 5) << words[0] << result.err;
    EXPECT_THAT(result.err, HasSubstr("is there space left?")) << words[0];
    EXPECT_EQ(ReadFileBytes(kept), "before") << words[0];
    EXPECT_FALSE(std::filesystem::exists(kept + ".partial")) << words[0];
  }
}

TEST_F(ShowTest, WhatFailsLeavesTheFileThatWasThere) {
  const std::string path = TemporaryPath("kept.glb");
  WriteFileBytes(path, "before");
  const CommandResult result =
      Reprise({"export", replay(), "--format", "mcap", "--fields",
               "bodies.position.y, bodys.kind", "--output", path});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(ReadFileBytes(path), "before");
  EXPECT_EQ(ReadFileBytes(path + ".partial"), "");
}

TEST_F(ShowTest, EveryVerbShowsWhatIsThereOfAReplayThatWasCutOff) {
  const std::string path = TemporaryPath("cut_off.mcap");
  const std::string whole = ReadFileBytes(replay());
  WriteFileBytes(path, whole.substr(0, whole.size() * 3 / 4));
  const std::string output = TemporaryPath("cut_off_pictures");
  const std::vector<std::vector<std::string>> verbs = {
      {"export", path, "--format", "csv", "--output",
       TemporaryPath("cut_off.csv")},
      {"export", path, "--format", "gltf", "--output",
       TemporaryPath("cut_off.glb")},
      {"export", path, "--format", "jsonl", "--output",
       TemporaryPath("cut_off.jsonl")},
      {"export", path, "--format", "usda", "--output",
       TemporaryPath("cut_off.usda")},
      {"export", path, "--format", "mcap", "--output",
       TemporaryPath("cut_off.frames.mcap")},
      {"render", path, "--every", "60", "--size", "64x36", "--output", output},
      {"plot", path, "tick", "--output", TemporaryPath("cut_off.svg")}};
  for (const std::vector<std::string>& words : verbs) {
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 0) << words[0] << result.err;
    EXPECT_THAT(result.err, HasSubstr("cut off")) << words[0];
    EXPECT_NE(
        ReadFileBytes(words.back() == output ? output + "/tick_0000000.png"
                                             : words.back()),
        "")
        << words[0];
  }
}

// An export is no replay, and neither is what ends before it says of what.
TEST_F(ShowTest, WhatIsNoReplayIsRefusedByEveryVerb) {
  const std::string garbage = TemporaryPath("garbage.mcap");
  WriteFileBytes(garbage, "this is no replay");
  const std::string headless = TemporaryPath("headless.mcap");
  WriteFileBytes(headless, ReadFileBytes(replay()).substr(0, 200));
  const std::string frames = TemporaryPath("no_replay.frames.mcap");
  ASSERT_EQ(
      Reprise({"export", replay(), "--to", "1", "--output", frames}).exit_code,
      0);
  const std::vector<std::pair<std::string, std::string>> files = {
      {garbage, "not an MCAP file"},
      {headless, "doesn't say what was run"},
      {frames, "not \"reprise\""},
      {"replays", "not a file"}};
  const std::string output = TemporaryPath("no_replay.out");
  for (const auto& [path, sentence] : files) {
    for (std::vector<std::string> words :
         {std::vector<std::string>{"view", path},
          {"export", path, "--format", "gltf"},
          {"export", path, "--format", "csv"},
          {"render", path},
          {"plot", path, "tick"}}) {
      words.insert(words.end(), {"--output", output});
      const CommandResult result = Reprise(words);
      EXPECT_EQ(result.exit_code, 2) << words[0] << path << result.err;
      EXPECT_THAT(result.err, HasSubstr(sentence)) << words[0];
      EXPECT_FALSE(std::filesystem::exists(output)) << words[0];
    }
  }
}

TEST_F(ShowTest, ObjectsAndComponentsMayBeChosen) {
  const auto names = [&](const std::string& choice) {
    std::set<std::string> shown;
    for (const std::string& line :
         Lines(Export(replay(), "jsonl", {"--to", "0", "--objects", choice}))) {
      const Json frame = Json::parse(line);
      for (const Json& object : frame["objects"]) {
        shown.insert(std::string(object["name"]));
      }
    }
    return shown;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(names("player"), Names{"player"});
  EXPECT_EQ(names("player, barrel_*"),
            (Names{"player", "barrel_0", "barrel_1", "barrel_2"}));
  EXPECT_EQ(names("barrel"), (Names{"barrel_0", "barrel_1", "barrel_2"}));
  const CommandResult none =
      Reprise({"export", replay(), "--objects", "nobody", "--output",
               TemporaryPath("nobody.jsonl")});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.err, HasSubstr("no object is called so"));

  std::string html;
  View({replay(), "--objects", "player", "--components", "bodies"}, html);
  const Json run = PageOf(html)["runs"][0];
  ASSERT_EQ(run["objects"].size(), 1u);
  EXPECT_EQ(run["source"]["objects"], Json::array({"player"}));
  ASSERT_FALSE(run["columns"].empty());
  for (const Json& column : run["columns"]) {
    EXPECT_THAT(std::string(column[1]), StartsWith("bodies."));
    EXPECT_EQ(column[0], run["objects"][0]["serial"]);
  }
}

TEST_F(ShowTest, OneFrameIsOneFrame) {
  const std::vector<std::string> flags = {"--to", "0", "--output",
                                          TemporaryPath("one.out")};
  for (const std::string verb : {"export", "view"}) {
    std::vector<std::string> words = {verb, replay()};
    words.insert(words.end(), flags.begin(), flags.end());
    EXPECT_THAT(Reprise(words).err, HasSubstr("1 frame"));
    EXPECT_THAT(Reprise(words).err, Not(HasSubstr("1 frames")));
  }
}

// Marks of their own, which no flood of events takes the place of.
TEST_F(ShowTest, WhatBecomesOfObjectivesIsMarked) {
  std::string html;
  View({"tests/golden/manor.mcap", "--to", "260"}, html);
  const Json page = PageOf(html);
  const Json& run = page["runs"][0];
  ASSERT_FALSE(run["objectives"].empty());
  EXPECT_EQ(run["objectives"][0], Json({248, "objective_complete", "chased"}));
  EXPECT_EQ(run["unmarked_event_count"], 0);
}

TEST_F(ShowTest, ARunThatShowsNothingSaysSo) {
  const std::string pack = TemporaryPath("empty");
  RunCommand({"mkdir", "-p", pack});
  WriteFileBytes(pack + "/pack.txtpb", "name: \"empty\"\n");
  const std::string path = TemporaryPath("empty.mcap");
  ASSERT_EQ(Reprise({"run", pack, "--ticks", "30", "--record", path}).exit_code,
            0);
  const std::string output = TemporaryPath("empty.out");
  for (const std::string format : {"jsonl", "csv", "gltf", "usda", "mcap"}) {
    const CommandResult result =
        Reprise({"export", path, "--format", format, "--output", output});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("there is nothing to see"));
  }
  // Values are something.
  const CommandResult values =
      Reprise({"export", path, "--format", "csv", "--fields", "tick",
               "--output", output});
  EXPECT_EQ(values.exit_code, 0) << values.err;
  EXPECT_THAT(values.err, Not(HasSubstr("nothing to see")));
  const CommandResult plot =
      Reprise({"plot", path, "tick", "--output", TemporaryPath("empty.svg")});
  EXPECT_EQ(plot.exit_code, 0) << plot.err;
  EXPECT_THAT(plot.err, HasSubstr("1 line in"));
  const CommandResult picture =
      Reprise({"render", path, "--to", "0", "--size", "64x36", "--digests"});
  EXPECT_EQ(picture.exit_code, 0) << picture.err;
  EXPECT_THAT(picture.err, AllOf(HasSubstr("there is nothing to see"),
                                 HasSubstr("1 picture")));
  std::string html;
  EXPECT_THAT(View({path}, html), HasSubstr("there is nothing to see"));
  EXPECT_EQ(PageOf(html)["runs"][0]["frame_count"], 31);
}

TEST_F(ShowTest, AForeignGameIsRefusedByName) {
  // Of a simulation that only tests have.
  const std::string path = "replays/golden/format_3.mcap";
  for (std::vector<std::string> words :
       {std::vector<std::string>{"view", path},
        {"export", path, "--format", "jsonl"},
        {"export", path, "--format", "csv"},
        {"export", path, "--format", "gltf"},
        {"export", path, "--format", "usda"},
        {"export", path, "--format", "mcap"}}) {
    words.insert(words.end(), {"--output", TemporaryPath("foreign")});
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_THAT(result.err, HasSubstr("simulation"));
    EXPECT_EQ(ReadFileBytes(TemporaryPath("foreign")), "");
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"render", path, "--digests"},
        std::vector<std::string>{"plot", path, "tick"}}) {
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 3) << words[0] << result.err;
    EXPECT_THAT(result.err, HasSubstr("simulation")) << words[0];
    EXPECT_EQ(result.out, "") << words[0];
  }
}

TEST_F(ShowTest, OfAReplayThatWasCutOffWhatIsThereIsShown) {
  const std::string path = TemporaryPath("cut.mcap");
  const std::string whole = ReadFileBytes(replay());
  WriteFileBytes(path, whole.substr(0, whole.size() * 3 / 4));
  const std::string page = TemporaryPath("cut.html");
  const CommandResult result = Reprise({"view", path, "--output", page});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("cut off"));
  EXPECT_THAT(ReadFileBytes(page), HasSubstr("id=\"chunk-0-0\""));
}

}  // namespace
}  // namespace reprise::tests
