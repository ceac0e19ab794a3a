// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise pack build`: the archive of a pack.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/container/byte_file.h"
#include "replays/container/partial_file.h"
#include "sim/base/digest.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string output;
  std::string simulation;
  OutputFormat format;
};

// What is in the pack's folder is part of the pack: an archive there would be,
// too, when it is built again.
absl::Status CheckOutput(const Options& options, const std::string& pack) {
  if (options.output.empty()) {
    return absl::InvalidArgumentError("--output says where to");
  }
  std::error_code error;
  if (fs::is_directory(options.output, error)) {
    return absl::InvalidArgumentError(
        fmt::format("--output names a file; {} is a folder", options.output));
  }
  const fs::path output = fs::weakly_canonical(options.output, error);
  if (error) return absl::OkStatus();  // Writing says why.
  const fs::path source = fs::weakly_canonical(
      fs::exists(pack, error) ? fs::path(pack) : fs::path(PacksFolder()) / pack,
      error);
  if (error) return absl::OkStatus();  // Opening it says why.
  if (std::ranges::mismatch(source, output).in1 == source.end()) {
    return absl::InvalidArgumentError(
        fmt::format("--output would be a part of {}, or overwrite it", pack));
  }
  return absl::OkStatus();
}

// The whole file, or none.
absl::Status WriteWhole(const std::string& path, const std::string& contents) {
  const std::string partial = replays::UnfinishedPath(path);
  const auto write = [&]() -> absl::Status {
    const absl::StatusOr<std::unique_ptr<replays::FileSink>> sink =
        replays::FileSink::Create(partial);
    if (!sink.ok()) return sink.status();
    return (*sink)->Append(std::as_bytes(std::span(contents)));
  };
  absl::Status status = write();
  if (partial == path) return status;
  if (status.ok()) {
    status = replays::RenameFile(partial, path,
                                 replays::FileSink::Durability::kProcess);
  }
  std::error_code ignored;
  if (!status.ok()) fs::remove(partial, ignored);
  return status;
}

absl::StatusOr<ExitCode> BuildPack(const Options& options,
                                   const std::string& name, Console& console) {
  if (const absl::Status status = CheckOutput(options, name); !status.ok()) {
    return status;
  }
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(name);
  if (!pack.ok()) return pack.status();
  // Nobody can run a pack with mistakes.
  const absl::Status status =
      CreatePackSimulation(*pack, /*seed=*/0, options.simulation).status();
  if (!status.ok()) return status;
  const std::string archive = pack->Encode();
  if (const absl::Status written = WriteWhole(options.output, archive);
      !written.ok()) {
    return written;
  }
  const std::string digest = sim::FormatDigest(pack->ComputeDigest());
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("pack build");
    document["file"] = options.output;
    document["bytes"] = archive.size();
    document["file_count"] = pack->files().size();
    document["digest"] = digest;
    PrintJson(document, console);
    return ExitCode::kOk;
  }
  fmt::print(console.out(), "{}: {} files, {} bytes, digest {}\n",
             options.output, pack->files().size(), archive.size(), digest);
  return ExitCode::kOk;
}

}  // namespace

Command MakePackBuildCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "pack build";
  command.summary = "Makes one file of a pack, its archive";
  command.description =
      "The archive holds the files of the folder, has the same digest, and "
      "stands for the pack wherever one is named. The same files give the same "
      "bytes. A pack with mistakes is refused, with all of them.";
  command.arguments = {"PACK", 1, 1};
  command.flags = {
      {"output", "FILE", "Where to.", &options->output},
      {"simulation", "NAME",
       "The simulation that is to run it. What the manifest names if unset.",
       &options->simulation},
      options->format.flag(),
  };
  command.examples = {
      {"Make one file of a pack, for `reprise run tower.tar`",
       "reprise pack build my_packs/tower --output tower.tar"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return BuildPack(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
