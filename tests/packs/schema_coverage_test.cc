// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the battery goes through all that a pack can say: every field of
// the manifest's messages, and every value of their enums, is in some pack that
// ships, or has a reason here why it isn't; and so is each component and
// behaviour that the program has built in. What is added is so added to a pack,
// too, and rolled back, perturbed, and compared by goldens and the matrix.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "gtest/gtest.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/compiler/reading/manifest_text.h"
#include "sim/game_description.h"
#include "sim/pack_archive.h"
#include "sim/world/world_description.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

using Names = std::set<std::string>;

// "Body.mass_kg", "Body.Motion.MOTION_FIXED".
template <typename Named>
std::string NameOf(const Named& descriptor) {
  constexpr std::string_view kPackage = "reprise.v1.";
  const std::string& name = descriptor.full_name();
  return name.starts_with(kPackage) ? name.substr(kPackage.size()) : name;
}

// Values of enums stand beside their enum in protobuf, not below it.
std::string NameOfValue(const EnumValueDescriptor& value) {
  return NameOf(*value.type()) + "." + value.name();
}

bool IsOwn(const Descriptor& message) {
  return message.file()->package() == "reprise.v1";
}

// All that can be said in `message` and in what it holds. The first value of an
// enum stands for nothing said, and nobody sees whether it was. One key is as
// good as another.
void AddAll(const Descriptor& message, Names& seen_messages, Names& names) {
  if (!IsOwn(message) || !seen_messages.insert(message.full_name()).second) {
    return;
  }
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    names.insert(NameOf(field));
    if (field.message_type() != nullptr) {
      AddAll(*field.message_type(), seen_messages, names);
    }
    const EnumDescriptor* const type = field.enum_type();
    if (type == nullptr || type == v1::Key_descriptor()) continue;
    for (int k = 0; k < type->value_count(); ++k) {
      if (type->value(k)->number() != 0) {
        names.insert(NameOfValue(*type->value(k)));
      }
    }
  }
}

// What is said in `message` and in what it holds.
void AddSaid(const Message& message, Names& names) {
  if (!IsOwn(*message.GetDescriptor())) return;
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* const field : fields) {
    names.insert(NameOf(*field));
    const bool is_message =
        field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    const bool is_enum = field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM;
    const int count =
        field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      if (is_message) {
        AddSaid(field->is_repeated()
                    ? reflection.GetRepeatedMessage(message, field, i)
                    : reflection.GetMessage(message, field),
                names);
      }
      if (is_enum) {
        names.insert(NameOfValue(*(
            field->is_repeated() ? reflection.GetRepeatedEnum(message, field, i)
                                 : reflection.GetEnum(message, field))));
      }
    }
  }
}

// What a pack says, as its files have it and as it is compiled.
void AddSaidByPack(const std::string& name, Names& names) {
  const PackArchive archive = BatteryPack(name);
  PackReport report;
  const auto manifest = ParseManifest(archive, report);
  ASSERT_TRUE(report.ok()) << report.ToStatus();
  AddSaid(manifest->pack, names);
  for (const auto& [path, contents] : archive.files()) {
    if (!path.ends_with(".txtpb")) continue;
    ManifestFile file{.path = path};
    v1::Pack as_written;
    ASSERT_TRUE(ParseManifestText(contents, UnknownFields::kRefuse, file,
                                  as_written, report))
        << name << "/" << path;
    AddSaid(as_written, names);
  }
}

// What no pack that ships says, and why.
const std::map<std::string, std::string>& Exceptions() {
  static const std::map<std::string, std::string> exceptions = {
      {"GameClock.paused",
       "a game that stands still shows nothing; lookout_test has one"},
      {"Pack.systems",
       "of systems of a program, as regatta's; those that ship have none"},
      {"Pack.simulation",
       "the battery is of the built-in one, which goes without saying"},
      {"Type.systems",
       "of systems of a program, as regatta's; those that ship have none"},
  };
  return exceptions;
}

// What packs that ship say.
void AddSaidByThoseThatShip(Names& names) {
  for (const char* const pack : kBatteryPacks) {
    if (!Ships(pack)) continue;
    ASSERT_NO_FATAL_FAILURE(AddSaidByPack(pack, names));
  }
}

TEST(SchemaCoverageTest, EverythingThatAPackCanSayIsSaidByOneThatShips) {
  Names all;
  Names seen_messages;
  AddAll(*v1::Pack::descriptor(), seen_messages, all);
  Names said;
  ASSERT_NO_FATAL_FAILURE(AddSaidByThoseThatShip(said));
  Names missing;
  for (const std::string& name : all) {
    if (!said.contains(name) && !Exceptions().contains(name)) {
      missing.insert(name);
    }
  }
  EXPECT_EQ(missing, Names{});
  // A schema that was not walked would hold nothing against anybody.
  EXPECT_TRUE(all.contains("Objective.Kind.KIND_SEQUENCE"));
  EXPECT_TRUE(all.contains("Drivetrain.torque_curve"));
  EXPECT_GT(all.size(), 300u);
}

TEST(SchemaCoverageTest, EachBuiltInComponentAndBehaviourIsInTheBattery) {
  Names built_in;
  for (const ComponentDescription& each : DescribeBuiltIns().components) {
    built_in.insert("component " + each.name);
  }
  Names used;
  for (const char* const pack : kBatteryPacks) {
    const auto world = CreateWorld(BatteryPack(pack), /*seed=*/1);
    ASSERT_TRUE(world.ok()) << world.status();
    const GameDescription& game = (*world)->description();
    for (const BehaviourDescription& each : game.behaviours) {
      built_in.insert("behaviour " + each.name);
    }
    for (const TypeDescription& type : game.types) {
      for (const std::string& name : type.components) {
        used.insert("component " + name);
      }
      for (const std::string& name : type.behaviours) {
        used.insert("behaviour " + name);
      }
    }
  }
  EXPECT_TRUE(built_in.contains("component senses"));
  EXPECT_TRUE(built_in.contains("behaviour follow_path"));
  Names missing;
  std::ranges::set_difference(built_in, used,
                              std::inserter(missing, missing.end()));
  EXPECT_EQ(missing, Names{});
}

TEST(SchemaCoverageTest, ExceptionsAreNeeded) {
  Names all;
  Names seen_messages;
  AddAll(*v1::Pack::descriptor(), seen_messages, all);
  Names said;
  ASSERT_NO_FATAL_FAILURE(AddSaidByThoseThatShip(said));
  for (const auto& [name, reason] : Exceptions()) {
    EXPECT_TRUE(all.contains(name)) << "there is no " << name;
    EXPECT_FALSE(said.contains(name)) << name << " is said: " << reason;
    EXPECT_FALSE(reason.empty()) << name;
  }
}

}  // namespace
}  // namespace reprise::sim
