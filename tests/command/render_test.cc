// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what people get of `reprise render`, by running the real program: PNG
// files of the ticks that were asked for, digests of their pixels, films by an
// ffmpeg that this test puts in the way, and sentences where there is nothing.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "replays/rendering/picture.h"
#include "replays/rendering/png.h"
#include "replays/rendering/testing_picture.h"
#include "sim/base/digest.h"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RenderTest : public MarbleReplayTest {
 protected:
  static CommandResult Render(std::vector<std::string> flags) {
    std::vector<std::string> words = {"render", replay()};
    words.insert(words.end(), flags.begin(), flags.end());
    return Reprise(words);
  }

  // A folder that isn't there yet.
  static std::string Folder(const std::string& name) {
    std::string folder = TemporaryPath(name);
    std::filesystem::remove_all(folder);
    return folder;
  }
};

TEST_F(RenderTest, EachPictureIsAFileAndHasTheDigestThatIsPrinted) {
  const std::string folder = Folder("pictures");
  const CommandResult result =
      Render({"--every", "100", "--size", "160x90", "--digests", "--label",
              "--camera", "follow:player", "--output", folder});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::set<std::string> digests;
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    const std::string path =
        folder + "/tick_0000" + std::to_string(i) + "00.png";
    const absl::StatusOr<replays::Picture> picture =
        replays::DecodePng(ReadFileBytes(path));
    ASSERT_TRUE(picture.ok()) << path << picture.status();
    EXPECT_EQ(picture->width(), 160u);
    EXPECT_EQ(picture->height(), 90u);
    const std::string digest = sim::FormatDigest(picture->ComputeDigest());
    EXPECT_EQ(lines[i], std::to_string(100 * i) + " " + digest);
    digests.insert(digest);
  }
  EXPECT_EQ(digests.size(), 3u);
}

// The last apple of a frame in JSON; empty: there is none.
std::string AppleIn(const std::string& line) {
  const nlohmann::json frame = nlohmann::json::parse(line);
  std::string apple;
  for (const nlohmann::json& object : frame.at("objects")) {
    const std::string name = object.at("name");
    if (name.starts_with("apple")) apple = name;
  }
  return apple;
}

// A spring has seen each tick, however many are drawn.
TEST_F(RenderTest, ASpringDoesNotDependOnTheStride) {
  const std::vector<std::string> flags = {
      "--size",    "64x36",    "--samples",    "1", "--to", "60",
      "--digests", "--camera", "spring:player"};
  std::vector<std::string> rarely = flags;
  rarely.insert(rarely.end(), {"--every", "20"});
  const std::vector<std::string> all = Lines(Render(flags).out);
  const std::vector<std::string> some = Lines(Render(rarely).out);
  ASSERT_EQ(all.size(), 61u);
  ASSERT_EQ(some.size(), 4u);
  for (size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i], all[20 * i]);
}

// Nor on where pictures begin; and what goes round goes by the run's time.
TEST_F(RenderTest, MovingCamerasDoNotDependOnTheFirstPicture) {
  for (const std::string camera :
       {"spring:player", "chase:player,distance=3", "orbit:player,turn=45"}) {
    const std::vector<std::string> flags = {
        "--size", "64x36",     "--samples", "1",   "--to",
        "60",     "--digests", "--camera",  camera};
    std::vector<std::string> later = flags;
    later.insert(later.end(), {"--from", "25", "--every", "5"});
    const std::vector<std::string> all = Lines(Render(flags).out);
    const std::vector<std::string> some = Lines(Render(later).out);
    ASSERT_EQ(all.size(), 61u);
    ASSERT_EQ(some.size(), 8u);
    for (size_t i = 0; i < some.size(); ++i) {
      EXPECT_EQ(some[i], all[25 + 5 * i]) << camera;
    }
  }
}

