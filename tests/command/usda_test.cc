// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Parses what `reprise export --format usda` writes, prim by prim, and proves
// that who samples it as USD says sees the run: every object where it is and
// turned as it is, within the error that the file states, visible when it is
// there and at no other tick; and solids and meshes of the run's own sizes and
// triangles.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using Json = nlohmann::json;

struct Prim {
  std::string type;
  std::string name;
  std::map<std::string, std::string> values;  // as they are written
  std::map<std::string, std::map<double, std::string>> samples;
  std::vector<Prim> children;
};

// Reads a layer line by line: each holds one token of the grammar, as those
// that a person reads do. What isn't understood fails the test.
class UsdaParser {
 public:
  explicit UsdaParser(const std::string& layer) : lines_(layer) {}

  // The root: its values are those of the layer.
  Prim Parse() {
    EXPECT_EQ(Next(), "#usda 1.0");
    Prim root;
    EXPECT_EQ(Next(), "(");
    ReadValues(")", root);
    for (std::string line = Next(); !line.empty(); line = Next()) {
      root.children.push_back(ReadPrim(line));
    }
    return root;
  }

 private:
  // The next line that isn't empty; empty at the end.
  std::string Next() {
    for (std::string line; std::getline(lines_, line);) {
      const size_t begin = line.find_first_not_of(' ');
      if (begin != std::string::npos) return line.substr(begin);
    }
    return "";
  }

  // `def TYPE "NAME"`, then `(` and metadata, then `{` and what is within.
  Prim ReadPrim(const std::string& line) {
    Prim prim;
    std::istringstream words(line);
    std::string def;
    std::string open;
    words >> def >> prim.type >> prim.name >> open;
    EXPECT_EQ(def, "def") << line;
    prim.name = prim.name.substr(1, prim.name.size() - 2);
    if (open == "(") ReadValues(")", prim);
    EXPECT_EQ(Next(), "{") << line;
    ReadValues("}", prim);
    return prim;
  }

  void ReadValues(const std::string& end, Prim& prim) {
    for (std::string line = Next(); line != end; line = Next()) {
      if (line.empty()) {
        ADD_FAILURE() << "no " << end;
        return;
      }
      if (line.starts_with("def ")) {
        prim.children.push_back(ReadPrim(line));
        continue;
      }
      const size_t equals = line.find(" = ");
      if (equals == std::string::npos) {
        ADD_FAILURE() << line;
        return;
      }
      const std::string front = line.substr(0, equals);
      const std::string name = front.substr(front.rfind(' ') + 1);
      const std::string value = line.substr(equals + 3);
      if (value != "{") {
        prim.values[name] = value;
      } else if (name.ends_with(".timeSamples")) {
        ReadSamples(prim.samples[name.substr(0, name.rfind('.'))]);
      } else {
        ReadValues("}", prim);
      }
    }
  }

  // TIME: VALUE, ascending.
  void ReadSamples(std::map<double, std::string>& samples) {
    for (std::string line = Next(); line != "}"; line = Next()) {
      const size_t colon = line.find(": ");
      ASSERT_NE(colon, std::string::npos) << line;
      ASSERT_TRUE(line.ends_with(',')) << line;
      const double time = std::stod(line.substr(0, colon));
      EXPECT_TRUE(samples.empty() || samples.rbegin()->first < time) << line;
      samples[time] = line.substr(colon + 2, line.size() - colon - 3);
    }
  }

  std::istringstream lines_;
};

// The numbers of "(1, 2, 3)" or "[(1, 2), (3, 4)]".
std::vector<double> Numbers(std::string text) {
  for (char& c : text) {
    if (c == '(' || c == ')' || c == '[' || c == ']' || c == ',') c = ' ';
  }
  std::istringstream words(text);
  std::vector<double> numbers;
  for (double number = 0; words >> number;) numbers.push_back(number);
  EXPECT_TRUE(words.eof()) << text;
  return numbers;
}

// Between two samples numbers go straight; rotations by the shortest arc.
std::vector<double> Between(std::vector<double> a, const std::vector<double>& b,
                            double part, bool is_rotation) {
  double near = 1 - part;
  double far = part;
  if (is_rotation) {
    double dot = 0;
    for (size_t i = 0; i < 4; ++i) dot += a[i] * b[i];
    if (dot < 0) {
      for (double& number : a) number = -number;
    }
    const double angle = std::acos(std::min(std::abs(dot), 1.0));
    if (angle > 1e-9) {
      near = std::sin((1 - part) * angle) / std::sin(angle);
      far = std::sin(part * angle) / std::sin(angle);
    }
  }
  for (size_t i = 0; i < a.size(); ++i) a[i] = near * a[i] + far * b[i];
  return a;
}

