// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verbs/render_command.h"

#include <algorithm>
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
#include "replays/rendering/camera_moves.h"
#include "replays/rendering/camera_plan.h"
#include "replays/rendering/camera_rig.h"
#include "replays/rendering/debug_layers.h"
#include "replays/rendering/fitted_picture.h"
#include "replays/rendering/lettering.h"
#include "replays/rendering/picture.h"
#include "replays/rendering/projection.h"
#include "replays/rendering/scene_picking.h"
#include "replays/rendering/scene_renderer.h"
#include "replays/showing/frame_rate.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/shown_scene.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/frame.h"
#include "tools/reprise/inputs/shown_replay.h"
#include "tools/reprise/reports/film_file.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/verbs/render_plan.h"

namespace reprise::tools {
namespace {

using replays::CameraRig;

// Draws the frames of a stream, and hands them on.
class Renderer {
 public:
  Renderer(const RenderFlags& options, RenderPlan plan,
           replays::FrameStream* stream, Console* console)
      : options_(options),
        plan_(std::move(plan)),
        stream_(*stream),
        console_(*console),
        schedule_(MakeSchedule(options.frames, plan_, stream->source())),
        scene_(stream->meshes(), plan_.picture),
        picker_(stream->meshes()) {}

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
        absl::Status status = DrawFrame(rig->camera());
        if (!status.ok()) return status;
      }
      progress.Update(i);
    }
    return film_ == nullptr ? absl::OkStatus() : film_->Finish();
  }

  uint64_t picture_count() const { return picture_count_; }
  bool is_drawn_by_simulation() const { return is_drawn_by_simulation_; }

 private:
  // A frame at --every, and the camera at it.
  struct Shot {
    replays::ShownFrame frame;
    replays::Camera camera;
  };

  static std::optional<replays::FrameSchedule> MakeSchedule(
      const FrameFlags& frames, const RenderPlan& plan,
      const replays::ShownSource& source) {
    if (!plan.rate.has_value()) return std::nullopt;
    return std::optional<replays::FrameSchedule>(
        std::in_place, *plan.rate, source.tick_rate, frames.every,
        (source.last - frames.first) / frames.every);
  }

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

  // Draws the frame that the stream is at, and what lies between it and the
  // last one, where there is a rate; then only what that says.
  absl::Status DrawFrame(const replays::Camera& camera) {
    if (!schedule_) return Draw(stream_.frame(), camera);
    Shot now = {stream_.frame(), camera};
    for (; next_ < schedule_->frame_count(); ++next_) {
      const auto [frame, part] = schedule_->PlaceOf(next_);
      absl::Status status;
      if (frame == shot_count_ && part == 0) {
        status = Draw(now.frame, now.camera);
      } else if (frame + 1 == shot_count_) {
        status = DrawBetween(now, part);
      } else {
        break;
      }
      if (!status.ok()) return status;
    }
    before_ = std::move(now);
    ++shot_count_;
    return absl::OkStatus();
  }

  absl::Status DrawBetween(const Shot& now, double part) {
    // All but poses and the camera is of the tick to come, as in an export.
    Shot between = {now.frame, {}};
    between.frame.poses = before_.frame.poses;
    replays::MoveTowards(now.frame.poses, part, between.frame.poses);
    between.frame.ticks_before =
        (1 - part) * static_cast<double>(options_.frames.every);
    between.camera = replays::Interpolate(before_.camera, now.camera, part);
    return Draw(between.frame, between.camera);
  }

  absl::Status Draw(const replays::ShownFrame& frame,
                    const replays::Camera& camera) {
    const replays::DrawnLayers layers =
        replays::DrawLayers(plan_.layers, stream_);
    const replays::DrawnFrame drawn = {.frame = frame,
                                       .objects = stream_.objects(),
                                       .lines = layers.lines,
                                       .outlined = layers.outlined};
    if (plan_.pick) PrintPicked(drawn, camera);
    if (options_.output.empty() && !options_.prints_digests) {
      ++picture_count_;
      return absl::OkStatus();
    }
    absl::StatusOr<replays::Picture> picture = MakePicture(drawn, camera);
    if (!picture.ok()) return picture.status();
    if (options_.has_label) Label(*picture);
    const uint64_t number = schedule_ ? picture_count_ : frame.tick;
    ++picture_count_;
    if (options_.prints_digests) {
      console_.out() << fmt::format(
          "{} {}\n", frame.time_ticks(),
          sim::FormatDigest(picture->ComputeDigest()));
    }
    if (options_.output.empty()) return absl::OkStatus();
    if (film_ == nullptr) {
      absl::StatusOr<std::unique_ptr<FilmFile>> film = Open();
      if (!film.ok()) return film.status();
      film_ = *std::move(film);
    }
    return film_->Add(*picture, number);
  }

  // The middle of the pixel; a tick alone where nothing is.
  void PrintPicked(const replays::DrawnFrame& drawn,
                   const replays::Camera& camera) {
    const replays::Projection projection(camera, plan_.picture.width,
                                         plan_.picture.height);
    const std::optional<replays::PickedPoint> picked = picker_.Pick(
        drawn, projection, plan_.pick->x + 0.5, plan_.pick->y + 0.5);
    console_.out() << fmt::format("{}", drawn.frame.time_ticks());
    if (picked) {
      const auto& [x, y, z] = picked->point;
      console_.out() << fmt::format(" {} {:.4f} {:.4f} {:.4f}",
                                    stream_.objects()[picked->object].name, x,
                                    y, z);
    }
    console_.out() << '\n';
  }

  // The simulation's own, or one of its objects.
  absl::StatusOr<replays::Picture> MakePicture(const replays::DrawnFrame& drawn,
                                               const replays::Camera& camera) {
    const auto own = stream_.simulation().ProducePicture();
    if (!own.ok()) {
      return absl::Status(own.status().code(),
                          fmt::format("tick {}: {}", drawn.frame.tick,
                                      std::string(own.status().message())));
    }
    if (!own->has_value()) return scene_.Draw(drawn, camera);
    is_drawn_by_simulation_ = true;
    return replays::FitPicture(**own, plan_.picture.width,
                               plan_.picture.height);
  }

  // Only when there is a first picture, so that a mistake leaves nothing.
  absl::StatusOr<std::unique_ptr<FilmFile>> Open() const {
    uint64_t pictures = stream_.source().tick_rate.ticks_per_second;
    uint64_t seconds = options_.frames.every;
    if (plan_.rate.has_value()) {
      pictures = plan_.rate->frames;
      seconds = plan_.rate->seconds;
    }
    const uint64_t shared = std::gcd(pictures, seconds);
    return OpenFilmFile({.output = options_.output,
                         .stem = schedule_ ? "picture" : "tick",
                         .width = plan_.picture.width,
                         .height = plan_.picture.height,
                         .rate_numerator = pictures / shared,
                         .rate_denominator = seconds / shared});
  }

  void Label(replays::Picture& picture) const {
    const replays::ShownFrame& frame = stream_.frame();
    replays::DrawText(
        fmt::format("{}  TICK {}  {}", stream_.source().pack, frame.tick,
                    sim::FormatDigest(frame.state)),
        {.x = 6, .y = 6, .scale = picture.height() < 700 ? 1U : 2U}, picture);
  }

  const RenderFlags& options_;
  const RenderPlan plan_;
  replays::FrameStream& stream_;
  Console& console_;
  const std::optional<replays::FrameSchedule> schedule_;  // of the rate
  replays::SceneRenderer scene_;
  replays::ScenePicker picker_;
  std::unique_ptr<FilmFile> film_;
  uint64_t next_ = 0;        // place of the schedule
  uint64_t shot_count_ = 0;  // frames at --every so far
  Shot before_;              // the last of them
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

absl::StatusOr<ExitCode> Render(const RenderFlags& options,
                                const std::string& path, Console& console) {
  absl::StatusOr<RenderPlan> plan = MakeRenderPlan(options);
  if (!plan.ok()) return plan.status();
  absl::StatusOr<ShownReplay> shown =
      ShownReplay::Open(path, options.frames, {}, console);
  if (!shown.ok()) return shown.status();
  // A camera goes by ticks, and pictures of a rate lie between what it sees.
  FrameFlags frames = options.frames;
  frames.rate.reset();
  absl::Status status = StartForCamera(frames, plan->camera, *shown);
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

}  // namespace

Command MakeRenderCommand() {
  const auto options = std::make_shared<RenderFlags>();
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
  command.flags = options->flags();
  command.examples = {
      {"A film from behind the player",
       "reprise render game.mcap --camera follow:player,distance=6 --every 2 "
       "--output film.mp4"},
      {"Slow motion: four pictures a tick of 60 Hz, without a jerk",
       "reprise render game.mcap --from 300 --to 420 --rate 240 --output "
       "pictures"},
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