// At whole ticks they are the pictures of the ticks, whichever camera; between
// them are others. The times are printed.
TEST_F(RenderTest, PicturesOfARateLieBetweenTicks) {
  for (const std::string camera :
       {"auto", "spring:player", "orbit:player,turn=45"}) {
    const std::vector<std::string> flags = {
        "--size", "64x36", "--samples", "1",        "--from", "25",
        "--to",   "45",    "--digests", "--camera", camera};
    std::vector<std::string> smooth = flags;
    smooth.insert(smooth.end(), {"--rate", "120"});
    const std::vector<std::string> ticks = Lines(Render(flags).out);
    const std::vector<std::string> all = Lines(Render(smooth).out);
    ASSERT_EQ(ticks.size(), 21u);
    ASSERT_EQ(all.size(), 41u);
    size_t others = 0;
    for (size_t i = 0; i < ticks.size(); ++i) {
      EXPECT_EQ(all[2 * i], ticks[i]) << camera;
      if (i == 0) continue;
      const std::string& between = all[2 * i - 1];
      EXPECT_THAT(between, HasSubstr(std::to_string(24 + i) + ".5 "));
      const std::string digest = between.substr(between.find(' '));
      others += all[2 * i].ends_with(digest) || all[2 * i - 2].ends_with(digest)
                    ? 0
                    : 1;
    }
    EXPECT_GT(others, 0u) << camera;
  }
}

TEST_F(RenderTest, AFilmOfARateHasItsPicturesNumbered) {
  const std::string folder = Folder("numbered");
  const CommandResult result =
      Render({"--to", "2", "--rate", "90", "--size", "64x36", "--samples", "1",
              "--output", folder});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("4 pictures"));
  for (const char* const name :
       {"picture_0000000.png", "picture_0000003.png"}) {
    EXPECT_TRUE(replays::DecodePng(ReadFileBytes(folder + "/" + name)).ok());
  }
}

// The player, in the middle of what a camera looks at, where the run has it.
TEST_F(RenderTest, APixelSaysWhatItShows) {
  const std::vector<std::string> flags = {
      "--every", "120",    "--camera", "look-at:player,eye=0/30/0",
      "--pick",  "320,180"};
  const CommandResult result = Render(flags);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 3u);
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_THAT(lines[i], HasSubstr(std::to_string(120 * i) + " player "));
  }
  const CommandResult sky = Render(
      {"--to", "0", "--camera", "fixed,eye=0/30/0,at=0/90/1", "--pick", "9,9"});
  EXPECT_EQ(sky.out, "0\n");
}

// An apple of the plug-in's comes during the run, and is gone when it is caught
// or lost.
TEST_F(RenderTest, CamerasWaitForWhatComesAndStayWhereItWas) {
  const std::string game = TemporaryPath("orchard.mcap");
  std::filesystem::remove(game);
  const std::vector<std::string> plugin = {"--plugin",
                                           "tests/command/libcatch.so"};
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), plugin.begin(), plugin.end());
    CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  };
  run({"run", "docs/examples/plugin/orchard", "--ticks", "400", "--expect",
       "tick == 400", "--record", game});
  const std::string object = AppleIn(
      run({"export", game, "--from", "100", "--to", "100", "--format", "jsonl"})
          .out);
  ASSERT_FALSE(object.empty());
  const std::vector<std::string> flags = {
      "render", game,      "--camera",  "follow:" + object,
      "--size", "64x36",   "--digests", "--samples",
      "1",      "--every", "20"};
  const CommandResult all = run(flags);
  EXPECT_THAT(all.err,
              HasSubstr("tick 0: the camera waits for '" + object + "'"));
  EXPECT_THAT(all.err, HasSubstr("'" + object +
                                 "' is gone; the camera stays where it was at "
                                 "tick "));
  std::vector<std::string> end = flags;
  end.insert(end.end(), {"--from", "380"});
  const CommandResult late = run(end);
  EXPECT_THAT(late.err, HasSubstr("tick 380: '" + object + "' is gone"));
  EXPECT_EQ(Lines(late.out).front(), Lines(all.out)[19]);
}

// Of tick 0, which follows from the pack alone.
void ExpectLayers(const std::string& pack, const std::string& layers,
                  const std::string& golden) {
  const std::string recording = TemporaryPath(pack + ".mcap");
  const std::string folder = TemporaryPath(pack + "_layers");
  std::filesystem::remove_all(folder);
  ASSERT_EQ(
      Reprise({"run", pack, "--ticks", "1", "--record", recording}).exit_code,
      0);
  const CommandResult result =
      Reprise({"render", recording, "--to", "0", "--layers", layers, "--output",
               folder});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const absl::StatusOr<replays::Picture> picture =
      replays::DecodePng(ReadFileBytes(folder + "/tick_0000000.png"));
  ASSERT_TRUE(picture.ok()) << picture.status();
  replays::ExpectGoldenPicture("tests/command/golden/" + golden, *picture);
}

