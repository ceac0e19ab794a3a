// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what docs/plugins.md says of versions. Sizes, offsets and numbers of
// the headers that others include are those of interface/layout.txt, which
// changes on purpose only; each header is C99 and C++17 by itself; a library
// that was compiled with version 2 as it first was, whose structs are smaller,
// keeps the contract, and so does one of a later one, whose structs are larger;
// and a library exports one function.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kLayout[] = "tests/plugins/interface/layout.txt";
constexpr char kCatch[] = "docs/examples/plugin/catch.c";

const std::vector<std::string>& Headers() {
  static const std::vector<std::string> headers = {"recording.h",
                                                   "simulation.h"};
  return headers;
}

// The header without comments, up to what isn't for those who include it.
std::string DeclarationsOf(const std::string& header) {
  std::string text = ReadFileBytes("include/reprise/" + header);
  text = text.substr(0, text.find("#ifdef REPRISE_RECORDING_IMPLEMENTATION"));
  for (size_t begin = text.find("/*"); begin != std::string::npos;
       begin = text.find("/*")) {
    text.erase(begin, text.find("*/", begin) + 2 - begin);
  }
  return text;
}

std::vector<std::smatch> AllMatches(const std::string& text,
                                    const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern),
          std::sregex_iterator()};
}

// What a member's declaration calls it.
std::string MemberName(const std::string& declaration) {
  std::smatch match;
  if (std::regex_search(declaration, match, std::regex(R"(\(\*(\w+)\))"))) {
    return match[1];
  }
  std::regex_search(declaration, match,
                    std::regex(R"((\w+)\s*(\[\d+\])?\s*$)"));
  return match[1];
}

// A program in C that prints the layout of a header.
std::string PrinterOf(const std::string& header) {
  const std::string text = DeclarationsOf(header);
  std::string lines;
  for (const std::smatch& match :
       AllMatches(text, std::regex(R"(#define (REPRISE_\w+) (\d+)\n)"))) {
    lines += fmt::format("  printf(\"{0} %d\\n\", {0});\n", match[1].str());
  }
  for (const std::smatch& match :
       AllMatches(text, std::regex(R"((REPRISE_\w+) = -?\d+)"))) {
    lines += fmt::format("  printf(\"{0} %d\\n\", {0});\n", match[1].str());
  }
  for (const std::smatch& match : AllMatches(
           text, std::regex(R"(typedef struct (\w+) \{([^}]*)\} \w+;)"))) {
    const std::string name = match[1];
    lines += fmt::format(
        "  printf(\"{0} %u bytes\\n\", (unsigned)sizeof({0}));\n", name);
    const std::string body = match[2];
    for (const std::smatch& member :
         AllMatches(body, std::regex(R"([^;]+;)"))) {
      std::string declaration = member.str();
      declaration.pop_back();
      lines += fmt::format(
          "  printf(\"  %u {1} %u\\n\", (unsigned)offsetof({0}, {1}), "
          "(unsigned)sizeof((({0}*)0)->{1}));\n",
          name, MemberName(declaration));
    }
  }
  return fmt::format(
      "#include <stddef.h>\n#include <stdio.h>\n#include \"reprise/{}\"\n"
      "int main(void) {{\n{}  return 0;\n}}\n",
      header, lines);
}

TEST(InterfaceTest, LayoutIsWhatItWas) {
  std::string layout;
  for (const std::string& header : Headers()) {
    const std::string source = TemporaryPath("layout.c");
    const std::string program = TemporaryPath("layout");
    WriteFileBytes(source, PrinterOf(header));
    const CommandResult compiled =
        RunCommand({"cc", "-std=c99", "-I", "include", source, "-o", program});
    ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
    layout += fmt::format("# {}\n{}", header, RunCommand({program}).out);
  }

  EXPECT_THAT(layout, HasSubstr("reprise_plugin 88 bytes"));
  EXPECT_EQ(ReadFileBytes(kLayout), layout)
      << "What others have compiled reads this. Members are added at the ends "
         "of structs; all else is another REPRISE_INTERFACE_VERSION. If it is "
         "meant, "
      << kLayout << " is:\n"
      << layout;
}

