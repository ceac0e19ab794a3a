// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/scenarios/scenario_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "replays/container/byte_file.h"
#include "sim/base/nearest_name.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/pack_location.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::TextFormat;

constexpr std::string_view kTestsFolder = "tests";
constexpr std::string_view kFileEnd = ".txtpb";

// A file that a person wrote has kilobytes.
constexpr uint64_t kFileBytesMax = uint64_t{4} << 20;
constexpr int kNestingMax = 32;
constexpr int kScenariosMax = 1000;
constexpr int kObjectsMax = 1000;
constexpr int kInputsMax = 10000;
// Hours of play at the default rate.
constexpr uint64_t kTicksMax = 1000000;

// What the parser says; of a field that there isn't what was meant and what
// there is, as of packs.
std::string Explain(const std::string& complaint) {
  const size_t type = complaint.find("Message type \"");
  const size_t field = complaint.find("has no field named \"");
  if (type == std::string::npos || field == std::string::npos) return complaint;
  const auto quoted = [&complaint](size_t from) {
    const size_t begin = complaint.find('"', from) + 1;
    return complaint.substr(begin, complaint.find('"', begin) - begin);
  };
  const Descriptor* const message =
      google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(
          quoted(type));
  if (message == nullptr) return complaint;
  std::vector<std::string> names;
  for (int i = 0; i < message->field_count(); ++i) {
    names.emplace_back(message->field(i)->name());
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  return fmt::format("{} has no field '{}'{}", std::string(message->name()),
                     quoted(field), sim::Suggestion(quoted(field), views));
}

// Keeps the first error; the ones after it are often its consequences.
class FirstError final : public google::protobuf::io::ErrorCollector {
 public:
  explicit FirstError(std::string_view path) : path_(path) {}

  void AddError(int line, int column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = fmt::format("{}:{}:{}: {}", path_, line + 1, column + 1,
                        Explain(message));
  }

  const std::string& text() const { return text_; }

 private:
  const std::string_view path_;
  std::string text_;
};

bool IsName(std::string_view name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && name.size() <= 64 && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
         });
}

// What of an expectation can be told wrong without the game.
absl::Status CheckExpectation(const Scenario& scenario, int index) {
  const v1::ScenarioExpectation& expected = scenario.message.expect(index);
  const auto refuse = [&](std::string_view field, std::string_view reason) {
    return scenario.Error({{"expect", index}, {field}}, reason);
  };
  if (expected.what_case() == v1::ScenarioExpectation::WHAT_NOT_SET) {
    return scenario.Error({{"expect", index}},
                          "says nothing: that, always, eventually, event or "
                          "no_event");
  }
  if (expected.has_that()) {
    if (expected.has_from()) return refuse("from", "not of `that`: see `at`");
    if (expected.has_to()) return refuse("to", "not of `that`: see `at`");
  } else if (expected.has_at()) {
    return refuse("at", "only of `that`; see `from` and `to`");
  }
  const uint64_t end = scenario.message.ticks();
  for (const auto& [field, tick] :
       {std::pair("at", expected.at()), std::pair("from", expected.from()),
        std::pair("to", expected.to())}) {
    if (end > 0 && tick > end) {
      return refuse(
          field, fmt::format("tick {} is beyond the end, tick {}", tick, end));
    }
  }
  if (expected.has_to() && expected.to() < expected.from()) {
    return refuse("to", fmt::format("tick {} is before `from`, tick {}",
                                    expected.to(), expected.from()));
  }
  return absl::OkStatus();
}

absl::Status CheckInput(const Scenario& scenario, int index) {
  const v1::ScenarioInput& input = scenario.message.inputs(index);
  const uint64_t end = scenario.message.ticks();
  if (input.what_case() == v1::ScenarioInput::WHAT_NOT_SET) {
    return scenario.Error({{"inputs", index}},
                          "does nothing: hold, press, axis, command or device");
  }
  if (input.tick() >= end) {
    return scenario.Error(
        {{"inputs", index}, {"tick"}},
        fmt::format("tick {} is beyond the last one that is played, tick {}",
                    input.tick(), end - 1));
  }
  if (input.ticks() > 0 && !input.has_hold() && !input.has_axis()) {
    return scenario.Error({{"inputs", index}, {"ticks"}},
                          "only of `hold` and `axis`");
  }
  if (!(input.value() >= -1 && input.value() <= 1)) {
    return scenario.Error({{"inputs", index}, {"value"}},
                          "an axis is at -1 to 1");
  }
  return absl::OkStatus();
}