TEST_F(RenderTest, JointsLookAsTheyDid) {
  ExpectLayers("workshop", "joints", "workshop_joints.png");
}

TEST_F(RenderTest, TriggersAndRegionsLookAsTheyDid) {
  ExpectLayers("manor", "triggers,regions", "manor_regions.png");
}

// Layers add lines, where there is something to show. Velocities of what is
// slow lie within it, so that they are looked for from behind and at many
// ticks.
TEST_F(RenderTest, LayersAreSeen) {
  const auto draw = [](const std::string& camera, const std::string& layer) {
    std::vector<std::string> flags = {
        "--every", "30", "--size", "320x180", "--digests", "--camera", camera};
    if (!layer.empty()) flags.insert(flags.end(), {"--layers", layer});
    const CommandResult result = Render(flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::string plain = draw("auto", "");
  for (const char* const layer : {"contacts", "joints", "triggers", "axes"}) {
    EXPECT_NE(draw("auto", layer), plain) << layer;
  }
  EXPECT_EQ(draw("auto", "regions"), plain) << "there are none";
  const std::string behind = "follow:player,distance=2,height=1";
  EXPECT_NE(draw(behind, "velocities"), draw(behind, ""));
}

TEST_F(RenderTest, PathsAndSpacesAreSeen) {
  const std::string recording = TemporaryPath("guard.mcap");
  ASSERT_EQ(Reprise({"run", "guard", "--ticks", "60", "--record", recording})
                .exit_code,
            0);
  const auto draw = [&](std::vector<std::string> layers) {
    std::vector<std::string> words = {"render", recording, "--from",   "60",
                                      "--size", "320x180", "--digests"};
    words.insert(words.end(), layers.begin(), layers.end());
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::string plain = draw({});
  EXPECT_NE(draw({"--layers", "paths"}), plain);
  EXPECT_NE(draw({"--layers", "spaces"}), plain);
  EXPECT_NE(draw({"--layers", "spaces"}), draw({"--layers", "paths,spaces"}));
}

// Renders with a script in `folder` in the place of ffmpeg, which finds the
// file that it is to write in $film.
CommandResult RenderWithFfmpeg(const std::string& replay,
                               const std::string& folder,
                               const std::string& script) {
  std::filesystem::create_directories(folder);
  const std::string program = folder + "/ffmpeg";
  std::ofstream(program) << "#!/bin/sh\nfor last; do film=${last#file:}; done\n"
                         << script;
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (folder + ":" + path).c_str(), 1);
  CommandResult result =
      Reprise({"render", replay, "--every", "40", "--size", "64x36",
               "--samples", "1", "--output", folder + "/film.mp4"});
  setenv("PATH", path.c_str(), 1);
  return result;
}

// The stand-in keeps what it was given and how it was called.
TEST_F(RenderTest, AFilmIsGivenToFfmpegPixelByPixel) {
  const std::string folder = Folder("bin");
  const CommandResult result = RenderWithFfmpeg(
      replay(), folder,
      fmt::format("echo \"$@\" >{0}/arguments\ncat >{0}/pixels\n"
                  "echo whole >\"$film\"\n",
                  folder));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(ReadFileBytes(folder + "/film.mp4"), "whole\n");
  EXPECT_FALSE(std::filesystem::exists(folder + "/film.mp4.partial"));
  const std::string arguments = ReadFileBytes(folder + "/arguments");
  EXPECT_THAT(arguments, HasSubstr("-video_size 64x36"));
  // Of 60 ticks a second every 40th: the film takes as long as the run.
  EXPECT_THAT(arguments, HasSubstr("-framerate 3/2"));
  EXPECT_EQ(ReadFileBytes(folder + "/pixels").size(), 7u * 64 * 36 * 3);
}

// As on a full disk: what was there stays, and half a film doesn't.
TEST_F(RenderTest, AFilmThatFailsLeavesTheOneThatWasThere) {
  const std::string folder = Folder("failing");
  std::filesystem::create_directories(folder);
  WriteFileBytes(folder + "/film.mp4", "before");
  const CommandResult result = RenderWithFfmpeg(
      replay(), folder,
      "head -c 100 >\"$film\"\necho no space left >&2\nexit 7\n");
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("no space left"),
                    HasSubstr("ffmpeg couldn't make " + folder + "/film.mp4"),
                    HasSubstr("code 7")));
  EXPECT_EQ(ReadFileBytes(folder + "/film.mp4"), "before");
  EXPECT_FALSE(std::filesystem::exists(folder + "/film.mp4.partial"));
}

