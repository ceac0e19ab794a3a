// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise pack build`: the archive of a pack, and what is baked into it.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/container/byte_file.h"
#include "replays/container/partial_file.h"
#include "sim/base/digest.h"
#include "sim/pack_archive.h"
#include "tools/reprise/baking/pack_baker.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string output;
  bool bake = false;
  std::string simulation;
  OutputFormat format;
};

// What is in the pack's folder is part of the pack: an archive there would be,
// too, when it is built again.
absl::Status CheckOutput(const Options& options, const std::string& pack) {
  if (options.output.empty()) {
    if (options.bake) return absl::OkStatus();
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

// Writes what is made of a pack's level into its folder.
absl::StatusOr<std::vector<BakedFile>> BakeIntoFolder(const std::string& name) {
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(name);
  if (!pack.ok()) return pack.status();
  const fs::path folder = PathOfPack(name);
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return absl::InvalidArgumentError(
        fmt::format("--bake writes into the pack's folder, and {} is a file; "
                    "bake before an archive is made",
                    folder.string()));
  }
  absl::StatusOr<std::vector<BakedFile>> files = BakePack(*pack);
  if (!files.ok()) return files.status();
  for (const BakedFile& file : *files) {
    if (!file.is_changed) continue;
    const fs::path path = folder / file.path;
    fs::create_directories(path.parent_path(), error);
    if (error) {
      return absl::UnavailableError(
          fmt::format("{}: {}", path.parent_path().string(), error.message()));
    }
    if (const absl::Status status = WriteWhole(path.string(), file.contents);
        !status.ok()) {
      return status;
    }
  }
  return files;
}

Json BakedToJson(const std::vector<BakedFile>& files) {
  Json baked = Json::array();
  for (const BakedFile& file : files) {
    baked.push_back({{"file", file.path},
                     {"bytes", file.contents.size()},
                     {"polygon_count", file.polygon_count},
                     {"is_changed", file.is_changed}});
  }
  return baked;
}

void PrintBaked(const std::string& name, const std::vector<BakedFile>& files,
                Console& console) {
  if (files.empty()) {
    console.Note(fmt::format("{} has nothing that is baked", name));
  }
  for (const BakedFile& file : files) {
    fmt::print(console.out(), "{}/{}: {} polygons, {} bytes{}\n", name,
               file.path, file.polygon_count, file.contents.size(),
               file.is_changed ? "" : ", as before");
  }
}

absl::StatusOr<ExitCode> BuildPack(const Options& options,
                                   const std::string& name, Console& console) {
  if (const absl::Status status = CheckOutput(options, name); !status.ok()) {
    return status;
  }
  std::vector<BakedFile> baked;
  if (options.bake) {
    absl::StatusOr<std::vector<BakedFile>> files = BakeIntoFolder(name);
    if (!files.ok()) return files.status();
    baked = *std::move(files);
  }
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(name);
  if (!pack.ok()) return pack.status();
  // Nobody can run a pack with mistakes.
  const absl::Status status =
      CreatePackSimulation(*pack, /*seed=*/0, options.simulation).status();
  if (!status.ok()) return status;
  if (!options.format.is_json()) {
    if (options.bake) PrintBaked(name, baked, console);
    if (options.output.empty()) return ExitCode::kOk;
  } else if (options.output.empty()) {
    Json document = MakeJsonDocument("pack build");
    document["baked"] = BakedToJson(baked);
    PrintJson(document, console);
    return ExitCode::kOk;
  }
  const std::string archive = pack->Encode();
  if (const absl::Status written = WriteWhole(options.output, archive);
      !written.ok()) {
    // As with every other file that is written.
    return absl::UnavailableError(written.message());
  }
  const std::string digest = sim::FormatDigest(pack->ComputeDigest());
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("pack build");
    document["file"] = options.output;
    document["bytes"] = archive.size();
    document["file_count"] = pack->files().size();
    document["digest"] = digest;
    if (options.bake) document["baked"] = BakedToJson(baked);
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
  command.summary = "Makes one file of a pack, its archive, or bakes it";
  command.description =
      "The archive holds the files of the folder, has the same digest, and "
      "stands for the pack wherever one is named. The same files give the same "
      "bytes. A pack with mistakes is refused, with all of them. With --bake "
      "the pack's navigation meshes are made of its level first, and written "
      "into its folder; without --output nothing else is made.";
  command.arguments = {"PACK", 1, 1};
  command.flags = {
      {"output", "FILE", "Where to.", &options->output},
      {"bake", "", "Makes what the pack keeps of its level in files.",
       &options->bake},
      {"simulation", "NAME",
       "The simulation that is to run it. What the manifest names if unset.",
       &options->simulation},
      options->format.flag(),
  };
  command.examples = {
      {"Make one file of a pack, for `reprise run tower.tar`",
       "reprise pack build my_packs/tower --output tower.tar"},
      {"Make its navigation meshes anew, after walls were moved",
       "reprise pack build my_packs/tower --bake"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return BuildPack(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