absl::Status CheckScenario(const Scenario& scenario) {
  const v1::Scenario& message = scenario.message;
  if (!IsName(message.name())) {
    return scenario.Error({{"name"}},
                          "a name is 1 to 64 of a-z, 0-9 and _, starting with "
                          "a letter");
  }
  if (message.ticks() > kTicksMax) {
    return scenario.Error({{"ticks"}},
                          fmt::format("at most {} are played", kTicksMax));
  }
  if (message.ticks() == 0 && message.recording().empty()) {
    return scenario.Error({{"ticks"}}, "says how many ticks are played");
  }
  if (!message.recording().empty() && message.inputs_size() > 0) {
    return scenario.Error({{"recording"}}, "not with `inputs`");
  }
  if (message.objects_size() > kObjectsMax) {
    return scenario.Error({{"objects", kObjectsMax}}, "too many objects");
  }
  if (message.inputs_size() > kInputsMax) {
    return scenario.Error({{"inputs", kInputsMax}}, "too many inputs");
  }
  if (message.expect_size() == 0 && message.outcome().empty()) {
    return scenario.Error({}, "expects nothing: expect or outcome");
  }
  if (!message.outcome().empty() && message.outcome() != "won" &&
      message.outcome() != "lost" && message.outcome() != "running") {
    const std::vector<std::string_view> names = {"won", "lost", "running"};
    return scenario.Error({{"outcome"}},
                          sim::ThereIsNo("outcome", message.outcome(), names));
  }
  for (int i = 0; i < message.inputs_size(); ++i) {
    absl::Status status = CheckInput(scenario, i);
    if (!status.ok()) return status;
  }
  for (int i = 0; i < message.expect_size(); ++i) {
    absl::Status status = CheckExpectation(scenario, i);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Each name once, over all files of a pack.
absl::Status CheckNames(const std::vector<Scenario>& scenarios) {
  std::map<std::string, const Scenario*> seen;
  for (const Scenario& scenario : scenarios) {
    const auto [first, is_new] =
        seen.emplace(scenario.message.name(), &scenario);
    if (!is_new) {
      return scenario.Error({{"name"}},
                            fmt::format("the scenario at {} has this name",
                                        first->second->PlaceOf({})));
    }
  }
  return absl::OkStatus();
}

// The files of the pack at `path`, in order of their names.
absl::StatusOr<ScenarioPack> FilesOf(const fs::path& path) {
  ScenarioPack pack{.path = path.string(), .files = {}};
  std::error_code error;
  const fs::path folder = path / kTestsFolder;
  if (!fs::exists(folder, error)) return pack;
  for (fs::directory_iterator entry(folder, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(kFileEnd) && !name.starts_with('.')) {
      pack.files.push_back(entry->path().string());
    }
  }
  if (error) return absl::ErrnoToStatus(error.value(), folder.string());
  std::ranges::sort(pack.files);
  return pack;
}

bool IsPack(const fs::path& path) {
  std::error_code ignored;  // What can't be looked at is none.
  return fs::exists(path / sim::kPackManifestPath, ignored);
}

}  // namespace

std::string Scenario::PlaceOf(const std::vector<FieldStep>& field) const {
  std::vector<FieldStep> steps = {{"scenarios", index}};
  steps.insert(steps.end(), field.begin(), field.end());
  const TextFormat::ParseInfoTree* tree = places.get();
  const Descriptor* type = v1::Scenarios::descriptor();
  TextFormat::ParseLocation place(0, 0);
  for (const FieldStep& step : steps) {
    if (tree == nullptr || type == nullptr) break;
    const FieldDescriptor* const found =
        type->FindFieldByName(std::string(step.field));
    if (found == nullptr) break;
    const TextFormat::ParseLocation here = tree->GetLocation(found, step.index);
    if (here.line < 0) break;
    place = here;
    type = found->message_type();
    tree =
        type == nullptr ? nullptr : tree->GetTreeForNested(found, step.index);
  }
  return fmt::format("{}:{}:{}", path, place.line + 1, place.column + 1);
}

absl::Status Scenario::Error(const std::vector<FieldStep>& field,
                             std::string_view reason) const {
  std::string name;
  for (const FieldStep& step : field) {
    name += fmt::format("{}{}", name.empty() ? "" : ".", step.field);
    if (step.index >= 0) name += fmt::format("[{}]", step.index);
  }
  return absl::InvalidArgumentError(
      fmt::format("{}: scenario '{}'{}{}: {}", PlaceOf(field), message.name(),
                  name.empty() ? "" : ", ", name, reason));
}

absl::StatusOr<std::vector<ScenarioPack>> FindScenarios(
    const std::string& name) {
  const fs::path path = PathOfPack(name);
  std::error_code error;
  if (fs::is_regular_file(path, error) && name.ends_with(kFileEnd)) {
    const fs::path pack = fs::absolute(path).parent_path().parent_path();
    if (!IsPack(pack)) {
      return absl::NotFoundError(
          fmt::format("{}: scenarios lie in the folder {} of a pack",
                      path.string(), kTestsFolder));
    }
    fs::path shown = path.parent_path().parent_path();
    if (!IsPack(shown)) shown = pack;
    return std::vector<ScenarioPack>{
        {.path = shown.string(), .files = {path.string()}}};
  }
  std::vector<ScenarioPack> packs;
  if (IsPack(path)) {
    absl::StatusOr<ScenarioPack> pack = FilesOf(path);
    if (!pack.ok()) return pack.status();
    packs.push_back(*std::move(pack));
    return packs;
  }
  if (!fs::is_directory(path, error)) {
    // Whoever opens it says what is wrong.
    const absl::StatusOr<sim::PackArchive> pack = OpenPack(name);
    if (!pack.ok()) return pack.status();
    return absl::InvalidArgumentError(fmt::format(
        "{} is packed, and has no tests: they stand beside the pack", name));
  }
  std::vector<fs::path> folders;
  for (fs::directory_iterator entry(path, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (IsPack(entry->path())) folders.push_back(entry->path());
  }
  if (error) return absl::ErrnoToStatus(error.value(), path.string());
  if (folders.empty()) {
    return absl::NotFoundError(
        fmt::format("{}: neither a pack nor a folder of packs", path.string()));
  }
  std::ranges::sort(folders);
  for (const fs::path& folder : folders) {
    absl::StatusOr<ScenarioPack> pack = FilesOf(folder);
    if (!pack.ok()) return pack.status();
    if (!pack->files.empty()) packs.push_back(*std::move(pack));
  }
  return packs;
}

absl::StatusOr<std::vector<Scenario>> ParseScenarios(std::string_view text,
                                                     const std::string& path) {
  FirstError error(path);
  const auto places = std::make_shared<TextFormat::ParseInfoTree>();
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.WriteLocationsTo(places.get());
  parser.SetRecursionLimit(kNestingMax);
  v1::Scenarios message;
  if (!parser.ParseFromString(std::string(text), &message)) {
    return absl::InvalidArgumentError(error.text());
  }
  if (message.scenarios_size() > kScenariosMax) {
    return absl::InvalidArgumentError(
        fmt::format("{}: more than {} scenarios", path, kScenariosMax));
  }
  std::vector<Scenario> scenarios;
  for (int i = 0; i < message.scenarios_size(); ++i) {
    scenarios.push_back({.message = message.scenarios(i),
                         .path = path,
                         .index = i,
                         .places = places});
    absl::Status status = CheckScenario(scenarios.back());
    if (!status.ok()) return status;
  }
  absl::Status status = CheckNames(scenarios);
  if (!status.ok()) return status;
  return scenarios;
}

absl::StatusOr<std::vector<Scenario>> ReadScenarios(const ScenarioPack& pack) {
  std::vector<Scenario> all;
  for (const std::string& path : pack.files) {
    const auto source = replays::FileSource::Open(path);
    if (!source.ok()) return source.status();
    if ((*source)->size() > kFileBytesMax) {
      return absl::InvalidArgumentError(
          fmt::format("{}: more than {} bytes", path, kFileBytesMax));
    }
    std::string text((*source)->size(), '\0');
    absl::Status status =
        (*source)->ReadAt(0, std::as_writable_bytes(std::span(text)));
    if (!status.ok()) return status;
    absl::StatusOr<std::vector<Scenario>> scenarios =
        ParseScenarios(text, path);
    if (!scenarios.ok()) return scenarios.status();
    std::ranges::move(*scenarios, std::back_inserter(all));
  }
  absl::Status status = CheckNames(all);
  if (!status.ok()) return status;
  return all;
}

}  // namespace reprise::tools