TEST_F(RenderTest, WithoutFfmpegThereIsASentence) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const CommandResult result =
      Render({"--size", "64x36", "--output", "film.mp4"});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("ffmpeg"));
  EXPECT_THAT(result.err, HasSubstr("Name a folder"));
}

TEST_F(RenderTest, MistakesAreNamed) {
  const std::string folder = Folder("none");
  const auto error = [&](std::vector<std::string> flags) {
    flags.insert(flags.end(), {"--output", folder});
    const CommandResult result = Render(flags);
    EXPECT_NE(result.exit_code, 0);
    return result.err;
  };
  EXPECT_THAT(error({"--camera", "follow:nobody"}), HasSubstr("'nobody'"));
  EXPECT_THAT(error({"--camera", "spring:player,stiffness=3000"}),
              HasSubstr("stiffness"));
  EXPECT_THAT(error({"--size", "9x9"}), HasSubstr("16 to 8192"));
  EXPECT_THAT(error({"--pick", "640,0"}), HasSubstr("a picture of 640x360"));
  EXPECT_THAT(error({"--pick", "1"}), HasSubstr("--pick is X,Y"));
  EXPECT_THAT(error({"--samples", "5"}), HasSubstr("1, 4 or 16"));
  EXPECT_THAT(error({"--layers", "dreams"}), HasSubstr("'dreams'"));
  EXPECT_THAT(error({"--size", "8192x8192", "--samples", "16"}),
              HasSubstr("at most 268435456"));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

// In a wall, at its own target, or under the ground: there is a picture.
TEST_F(RenderTest, CamerasWhereNobodyCanStandMakePictures) {
  for (const std::string camera :
       {"first-person:player,height=0", "fixed,eye=0/0/0,at=0/0/0",
        "follow:player,distance=0.01,height=0", "fixed,eye=0/-50/0,at=0/0/0",
        "look-at:player,eye=1e5/1e5/1e5", "flat,axis=y,height=0.001"}) {
    const CommandResult result =
        Render({"--to", "0", "--size", "64x36", "--samples", "1", "--digests",
                "--layers", "contacts,axes", "--camera", camera});
    EXPECT_EQ(result.exit_code, 0) << camera << result.err;
    EXPECT_EQ(Lines(result.out).size(), 1u) << camera;
  }
}

// The sentence, and no picture that is half of one.
TEST_F(RenderTest, WhatCannotBeWrittenIsNoPicture) {
  const std::string folder = Folder("unwritable");
  // A folder stands where the second picture would.
  std::filesystem::create_directories(folder + "/tick_0000030.png/in_use");
  const CommandResult result = Render({"--every", "30", "--size", "64x36",
                                       "--samples", "1", "--output", folder});
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_THAT(result.err, HasSubstr("tick_0000030.png can't be written"));
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, 1u);
  EXPECT_TRUE(
      replays::DecodePng(ReadFileBytes(folder + "/tick_0000000.png")).ok());
}

// Before ffmpeg is even looked for.
TEST_F(RenderTest, FilmsOfOddSizesAreRefusedWhereTheyCantBe) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const std::string odd = "takes an even width and height";
  for (const char* const size : {"65x36", "64x37"}) {
    for (const char* const film : {"film.mp4", "film.mov"}) {
      const CommandResult result =
          Render({"--size", size, "--samples", "1", "--output", film});
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_THAT(result.err, HasSubstr(odd));
    }
  }
  EXPECT_THAT(Render({"--size", "65x37", "--output", "film.gif"}).err,
              HasSubstr("ffmpeg"));
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace reprise::tests
