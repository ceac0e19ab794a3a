// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verbs/render_plan.h"

#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/rendering/picture.h"
#include "replays/rendering/rasterizer.h"
#include "tools/reprise/reports/film_file.h"

namespace reprise::tools {
namespace {

// Each takes 8 bytes, so 2 GiB: 8192x8192 with 4 a pixel.
constexpr uint64_t kSamplesMax = uint64_t{1} << 28;

absl::Status ParseSize(std::string_view text, replays::RenderOptions& options) {
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, options.width);
  if (width.ec == std::errc() && width.ptr != end && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, end, options.height);
    const auto is_size = [](uint32_t pixels) {
      return pixels >= 16 && pixels <= replays::Picture::kSizeMax;
    };
    if (height.ec == std::errc() && height.ptr == end &&
        is_size(options.width) && is_size(options.height)) {
      return absl::OkStatus();
    }
  }
  return absl::InvalidArgumentError(
      fmt::format("--size is WIDTHxHEIGHT in pixels from 16 to {}, not '{}'",
                  replays::Picture::kSizeMax, text));
}

absl::StatusOr<Pixel> ParsePick(std::string_view text,
                                const replays::RenderOptions& picture) {
  Pixel pixel;
  const char* const end = text.data() + text.size();
  const auto x = std::from_chars(text.data(), end, pixel.x);
  if (x.ec == std::errc() && x.ptr != end && *x.ptr == ',') {
    const auto y = std::from_chars(x.ptr + 1, end, pixel.y);
    if (y.ec == std::errc() && y.ptr == end && pixel.x < picture.width &&
        pixel.y < picture.height) {
      return pixel;
    }
  }
  return absl::InvalidArgumentError(fmt::format(
      "--pick is X,Y, a pixel of a picture of {}x{} from its upper left "
      "corner, not '{}'",
      picture.width, picture.height, text));
}

// What size and samples come to, and whether the film can have that size.
absl::Status CheckPicture(const replays::RenderOptions& picture,
                          const std::string& output) {
  const uint64_t samples =
      uint64_t{picture.width} * picture.height * picture.samples;
  if (samples > kSamplesMax) {
    return absl::InvalidArgumentError(
        fmt::format("--size and --samples come to {} samples a picture, and at "
                    "most {} are drawn",
                    samples, kSamplesMax));
  }
  if (NeedsEvenSize(output) &&
      (picture.width % 2 != 0 || picture.height % 2 != 0)) {
    return absl::InvalidArgumentError(fmt::format(
        "--size is {}x{}, and a film of {} takes an even width and height",
        picture.width, picture.height, output));
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<Flag> RenderFlags::flags() {
  std::vector<Flag> made = {
      {"output", "PATH",
       "Where to: a folder for a PNG file of each picture, or a film (.mp4, "
       ".mkv, .webm, .mov, .gif), which takes ffmpeg.",
       &output},
      {"camera", "KIND[:OBJECT][,NAME=VALUE...]",
       "auto (all of the first frame), fixed, look-at, follow, spring (or "
       "chase), orbit, first-person, spline or flat; docs/show.md has what "
       "each takes. auto "
       "if unset.",
       &camera},
      {"size", "WIDTHxHEIGHT", "Of a picture, in pixels. 640x360 if unset.",
       &size},
      {"samples", "N", "A pixel, against jagged edges: 1, 4 or 16. 4 if unset.",
       &samples},
      {"no-shadows", "", "The sun shines through everything.", &has_no_shadows},
      {"layers", "LAYER,...",
       "What else to draw, as lines: contacts, joints, triggers, regions, "
       "paths, spaces, axes, velocities.",
       &layers},
      {"label", "", "Write pack, tick and the state's digest into a corner.",
       &has_label},
      {"digests", "", "Print tick and digest of each picture's pixels.",
       &prints_digests},
      {"pick", "X,Y",
       "Print what a pixel shows, from the upper left corner: tick, object and "
       "the point in the world, in metres.",
       &pick},
  };
  const std::vector<Flag> of_frames = frames.flags();
  made.insert(made.end(), of_frames.begin(), of_frames.end());
  made.push_back(frames.rate_flag());
  made.push_back(frames.objects_flag());
  return made;
}

absl::StatusOr<RenderPlan> MakeRenderPlan(const RenderFlags& options) {
  RenderPlan plan;
  absl::Status status = ParseSize(options.size, plan.picture);
  if (!status.ok()) return status;
  if (options.samples > 16 || !replays::Rasterizer::IsSampleCount(
                                  static_cast<uint32_t>(options.samples))) {
    return absl::InvalidArgumentError("--samples takes 1, 4 or 16");
  }
  plan.picture.samples = static_cast<uint32_t>(options.samples);
  status = CheckPicture(plan.picture, options.output);
  if (!status.ok()) return status;
  plan.picture.has_shadows = !options.has_no_shadows;
  status = options.frames.Check();
  if (!status.ok()) return status;
  const absl::StatusOr<std::optional<replays::FrameRate>> rate =
      options.frames.ParseRate();
  if (!rate.ok()) return rate.status();
  plan.rate = *rate;
  if (options.pick.has_value()) {
    const absl::StatusOr<Pixel> pick = ParsePick(*options.pick, plan.picture);
    if (!pick.ok()) return pick.status();
    plan.pick = *pick;
  }
  if (options.output.empty() && !options.prints_digests && !plan.pick) {
    return absl::InvalidArgumentError(
        "--output is missing: a folder, or a film's name such as film.mp4");
  }
  absl::StatusOr<replays::CameraPlan> camera =
      replays::ParseCameraPlan(options.camera);
  if (!camera.ok()) return camera.status();
  plan.camera = *std::move(camera);
  absl::StatusOr<std::vector<replays::DebugLayer>> layers =
      replays::ParseDebugLayers(options.layers);
  if (!layers.ok()) return layers.status();
  plan.layers = *std::move(layers);
  return plan;
}

}  // namespace reprise::tools
