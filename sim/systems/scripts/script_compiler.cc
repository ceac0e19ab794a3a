// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the scripts of a pack: the files that types name as behaviours, and
// those that they ask for.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/script/script_machine.h"
#include "sim/script/script_program.h"
#include "sim/systems/scripts/script_behaviour.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_hooks.h"
#include "sim/systems/scripts/script_system.h"
#include "sim/systems/scripts/script_words.h"

namespace reprise::sim {
namespace {

class ScriptCompiler final : public SystemCompiler {
 public:
  explicit ScriptCompiler(PackCompilation& compilation)
      : SystemCompiler(compilation) {}

  std::unique_ptr<Behaviour> MakeBehaviour(
      const v1::BehaviourUse& use, const MessageChecker& checker) override {
    if (!AreThere(use, checker)) return nullptr;
    if (!is_loaded_) Load(checker);
    is_loaded_ = true;
    if (machine_ == nullptr) return nullptr;  // reported
    absl::StatusOr<ScriptDeclaration> declaration =
        ReadDeclaration(*machine_, use.file());
    if (!declaration.ok()) {
      checker.Problem("file", std::string(declaration.status().message()));
      return nullptr;
    }
    for (const std::string& event : declaration->events) {
      events().Refer(EventRole::kHears, "file", event, checker);
    }
    for (const ScriptParameterDeclaration& each : declaration->parameters) {
      checker.Name("file", each.name);
      if (!each.text.empty()) words().insert(each.text);
    }
    return std::make_unique<ScriptBehaviour>(
        use.file(), *std::move(declaration), FindHooks(*machine_, use.file()));
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  // Whether the pack has the files of a use; reports those that it lacks.
  bool AreThere(const v1::BehaviourUse& use, const MessageChecker& checker) {
    std::vector<std::string> known;
    for (const auto& [path, contents] : compilation().archive.files()) {
      if (path.ends_with(".lua")) known.push_back(path);
    }
    bool are_there = true;
    const auto check = [&](std::string_view field, const std::string& path) {
      if (compilation().archive.Find(path).has_value()) return;
      checker.NoSuch(field, "script", path, known);
      are_there = false;
    };
    check("file", use.file());
    for (const std::string& path : use.modules()) check("modules", path);
    return are_there;
  }

  // Of all types of the pack: they share one machine.
  std::map<std::string, std::string> Sources() {
    std::map<std::string, std::string> sources;
    const auto add = [&](const std::string& path) {
      const std::optional<std::string_view> source =
          compilation().archive.Find(path);
      if (source.has_value()) sources.emplace(path, *source);
    };
    for (const v1::Type& type : pack().types()) {
      for (const v1::BehaviourUse& use : type.behaviours()) {
        if (use.file().empty()) continue;
        add(use.file());
        for (const std::string& path : use.modules()) add(path);
      }
    }
    return sources;
  }

  // Each line of what is wrong is a problem of its own.
  static void Report(const absl::Status& status,
                     const MessageChecker& checker) {
    std::string_view text(status.message().data(), status.message().size());
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      checker.Problem("file", std::string(line));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
  }

  // Loading shows the mistakes that syntax doesn't, and what scripts say of
  // themselves.
  void Load(const MessageChecker& checker) {
    std::vector<ScriptFile> files;
    for (auto& [path, source] : Sources()) {
      words().insert(path);
      for (std::string& word : WordsOfScript(source)) {
        words().insert(std::move(word));
      }
      files.push_back({.name = path, .source = source});
    }
    absl::StatusOr<std::shared_ptr<const ScriptProgram>> program =
        ScriptProgram::Compile(std::move(files));
    if (!program.ok()) {
      Report(program.status(), checker);
      return;
    }
    absl::StatusOr<std::unique_ptr<ScriptMachine>> machine =
        ScriptMachine::Create(*program, WorldScriptApi());
    if (!machine.ok()) {
      Report(machine.status(), checker);
      return;
    }
    machine_ = *std::move(machine);
    definition_ = std::make_shared<ScriptsDefinition>();
    definition_->program = *std::move(program);
    world().makes_texts = true;
  }

  bool is_loaded_ = false;
  std::unique_ptr<ScriptMachine> machine_;
  std::shared_ptr<ScriptsDefinition> definition_;
};

REPRISE_REGISTER_SYSTEM(scripts, MakeSystemModule<ScriptCompiler>(
                                     ScriptsDefinition::Declaration(), {}));

}  // namespace
}  // namespace reprise::sim