TEST(InterfaceTest, HeadersCompileAlone) {
  for (const std::string& header : Headers()) {
    const std::string source = TemporaryPath("alone.c");
    WriteFileBytes(source, fmt::format("#include \"reprise/{}\"\n", header));
    for (const std::vector<std::string>& language :
         {std::vector<std::string>{"cc", "-std=c99", "-x", "c"},
          std::vector<std::string>{"cc", "-std=c17", "-x", "c"},
          std::vector<std::string>{"c++", "-std=c++17", "-x", "c++"}}) {
      std::vector<std::string> words = language;
      words.insert(words.end(),
                   {"-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion",
                    "-fsyntax-only", "-I", "include", source});
      const CommandResult result = RunCommand(words);
      EXPECT_EQ(result.exit_code, 0) << header << "\n" << result.err;
    }
  }
}

class CompiledPluginTest : public testing::Test {
 protected:
  // The template, compiled with the headers of a folder.
  static std::string Compile(const std::string& folder) {
    const std::string library = TemporaryPath("libcompiled.so");
    const CommandResult compiled = RunCommand(
        {"cc", "-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden",
         "-ffp-contract=off", "-I", folder, kCatch, "-o", library});
    EXPECT_EQ(compiled.exit_code, 0) << compiled.err;
    return library;
  }

  // The same with a header of another time.
  static std::string CompileWith(const std::string& header,
                                 const std::string& name) {
    const std::string folder = TemporaryPath(name);
    std::filesystem::create_directories(folder + "/reprise");
    WriteFileBytes(folder + "/reprise/simulation.h", header);
    return Compile(folder);
  }

  // All checks, and one against the template as it is built now.
  static CommandResult Conform(const std::string& library) {
    return RunCommand({"tools/reprise/reprise", "conform", library,
                       "docs/examples/plugin/orchard", "--ticks", "60",
                       "--build", "tests/command/libcatch.so"});
  }
};

TEST_F(CompiledPluginTest, VersionTwoAsItFirstWasKeepsTheContract) {
  // No file of a header's name: nobody may change it.
  const std::string header =
      ReadFileBytes("tests/plugins/interface/simulation_2.txt");
  ASSERT_THAT(header, Not(HasSubstr("regions")));
  const CommandResult result = Conform(CompileWith(header, "version_2"));

  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("build libcatch.so ok"));
}

TEST_F(CompiledPluginTest, LaterOneWithLargerStructsKeepsTheContract) {
  std::string header = ReadFileBytes("include/reprise/simulation.h");
  for (const std::string name :
       {"field", "table", "action", "event_type", "event", "event_argument",
        "frame_object", "shape", "plugin"}) {
    const std::string end = fmt::format("}} reprise_{};", name);
    const size_t at = header.find(end);
    ASSERT_NE(at, std::string::npos) << name;
    header.insert(at, "  uint64_t later[3];\n");
  }
  const CommandResult result = Conform(CompileWith(header, "later"));

  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("build libcatch.so ok"));
}

// What people begin with, by the line that stands in it.
TEST_F(CompiledPluginTest, TemplateKeepsTheContract) {
  const std::string source = "docs/examples/plugin/template.c";
  const std::string text = ReadFileBytes(source);
  EXPECT_LE(std::ranges::count(text, '\n'), 150);
  const std::string library = TemporaryPath("libtemplate.so");
  const CommandResult compiled =
      RunCommand({"cc", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-I",
                  "include", source, "-o", library});
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
  EXPECT_EQ(compiled.err, "");
  const CommandResult result =
      RunCommand({"tools/reprise/reprise", "conform", library,
                  "docs/examples/plugin/alley", "--ticks", "60"});

  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(CompiledPluginTest, ExportsOneFunction) {
  const CommandResult result =
      RunCommand({"nm", "--dynamic", "--defined-only", "--format=posix",
                  Compile("include")});

  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, result.out.find(' ')),
            "reprise_plugin_describe");
  EXPECT_EQ(result.out.find('\n'), result.out.size() - 1) << result.out;
}

}  // namespace
}  // namespace reprise::tests
