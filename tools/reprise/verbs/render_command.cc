// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verbs/render_command.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/rendering/camera_plan.h"
#include "replays/rendering/camera_rig.h"
#include "replays/rendering/debug_layers.h"
#include "replays/rendering/fitted_picture.h"
#include "replays/rendering/lettering.h"
#include "replays/rendering/picture.h"
#include "replays/rendering/rasterizer.h"
#include "replays/rendering/scene_renderer.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/shown_scene.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/frame.h"
#include "tools/reprise/inputs/shown_replay.h"
#include "tools/reprise/reports/film_file.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {
namespace {

using replays::CameraRig;

// Each takes 8 bytes, so 2 GiB: 8192x8192 with 4 a pixel.
constexpr uint64_t kSamplesMax = uint64_t{1} << 28;

struct Options {
  std::string camera = "auto";
  std::string size = "640x360";
  uint64_t samples = 4;
  bool has_no_shadows = false;
  bool has_label = false;
  bool prints_digests = false;
  std::vector<std::string> layers;
  FrameFlags frames;
  std::string output;
};

// What the flags come to.
struct RenderPlan {
  replays::RenderOptions picture;
  replays::CameraPlan camera;
  std::vector<replays::DebugLayer> layers;
};

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

absl::StatusOr<RenderPlan> MakePlan(const Options& options) {
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
  if (options.output.empty() && !options.prints_digests) {
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

// Draws the frames of a stream, and hands them on.
class Renderer {
 public:
  Renderer(const Options& options, RenderPlan plan,
           replays::FrameStream* stream, Console* console)
      : options_(options),
        plan_(std::move(plan)),
        stream_(*stream),
        console_(*console),
        scene_(stream->meshes(), plan_.picture) {}

  absl::Status Run() {
    absl::StatusOr<CameraRig> rig = CameraRig::Create(
        plan_.camera, stream_.source(),
        static_cast<double>(plan_.picture.width) / plan_.picture.height);
    if (!rig.ok()) return rig.status();
    ProgressBar progress(console_, "rendering", stream_.frame_count());
    for (uint64_t i = 0; i < stream_.frame_count(); ++i) {
      const absl::StatusOr<bool> is_there = stream_.Next();
      if (!is_there.ok()) return is_there.status();
      rig->Follow(stream_);
      if (IsDrawn(stream_.frame().tick)) {
        NoteWhereabouts(*rig);
        absl::Status status = Draw(rig->camera());
        if (!status.ok()) return status;
      }
      progress.Update(i);
    }
    return film_ == nullptr ? absl::OkStatus() : film_->Finish();
  }

  uint64_t picture_count() const { return picture_count_; }
  bool is_drawn_by_simulation() const { return is_drawn_by_simulation_; }

 private:
  // The camera may have to see more than is drawn.
  bool IsDrawn(sim::Tick tick) const {
    const FrameFlags& frames = options_.frames;
    return tick >= frames.first && (tick - frames.first) % frames.every == 0;
  }

  // Says where the camera is while its object isn't, when that changes.
  void NoteWhereabouts(const CameraRig& rig) {
    const CameraRig::Whereabouts now = rig.whereabouts();
    if (now == std::exchange(whereabouts_, now)) return;
    if (now == CameraRig::Whereabouts::kThere) return;
    const sim::Tick tick = stream_.frame().tick;
    console_.Note(
        now == CameraRig::Whereabouts::kNotYet
            ? fmt::format("tick {}: the camera waits for '{}', which isn't "
                          "there yet",
                          tick, plan_.camera.object)
            : fmt::format("tick {}: '{}' is gone; the camera stays where it "
                          "was at tick {}",
                          tick, plan_.camera.object, *rig.last_seen()));
  }

  absl::Status Draw(const replays::Camera& camera) {
    replays::Picture picture = DrawnPicture(camera);
    if (options_.has_label) Label(picture);
    ++picture_count_;
    if (options_.prints_digests) {
      console_.out() << stream_.frame().tick << ' '
                     << sim::FormatDigest(picture.ComputeDigest()) << '\n';
    }
    if (options_.output.empty()) return absl::OkStatus();
    if (film_ == nullptr) {
      absl::StatusOr<std::unique_ptr<FilmFile>> film = Open();
      if (!film.ok()) return film.status();
      film_ = *std::move(film);
    }
    return film_->Add(picture, stream_.frame().tick);
  }

  // The simulation's own, or one of its objects.
  replays::Picture DrawnPicture(const replays::Camera& camera) {
    const std::optional<sim::FramePicture>& drawn = stream_.frame().picture;
    if (drawn.has_value()) {
      is_drawn_by_simulation_ = true;
      return replays::FitPicture(*drawn, plan_.picture.width,
                                 plan_.picture.height);
    }
    const replays::DrawnLayers layers =
        replays::DrawLayers(plan_.layers, stream_);
    return scene_.Draw({.frame = stream_.frame(),
                        .objects = stream_.objects(),
                        .lines = layers.lines,
                        .outlined = layers.outlined},
                       camera);
  }

  // Only when there is a first picture, so that a mistake leaves nothing.
  absl::StatusOr<std::unique_ptr<FilmFile>> Open() const {
    const uint64_t rate = stream_.source().tick_rate.ticks_per_second;
    const uint64_t shared = std::gcd(rate, options_.frames.every);
    return OpenFilmFile({.output = options_.output,
                         .width = plan_.picture.width,
                         .height = plan_.picture.height,
                         .rate_numerator = rate / shared,
                         .rate_denominator = options_.frames.every / shared});
  }

  void Label(replays::Picture& picture) const {
    const replays::ShownFrame& frame = stream_.frame();
    replays::DrawText(
        fmt::format("{}  TICK {}  {}", stream_.source().pack, frame.tick,
                    sim::FormatDigest(frame.state)),
        {.x = 6, .y = 6, .scale = picture.height() < 700 ? 1U : 2U}, picture);
  }

  const Options& options_;
  const RenderPlan plan_;
  replays::FrameStream& stream_;
  Console& console_;
  replays::SceneRenderer scene_;
  std::unique_ptr<FilmFile> film_;
  uint64_t picture_count_ = 0;
  bool is_drawn_by_simulation_ = false;
  CameraRig::Whereabouts whereabouts_ = CameraRig::Whereabouts::kThere;
};

bool IsThere(const replays::FrameStream& stream, std::string_view object) {
  return std::ranges::any_of(
      stream.frame().poses, [&](const replays::ShownPose& pose) {
        return stream.objects()[pose.object].name == object;
      });
}

// Looks for an object up to the last frame of a stream.
absl::StatusOr<bool> Find(const std::string& object,
                          replays::FrameStream& stream) {
  absl::StatusOr<bool> is_next = stream.Next();
  while (is_next.ok() && *is_next) {
    if (IsThere(stream, object)) return true;
    is_next = stream.Next();
  }
  return is_next;
}

// Begins the stream with what the camera has to see: a spring all ticks from 0
// on, and so has one whose object isn't in the first frame: it may have been
// there before. NOT_FOUND: it is never there.
absl::Status StartForCamera(const FrameFlags& frames,
                            const replays::CameraPlan& camera,
                            ShownReplay& shown) {
  FrameFlags all = frames;
  all.first = 0;
  all.every = 1;
  bool sees_all = CameraRig::WantsEveryTick(camera);
  if (!camera.object.empty()) {
    FrameFlags first = frames;
    first.last = first.first;
    absl::Status status = shown.Restart(first);
    if (!status.ok()) return status;
    absl::StatusOr<bool> is_there = Find(camera.object, shown.stream());
    if (is_there.ok() && !*is_there) {
      sees_all = true;
      status = shown.Restart(all);
      if (!status.ok()) return status;
      is_there = Find(camera.object, shown.stream());
    }
    if (!is_there.ok()) return is_there.status();
    if (!*is_there) {
      return absl::NotFoundError(fmt::format(
          "at none of the ticks 0 to {} is there an object '{}' for the camera",
          shown.stream().source().last, camera.object));
    }
  }
  return shown.Restart(sees_all ? all : frames);
}

absl::StatusOr<ExitCode> Render(const Options& options, const std::string& path,
                                Console& console) {
  absl::StatusOr<RenderPlan> plan = MakePlan(options);
  if (!plan.ok()) return plan.status();
  absl::StatusOr<ShownReplay> shown =
      ShownReplay::Open(path, options.frames, {}, console);
  if (!shown.ok()) return shown.status();
  absl::Status status = StartForCamera(options.frames, plan->camera, *shown);
  if (!status.ok()) return status;
  replays::FrameStream& stream = shown->stream();
  Renderer renderer(options, *std::move(plan), &stream, &console);
  status = renderer.Run();
  if (!status.ok()) return status;
  if (stream.objects().empty() && !renderer.is_drawn_by_simulation()) {
    console.Note(options.frames.objects.empty()
                     ? "the simulation shows no objects: there is nothing to "
                       "see"
                     : "no object is called so, or of a type that is: there is "
                       "nothing to see");
  }
  console.Note(
      fmt::format("{} picture{}{}", renderer.picture_count(),
                  renderer.picture_count() == 1 ? "" : "s",
                  options.output.empty() ? "" : " in " + options.output));
  return ExitCode::kOk;
}

std::vector<Flag> MakeFlags(Options& options) {
  std::vector<Flag> flags = {
      {"output", "PATH",
       "Where to: a folder for a PNG file of each picture, or a film (.mp4, "
       ".mkv, .webm, .mov, .gif), which takes ffmpeg.",
       &options.output},
      {"camera", "KIND[:OBJECT][,NAME=VALUE...]",
       "auto (all of the first frame), fixed, look-at, follow, spring (or "
       "chase), orbit, first-person, spline or flat; docs/show.md has what "
       "each takes. auto "
       "if unset.",
       &options.camera},
      {"size", "WIDTHxHEIGHT", "Of a picture, in pixels. 640x360 if unset.",
       &options.size},
      {"samples", "N", "A pixel, against jagged edges: 1, 4 or 16. 4 if unset.",
       &options.samples},
      {"no-shadows", "", "The sun shines through everything.",
       &options.has_no_shadows},
      {"layers", "LAYER,...",
       "What else to draw, as lines: contacts, joints, triggers, regions, "
       "paths, spaces, axes, velocities.",
       &options.layers},
      {"label", "", "Write pack, tick and the state's digest into a corner.",
       &options.has_label},
      {"digests", "", "Print tick and digest of each picture's pixels.",
       &options.prints_digests},
  };
  const std::vector<Flag> frames = options.frames.flags();
  flags.insert(flags.end(), frames.begin(), frames.end());
  flags.push_back(options.frames.objects_flag());
  return flags;
}

}  // namespace

Command MakeRenderCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "render";
  command.summary = "Draws a replay: pictures, or a film";
  command.description =
      "A picture follows from frame, camera and flags alone, and has the same "
      "pixels on every machine: --digests prints them. Nothing is needed: no "
      "window, no graphics card. A film takes as long as the run, whatever "
      "--every leaves out. A plug-in may draw pictures itself, as emulators "
      "do: "
      "they are shown in place of those, whatever the camera. docs/show.md has "
      "more.";
  command.arguments = {"FILE", 1, 1};
  command.flags = MakeFlags(*options);
  command.examples = {
      {"A film from behind the player",
       "reprise render game.mcap --camera follow:player,distance=6 --every 2 "
       "--output film.mp4"},
      {"One picture of tick 300, of all that is there",
       "reprise render game.mcap --from 300 --to 300 --output pictures"},
      {"From above, with contacts, without perspective",
       "reprise render game.mcap --camera flat,axis=y --layers contacts "
       "--output pictures"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Render(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
