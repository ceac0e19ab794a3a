// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/pack_location.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/playing/pack_folder.h"
#include "services/storage/pack_catalog.h"
#include "sim/base/nearest_name.h"
#include "sim/compiler/manifest.h"
#include "sim/simulation_registry.h"
#include "tools/reprise/inputs/input_selection.h"
#include "tools/reprise/terminal/used_variables.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDefaultPacksFolder = "sim/packs";

// The packs that ship with this program, where they lie: beside it in a build,
// in share/ beside its folder where it is installed. Empty: nowhere there.
std::string PacksBesideProgram() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return "";
  for (const fs::path& folder :
       {fs::path(program.string() + ".runfiles/reprise/sim/packs"),
        program.parent_path().parent_path() / "share/reprise/packs"}) {
    if (fs::is_directory(folder, error)) return folder.string();
  }
  return "";
}

absl::Status NoSuchPack(const std::string& name, const std::string& folder,
                        const std::vector<std::string>& packs) {
  const std::vector<std::string_view> names(packs.begin(), packs.end());
  return absl::NotFoundError(
      fmt::format("there is no pack '{}', neither here nor in {}{}", name,
                  folder, sim::DidYouMean(name, names)));
}

}  // namespace

std::string PacksFolder() {
  std::string folder = UseVariable(kPacksVariable);
  if (!folder.empty()) return folder;
  std::error_code ignored;  // What can't be looked at isn't there.
  if (!fs::is_directory(kDefaultPacksFolder, ignored)) {
    const std::string beside = PacksBesideProgram();
    if (!beside.empty()) return beside;
  }
  return std::string(kDefaultPacksFolder);
}

absl::StatusOr<sim::PackArchive> OpenPack(const std::string& name) {
  std::error_code ignored;  // What can't be looked at isn't there.
  if (fs::exists(name, ignored)) {
    if (IsReplay(name).value_or(false)) {
      return absl::InvalidArgumentError(fmt::format(
          "{} is a replay and no pack; `reprise run --inputs` plays it", name));
    }
    return replays::ReadPackFolder(name);
  }
  const std::string folder = PacksFolder();
  const absl::StatusOr<services::PackCatalog> catalog =
      services::PackCatalog::Open(folder);
  if (!catalog.ok()) return NoSuchPack(name, folder, {});
  absl::StatusOr<sim::PackArchive> pack = catalog->Load(name);
  if (absl::IsNotFound(pack.status())) {
    return NoSuchPack(name, folder,
                      catalog->Names().value_or(std::vector<std::string>()));
  }
  return pack;
}

std::string PathOfPack(const std::string& name) {
  std::error_code ignored;  // What can't be looked at isn't there.
  if (fs::exists(name, ignored)) return name;
  return (fs::path(PacksFolder()) / name).string();
}

absl::StatusOr<std::optional<sim::PackArchive>> OpenPackIfNamed(
    const std::string& name) {
  if (name.empty()) return std::nullopt;
  absl::StatusOr<sim::PackArchive> pack = OpenPack(name);
  if (!pack.ok()) return pack.status();
  return *std::move(pack);
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> CreatePackSimulation(
    const sim::PackArchive& pack, uint64_t seed,
    const std::string& simulation) {
  if (!simulation.empty()) {
    return sim::CreateSimulation(simulation, pack, seed);
  }
  const absl::StatusOr<std::string> asked = sim::SimulationOf(pack);
  if (!asked.ok()) return asked.status();
  return sim::CreateSimulation(*asked, pack, seed);
}

absl::Status WithPackName(const absl::Status& status, std::string_view name,
                          const sim::PackArchive& pack) {
  if (!absl::IsInvalidArgument(status)) return status;
  const std::string message(status.message());
  std::string_view rest = message;
  std::string named;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const std::string file(line.substr(0, line.find(':')));
    if (pack.Find(file).has_value()) named += fmt::format("{}/", name);
    named += line;
    rest.remove_prefix(line.size());
    if (rest.empty()) break;
    named += '\n';
    rest.remove_prefix(1);
  }
  return absl::Status(status.code(), named);
}

}  // namespace reprise::tools
