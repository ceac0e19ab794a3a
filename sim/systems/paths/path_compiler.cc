// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the paths of a pack, and checks that followers have one of them.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/point_checker.h"
#include "sim/compiler/checking/setting_name.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/paths/path_follower.h"
#include "sim/systems/paths/path_system.h"
#include "sim/systems/paths/paths.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

class PathCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompilePack() override {
    DeclaredNames names("paths", words());
    for (int i = 0; i < pack().paths_size(); ++i) {
      const v1::Path& path = pack().paths(i);
      definition_->definitions.push_back(
          CompilePath(path, checker().In(path, "paths", i), names));
    }
    // A total order: names are unique in a pack that is accepted.
    std::ranges::stable_sort(definition_->definitions, {},
                             &PathDefinition::name);
    for (const TypeDefinition& type : world().types) {
      has_followers_ |=
          std::ranges::find(type.behaviours, kFollowPath,
                            &BehaviourUse::name) != type.behaviours.end();
    }
  }

  void CompileObjects() override {
    std::set<std::string> paths;
    for (const v1::Path& path : pack().paths()) paths.insert(path.name());
    CheckFollowers(pack().types(), "types", paths);
    CheckFollowers(pack().archetypes(), "archetypes", paths);
    CheckFollowers(pack().objects(), "objects", paths);
    WarnOfBodies();
  }

  void Finish() override {
    const absl::Status status =
        ValidatePaths(definition_->definitions, world().names);
    if (!status.ok()) {
      checker().Problem("paths", std::string(status.message()));
      return;
    }
    definition_->paths = std::vector<Path>(definition_->definitions.begin(),
                                           definition_->definitions.end());
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    const bool is_used = has_followers_ || !definition_->definitions.empty();
    return is_used ? definition_ : nullptr;
  }

 private:
  static PathDefinition CompilePath(const v1::Path& path,
                                    const MessageChecker& place,
                                    DeclaredNames& names) {
    PathDefinition compiled{.name = names.Declare("name", path.name(), place),
                            .points = {},
                            .is_closed = path.closed()};
    for (const v1::Vector3& point : path.points()) {
      compiled.points.push_back({point.x(), point.y(), point.z()});
    }
    if (!CheckPoints("points", path.points(), kPathCoordinateMaxM, place)) {
      return compiled;
    }
    NameTable own_name;
    own_name.Add(path.name()).IgnoreError();  // reported as a bad name
    const absl::Status status =
        ValidatePaths(std::span(&compiled, 1), own_name);
    if (!status.ok()) place.Problem("points", std::string(status.message()));
    return compiled;
  }

  // Followers whose body isn't the game's to move stay where they are. Of types
  // that inherit both the behaviour and the body, their bases tell.
  void WarnOfBodies() const {
    for (int i = 0; i < pack().types_size(); ++i) {
      const v1::Type& message = pack().types(i);
      const std::optional<uint32_t> index =
          world().FindType(IdOf(message.name()));
      if (!index.has_value()) continue;
      const TypeDefinition& type = world().types[*index];
      const bool follows =
          std::ranges::find(type.behaviours, kFollowPath,
                            &BehaviourUse::name) != type.behaviours.end();
      if (!follows || !type.body_kind.has_value()) continue;
      const Motion motion = world().physics.kinds[*type.body_kind].motion;
      if (motion == Motion::kKinematic) continue;
      const std::string why = fmt::format(
          "'{}' moves objects without a body or with a kinematic one; {}",
          kFollowPath,
          motion == Motion::kDynamic
              ? "physics moves this one, as its body is dynamic"
              : "this one stays where it is, as its body is fixed or a "
                "trigger");
      const MessageChecker place = checker().In(message, "types", i);
      const auto use = std::ranges::find(message.behaviours(), kFollowPath,
                                         &v1::BehaviourUse::behaviour);
      if (use != message.behaviours().end()) {
        place
            .In(*use, "behaviours",
                static_cast<int>(use - message.behaviours().begin()))
            .Warning("behaviour", why);
      } else if (message.has_body()) {
        place.Warning("body", why);
      }
    }
  }

  // Reports followers whose path isn't one of `paths`.
  template <typename Messages>
  void CheckFollowers(const Messages& messages, std::string_view field,
                      const std::set<std::string>& paths) const {
    for (int i = 0; i < messages.size(); ++i) {
      const MessageChecker place = checker().In(messages[i], field, i);
      for (int k = 0; k < messages[i].components_size(); ++k) {
        const v1::ComponentUse& use = messages[i].components(k);
        if (use.component() != kPathFollower) continue;
        CheckFollower(use, place.In(use, "components", k), paths);
      }
    }
  }

  static void CheckFollower(const v1::ComponentUse& use,
                            const MessageChecker& place,
                            const std::set<std::string>& paths) {
    for (int i = 0; i < use.set_size(); ++i) {
      const v1::PropertySetting& setting = use.set(i);
      if (setting.property() != kFollowedPath ||
          paths.contains(setting.value().text())) {
        continue;
      }
      const MessageChecker wrong = place.In(setting, "set", i);
      const std::string& path = setting.value().text();
      wrong.Problem(
          "value", fmt::format("{}there is no path '{}'{}",
                               SettingName(kPathFollower, setting, wrong), path,
                               wrong.SuggestionFor(path, "path")));
    }
  }

  std::shared_ptr<PathsDefinition> definition_ =
      std::make_shared<PathsDefinition>();
  bool has_followers_ = false;
};

REPRISE_REGISTER_SYSTEM(
    paths, MakeSystemModule<PathCompiler>(PathsDefinition::Declaration(),
                                          {"Pack.paths"}));

}  // namespace
}  // namespace reprise::sim
