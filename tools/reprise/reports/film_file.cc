// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/film_file.h"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "replays/container/partial_file.h"
#include "replays/rendering/png.h"
#include "tools/reprise/reports/output_file.h"

extern char** environ;

namespace reprise::tools {
namespace {

struct FilmFormat {
  std::string_view ending;
  std::string_view name;  // as ffmpeg calls it
};

constexpr std::array<FilmFormat, 5> kFilmFormats = {{{".mp4", "mp4"},
                                                     {".mkv", "matroska"},
                                                     {".webm", "webm"},
                                                     {".mov", "mov"},
                                                     {".gif", "gif"}}};

// That of a film's name; null: it is none.
const FilmFormat* FindFormat(const std::string& output) {
  const auto format = std::ranges::find_if(
      kFilmFormats,
      [&](const FilmFormat& known) { return output.ends_with(known.ending); });
  return format == kFilmFormats.end() ? nullptr : &*format;
}

class PictureFolder final : public FilmFile {
 public:
  PictureFolder(std::filesystem::path folder, std::string stem)
      : folder_(std::move(folder)), stem_(std::move(stem)) {}

  absl::Status Add(const replays::Picture& picture, uint64_t number) override {
    const absl::StatusOr<std::string> bytes = replays::EncodePng(picture);
    if (!bytes.ok()) return bytes.status();
    const std::string path =
        (folder_ / fmt::format("{}_{:07}.png", stem_, number)).string();
    return WriteOutputFile(path, *bytes);
  }

  absl::Status Finish() override { return absl::OkStatus(); }

 private:
  const std::filesystem::path folder_;
  const std::string stem_;
};

// Gives ffmpeg pixels through a socket, which, unlike a pipe, ends with an
// error and not with a signal when ffmpeg does.
class FfmpegFilm final : public FilmFile {
 public:
  FfmpegFilm(pid_t child, int socket, std::string path)
      : child_(child),
        socket_(socket),
        path_(std::move(path)),
        unfinished_(replays::UnfinishedPath(path_)) {}
  ~FfmpegFilm() override {
    (void)End();
    if (is_finished_ || unfinished_ == path_) return;
    std::error_code ignored;  // There is nobody to tell.
    std::filesystem::remove(unfinished_, ignored);
  }

  absl::Status Add(const replays::Picture& picture,
                   uint64_t /*number*/) override {
    const std::vector<uint8_t>& bytes = picture.bytes();
    size_t written = 0;
    while (written < bytes.size()) {
      const ssize_t count = send(socket_, bytes.data() + written,
                                 bytes.size() - written, MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return Failed(End());
      written += static_cast<size_t>(count);
    }
    return absl::OkStatus();
  }

  absl::Status Finish() override {
    const int code = End();
    if (code != 0) return Failed(code);
    if (unfinished_ != path_) {
      std::error_code error;
      std::filesystem::rename(unfinished_, path_, error);
      if (error) {
        return absl::UnavailableError(
            fmt::format("{} can't be written: {}", path_, error.message()));
      }
    }
    is_finished_ = true;
    return absl::OkStatus();
  }

 private:
  // Waits until ffmpeg has ended, and returns its exit code.
  int End() {
    if (child_ == 0) return 0;
    close(socket_);
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  absl::Status Failed(int code) const {
    return absl::UnavailableError(fmt::format(
        "ffmpeg couldn't make {}: it ended with code {}; what it said stands "
        "above",
        path_, code));
  }

  pid_t child_;
  const int socket_;
  const std::string path_;
  const std::string unfinished_;  // what it is called until it is whole
  bool is_finished_ = false;
};

// What ffmpeg is told: raw pixels come in, and are kept as they are as far as
// the film's format goes.
std::vector<std::string> FfmpegArguments(const FilmOptions& options) {
  std::vector<std::string> arguments = {
      "ffmpeg",
      "-loglevel",
      "error",
      "-nostdin",
      "-y",
      "-f",
      "rawvideo",
      "-pixel_format",
      "rgb24",
      "-video_size",
      fmt::format("{}x{}", options.width, options.height),
      "-framerate",
      fmt::format("{}/{}", options.rate_numerator, options.rate_denominator),
      "-i",
      "pipe:0"};
  // What every player shows, and the same film whatever this machine has.
  if (NeedsEvenSize(options.output)) {
    arguments.insert(arguments.end(), {"-pix_fmt", "yuv420p"});
  }
  arguments.insert(arguments.end(),
                   {"-fflags", "+bitexact", "-flags:v", "+bitexact",
                    "-map_metadata", "-1", "-threads", "1"});
  // Its name until it is whole doesn't say what it is.
  const std::filesystem::path path =
      std::filesystem::absolute(replays::UnfinishedPath(options.output));
  arguments.insert(arguments.end(),
                   {"-f", std::string(FindFormat(options.output)->name),
                    "file:" + path.string()});
  return arguments;
}

absl::StatusOr<std::unique_ptr<FilmFile>> StartFfmpeg(
    const FilmOptions& options) {
  std::array<int, 2> ends = {};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return absl::UnavailableError("no socket to give pictures to ffmpeg by");
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  std::vector<std::string> arguments = FfmpegArguments(options);
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, "ffmpeg", &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (error == 0) {
    return std::make_unique<FfmpegFilm>(child, ends[1], options.output);
  }
  close(ends[1]);
  return absl::NotFoundError(fmt::format(
      "{} is a film, which takes ffmpeg (Debian's package ffmpeg), and it "
      "isn't here: {}. Name a folder for a PNG file of each picture",
      options.output, std::generic_category().message(error)));
}

}  // namespace

// Their colours, yuv420p, are of two by two pixels.
bool NeedsEvenSize(const std::string& output) {
  return output.ends_with(".mp4") || output.ends_with(".mov");
}

absl::StatusOr<std::unique_ptr<FilmFile>> OpenFilmFile(
    const FilmOptions& options) {
  if (FindFormat(options.output) != nullptr) return StartFfmpeg(options);
  std::error_code error;
  std::filesystem::create_directories(options.output, error);
  if (error) {
    return absl::UnavailableError(fmt::format("the folder {} can't be made: {}",
                                              options.output, error.message()));
  }
  return std::make_unique<PictureFolder>(options.output, options.stem);
}

}  // namespace reprise::tools