std::vector<double> At(const Prim& prim, const std::string& attribute,
                       double time) {
  const auto found = prim.samples.find(attribute);
  if (found == prim.samples.end()) return Numbers(prim.values.at(attribute));
  const std::map<double, std::string>& samples = found->second;
  const auto after = samples.lower_bound(time);
  if (after == samples.end()) return Numbers(samples.rbegin()->second);
  if (after == samples.begin() || after->first == time) {
    return Numbers(after->second);
  }
  const auto before = std::prev(after);
  const double part = (time - before->first) / (after->first - before->first);
  return Between(Numbers(before->second), Numbers(after->second), part,
                 attribute == "xformOp:orient");
}

// A token holds until the next sample.
bool IsVisible(const Prim& prim, double time) {
  const auto found = prim.samples.find("visibility");
  if (found == prim.samples.end()) return true;
  const auto after = found->second.upper_bound(time);
  EXPECT_NE(after, found->second.begin());
  return std::prev(after)->second == "\"inherited\"";
}

struct Export {
  Prim layer;
  std::vector<Json> frames;
};

// A pack's run, once as USD and once as lines of JSON.
Export ExportBoth(const std::string& pack, const std::string& ticks) {
  const std::string replay = TemporaryPath(pack + "_usd.mcap");
  EXPECT_EQ(
      Reprise({"run", pack, "--ticks", ticks, "--record", replay}).exit_code,
      0);
  const std::string layer = TemporaryPath(pack + ".usda");
  const std::string lines = TemporaryPath(pack + ".jsonl");
  EXPECT_EQ(Reprise({"export", replay, "--format", "usda", "--output", layer})
                .exit_code,
            0);
  EXPECT_EQ(Reprise({"export", replay, "--output", lines}).exit_code, 0);
  Export made = {.layer = UsdaParser(ReadFileBytes(layer)).Parse(),
                 .frames = {}};
  for (const std::string& line : Lines(ReadFileBytes(lines))) {
    made.frames.push_back(Json::parse(line));
  }
  return made;
}

std::vector<double> PositionOf(const Json& object) {
  const Json& at = object["position"];
  return {at["x"], at["y"], at["z"]};
}

// The angle between a prim's rotation and an object's.
double AngleTo(const std::vector<double>& wxyz, const Json& object) {
  const Json& turn = object["rotation"];
  const double dot =
      wxyz[0] * turn["w"].get<double>() + wxyz[1] * turn["x"].get<double>() +
      wxyz[2] * turn["y"].get<double>() + wxyz[3] * turn["z"].get<double>();
  return 2 * std::acos(std::min(std::abs(dot), 1.0));
}

class UsdaTest : public testing::TestWithParam<const char*> {};

TEST_P(UsdaTest, SamplesShowEveryPoseAndPresenceOfTheRun) {
  const Export made = ExportBoth(GetParam(), "180");
  ASSERT_EQ(made.layer.children.size(), 1u);
  const Prim& run = made.layer.children[0];
  EXPECT_EQ(run.name, "run");
  EXPECT_EQ(made.layer.values.at("upAxis"), "\"Y\"");
  EXPECT_EQ(made.layer.values.at("metersPerUnit"), "1");
  EXPECT_EQ(made.layer.values.at("endTimeCode"), "180");
  const double error = std::stod(made.layer.values.at("position_error_m"));
  const double turn = std::stod(made.layer.values.at("rotation_error_rad"));
  size_t poses = 0;
  size_t hidden = 0;
  for (size_t tick = 0; tick < made.frames.size(); ++tick) {
    const auto time = static_cast<double>(tick);
    std::map<std::string, const Json*> there;
    for (const Json& object : made.frames[tick]["objects"]) {
      there[object["object"]] = &object;
    }
    std::map<std::string, int> shown;
    for (const Prim& prim : run.children) {
      const std::string& serial = prim.values.at("object");
      if (!IsVisible(prim, time)) {
        ++hidden;
        continue;
      }
      ++shown[serial];
      ASSERT_TRUE(there.contains(serial)) << prim.name << " at " << tick;
      const Json& object = *there[serial];
      EXPECT_EQ(Json::parse(prim.values.at("name")), object["name"]);
      const std::vector<double> at = At(prim, "xformOp:translate", time);
      const std::vector<double> wanted = PositionOf(object);
      EXPECT_LE(
          std::hypot(at[0] - wanted[0], at[1] - wanted[1], at[2] - wanted[2]),
          error + 1e-9)
          << prim.name << " at " << tick;
      // An arc cosine near 1 tells angles apart by 1e-8.
      EXPECT_LE(AngleTo(At(prim, "xformOp:orient", time), object), turn + 1e-7)
          << prim.name << " at " << tick;
      ++poses;
    }
    // Each once, however often it has changed its look.
    EXPECT_EQ(shown.size(), there.size()) << tick;
    for (const auto& [serial, count] : shown) EXPECT_EQ(count, 1) << serial;
  }
  EXPECT_GT(poses, 1000u);
  if (GetParam() == std::string("nursery")) {
    EXPECT_GT(hidden, 0u);
  }
}

// Objects come and go; joints turn; hulls and surfaces.
INSTANTIATE_TEST_SUITE_P(Packs, UsdaTest,
                         testing::Values("nursery", "workshop", "terrain"),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

// A solid of JSON as USD's own, with its sizes.
void ExpectSolid(const Prim& prim, const Json& shape, const Json& meshes) {
  const std::string kind = shape["kind"];
  const Json& size = shape["size"];
  const auto value = [&](const std::string& name) {
    return Numbers(prim.values.at(name));
  };
  using Values = std::vector<double>;
  if (kind == "KIND_SPHERE") {
    EXPECT_EQ(prim.type, "Sphere");
    EXPECT_EQ(value("radius"), Values{size["x"]});
  } else if (kind == "KIND_BOX") {
    EXPECT_EQ(prim.type, "Cube");
    EXPECT_EQ(value("size"), Values{2});
    EXPECT_EQ(value("xformOp:scale"),
              (Values{size["x"], size["y"], size["z"]}));
  } else if (kind == "KIND_CAPSULE" || kind == "KIND_CYLINDER" ||
             kind == "KIND_CONE") {
    EXPECT_EQ(prim.type, kind == "KIND_CAPSULE"    ? "Capsule"
                         : kind == "KIND_CYLINDER" ? "Cylinder"
                                                   : "Cone");
    EXPECT_EQ(value("radius"), Values{size["x"]});
    EXPECT_EQ(value("height"), Values{2 * size["y"].get<double>()});
    EXPECT_EQ(prim.values.at("axis"), "\"Y\"");
  } else if (kind == "KIND_HULL" || kind == "KIND_MESH") {
    const Json& mesh = meshes[shape["mesh"].get<size_t>()];
    EXPECT_EQ(prim.type, "Mesh");
    EXPECT_EQ(value("points"), mesh["vertices"].get<Values>());
    EXPECT_EQ(value("faceVertexIndices"), mesh["triangles"].get<Values>());
    EXPECT_EQ(value("faceVertexCounts"),
              Values(mesh["triangles"].size() / 3, 3.0));
  }
}

TEST(UsdaShapesTest, SolidsAndMeshesAreThoseOfTheRun) {
  const Export made = ExportBoth("terrain", "1");
  const Json& frame = made.frames[0];
  size_t shapes = 0;
  size_t meshes = 0;
  for (const Json& object : frame["objects"]) {
    const auto prim = std::ranges::find_if(
        made.layer.children[0].children, [&](const Prim& one) {
          return one.values.at("object") == object["object"];
        });
    ASSERT_NE(prim, made.layer.children[0].children.end());
    ASSERT_EQ(prim->children.size(), object["shapes"].size());
    for (size_t i = 0; i < prim->children.size(); ++i, ++shapes) {
      SCOPED_TRACE(prim->name + " " + prim->children[i].name);
      ExpectSolid(prim->children[i], object["shapes"][i], frame["meshes"]);
      meshes += prim->children[i].type == "Mesh" ? 1 : 0;
    }
  }
  EXPECT_GT(shapes, 10u);
  EXPECT_GE(meshes, 2u);
}

}  // namespace
}  // namespace reprise::tests
