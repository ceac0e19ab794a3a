// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes programs against the sandbox, for crashes and work without bound. The
// bytes are a text of Lua, or choose from pieces of it, which get further, or
// choose how a program goes on that Lua takes as it is, which gets furthest.
// What a program gives, takes and uses up is the same in a second machine, in
// one that is profiled, and with probes, which find what the profile counts.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/script/functions/testing_api.h"
#include "sim/script/testing_probes.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

constexpr ScriptLimits kLimits = {.call_instructions = 20'000,
                                  .call_bytes = 400'000,
                                  .load_instructions = 20'000,
                                  .load_bytes = 400'000};

constexpr std::array<std::string_view, 96> kPieces = {
    "local ",
    "a",
    "b",
    "c",
    "t",
    "f",
    " = ",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ", ",
    "; ",
    ".",
    ":",
    "..",
    "...",
    " + ",
    " - ",
    " * ",
    " / ",
    " // ",
    " % ",
    " ^ ",
    " & ",
    " | ",
    " ~ ",
    " << ",
    " >> ",
    " == ",
    " ~= ",
    " < ",
    " <= ",
    " and ",
    " or ",
    " not ",
    "#",
    "1",
    "0",
    "-1",
    "2.5",
    "1e308",
    "math.huge",
    "math.maxinteger",
    "math.mininteger",
    "0/0",
    "nil",
    "true",
    "'x'",
    "'%b()%f[%a](.-)%1'",
    "'%5.3f%q%s'",
    "\n",
    "function(...) ",
    "function f(a, b) ",
    " end ",
    "if ",
    " then ",
    " else ",
    "for i = 1, 99 do ",
    "for k, v in pairs(",
    ") do ",
    "while true do ",
    "repeat ",
    " until ",
    "return ",
    "goto l ",
    "::l:: ",
    "break ",
    "pcall(",
    "error(",
    "setmetatable(",
    "getmetatable(",
    "rawset(",
    "next(",
    "select(",
    "string.rep(",
    "string.format(",
    "string.gsub(",
    "string.find(",
    "table.sort(",
    "table.concat(",
    "table.unpack(",
    "table.insert(",
    "table.move(",
    "coroutine.wrap(",
    "coroutine.yield(",
    "vector(",
    "tostring(",
    "tonumber(",
    "{__index = f, __newindex = f, __lt = f, "
    "__concat = f, __len = f, __eq = f, __call = f}",
    "world.push(",
    "text_times(",
    "height()",
    "xpcall("};

// Writes a program as bytes choose, until they are used up.
class ProgramWriter {
 public:
  explicit ProgramWriter(std::string_view bytes) : bytes_(bytes) {}

  std::string Write() {
    source_ =
        "local a, b, c, s, t, v = 1, 2.5, nil, 'text', {1, 2, x = 3}, "
        "vector(1, 2, 3)\n"
        "local function f(x, y) return y or x end\nreturn {\n";
    for (const std::string_view name : {"main", "other"}) {
      source_ += fmt::format("{} = function(n, o)\n", name);
      for (int i = 0; i < 12 && at_ < bytes_.size(); ++i) Statement();
      source_ += "return " + Expression() + "\nend,\n";
    }
    return source_ + "}\n";
  }

 private:
  static constexpr int kDepthMax = 6;

  size_t Choose(size_t count) {
    return at_ < bytes_.size() ? static_cast<uint8_t>(bytes_[at_++]) % count
                               : 0;
  }
  // The parts, made in their order, which that of arguments needn't be.
  static std::string Join(std::initializer_list<std::string> parts) {
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
  }

  template <size_t kCount>
  std::string Word(const char* const (&words)[kCount]) {
    return words[Choose(kCount)];
  }

  std::string Name() {
    return Word({"a", "b", "c", "s", "t", "v", "n", "o", "f", "w", "_G"});
  }

  std::string Key() {
    return Word({"x", "y", "z", "w", "xy", "length", "__index", "n"});
  }

  std::string Place() {
    switch (Choose(4)) {
      case 0:
        return Join({"t[", Expression(), "]"});
      case 1:
        return Join({Name(), ".", Key()});
      default:
        return Name();
    }
  }

  std::string List() {
    std::string list = Expression();
    while (Choose(3) == 1) list += ", " + Expression();
    return list;
  }

  std::string Expression() {
    if (depth_ >= kDepthMax) return Name();
    ++depth_;
    std::string text = Deeper();
    --depth_;
    return text;
  }

  std::string Deeper() {
    switch (Choose(14)) {
      case 0:
        return Name();
      case 1:
        return Word({"0", "-1", "3", "0.5", "1e308", "0/0", "math.huge", "nil",
                     "true", "'y'", "math.mininteger", "''", "1 << 62",
                     "-0.0"});
      case 2:
      case 3:
        return Join({"(", Expression(),
                     Word({" + ", " - ", " * ", " / ", " // ", " % ", " ^ ",
                           " .. ", " == ", " < ", " <= ", " ~= ", " and ",
                           " or ", " & ", " | ", " ~ ", " >> "}),
                     Expression(), ")"});
      case 4:
        return Join(
            {"(", Word({"-", "not ", "#", "~"}), "(", Expression(), "))"});
      case 5:
        return Join({"(", Expression(), ").", Key()});
      case 6:
        return Join({"(", Expression(), ")[", Expression(), "]"});
      case 7:
        return Join({"vector(", List(), ")"});
      case 8:
        return Join({Word({"f",
                           "tostring",
                           "type",
                           "select",
                           "next",
                           "pairs",
                           "rawlen",
                           "pcall",
                           "setmetatable",
                           "getmetatable",
                           "tonumber",
                           "assert",
                           "string.rep",
                           "string.format",
                           "string.gsub",
                           "string.find",
                           "table.concat",
                           "table.unpack",
                           "table.insert",
                           "table.sort",
                           "math.max",
                           "math.floor",
                           "utf8.char",
                           "coroutine.wrap",
                           "coroutine.yield",
                           "world.push",
                           "text_times",
                           "world.follow",
                           "height",
                           "rawset",
                           "xpcall",
                           "error"}),
                     "(", List(), ")"});
      case 9:
        return Join({"(", Expression(), "):",
                     Word({"length", "dot", "cross", "normalized", "rep",
                           "gsub", "upper", "x"}),
                     "(", List(), ")"});
      case 10:
        return Join({"{ ", List(), ", ", Key(), " = ", Expression(), ", [",
                     Name(), "] = ", Expression(), " }"});
      case 11:
        return Join({"function(a, ...) ", at_ < bytes_.size() ? Inner() : "",
                     " return ", Expression(), ", ... end"});
      case 12:
        return Join({"setmetatable({}, { ",
                     Word({"__index", "__newindex", "__add", "__mul", "__eq",
                           "__lt", "__call", "__concat", "__len", "__unm",
                           "__pairs", "__tostring"}),
                     " = ", Expression(), " })"});
      default:
        return Join(
            {"(v", Word({" + ", " - ", " * ", " / "}), Expression(), ")"});
    }
  }

  // A statement within an expression.
  std::string Inner() {
    std::string outer = std::exchange(source_, "");
    Statement();
    return std::exchange(source_, std::move(outer));
  }

  void Block() {
    ++depth_;
    for (size_t i = Choose(4); i > 0 && depth_ < kDepthMax; --i) Statement();
    --depth_;
  }

  void Open(std::initializer_list<std::string> parts) {
    source_ += Join(parts) + "\n";
  }

  void Statement() {
    switch (Choose(9)) {
      case 0:
        Open({"local ", Name(), " = ", List()});
        return;
      case 1:
      case 2:
        Open({Place(), " = ", List()});
        return;
      case 3:
        Open({"if ", Expression(), " then"});
        Block();
        Open({"else"});
        break;
      case 4:
        Open({"for ", Word({"i", "n", "a"}), " = 1, ", Expression(), " do"});
        break;
      case 5:
        Open({"for k, w in pairs(", Expression(), ") do"});
        break;
      case 6:
        Open({"while ", Expression(), " do if n then break end"});
        break;
      case 7:
        Open({"do local _ = ", Expression()});
        break;
      default:
        Open({"pcall(function()"});
        Block();
        Open({"end)"});
        return;
    }
    Block();
    Open({"end"});
  }

  std::string_view bytes_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string source_;
};

std::string SourceOf(std::string_view bytes) {
  if (!bytes.empty() && bytes[0] == '\1') {
    return ProgramWriter(bytes.substr(1)).Write();
  }
  if (bytes.empty() || bytes[0] != '\0') return std::string(bytes);
  std::string source;
  for (const char byte : bytes.substr(1)) {
    source += kPieces[static_cast<uint8_t>(byte) % kPieces.size()];
  }
  return source;
}

std::shared_ptr<const ScriptApi> Api() {
  static const auto* const api =
      new std::shared_ptr<const ScriptApi>(TestingApi());
  return *api;
}

// Looks at everything.
class Onlooker final : public ScriptWatcher {
 public:
  bool Wants(const ScriptLine& /*line*/) override { return true; }
  std::string NameOf(Handle /*handle*/, void* /*context*/) override {
    return "somebody";
  }
  void OnLine(const ScriptVisit& visit, void* /*context*/) override {
    CHECK(visit.line.line >= 1);
  }
};

// Everything that can be told of a run of all its functions.
std::string OutcomeOf(ScriptMachine& machine) {
  std::string text;
  TestingWorld world;
  for (const std::string& name : machine.FunctionNames("a.lua")) {
    const std::optional<ScriptEntry> entry = machine.Find("a.lua", name);
    if (!entry.has_value()) continue;
    for (int round = 0; round < 2; ++round) {
      ScriptValue result;
      const std::optional<ScriptError> error =
          machine.Call(*entry, {{ScriptValue(int64_t{3})}}, &world, &result);
      text += error.has_value() ? error->ToStringWithFrames() : TextOf(result);
      text += fmt::format(" {} {} {}\n", machine.usage().instructions,
                          machine.usage().bytes, world.calls);
    }
  }
  return text;
}

// The same of a program that may not even load.
std::string Outcome(const std::string& source, bool is_profiled,
                    ScriptWatcher* watcher = nullptr) {
  const auto machine =
      LoadFiles({{"a.lua", source}}, kLimits, Api(), is_profiled);
  if (!machine.ok()) return machine.status().ToString();
  if (watcher != nullptr) (*machine)->Watch(watcher);
  return OutcomeOf(**machine);
}

// A way isn't told where an error, or a condition within another one, came
// between: those that are found were gone, and lines are all found.
void CompareProbes(const std::string& source, const std::string& outcome) {
  const auto profiled = LoadFiles({{"a.lua", source}}, kLimits, Api());
  const auto probed = LoadFiles({{"a.lua", source}}, kLimits, Api());
  if (!profiled.ok() || !probed.ok()) return;
  (*profiled)->SetProfiling(true);
  CHECK(OutcomeOf(**profiled) == outcome, "{}", source);
  ProbesEverywhere everywhere(**probed);
  CHECK(OutcomeOf(**probed) == outcome, "{}", source);
  std::set<std::string> counted =
      ProbesEverywhere::Counted((*profiled)->profile());
  for (const std::string& name : everywhere.Found()) {
    CHECK(counted.erase(name) == 1, "{} in {}", name, source);
  }
  for (const std::string& name : counted) {
    CHECK(name.starts_with("branch"), "{} in {}", name, source);
  }
}

void RunProgram(std::string_view bytes) {
  if (bytes.size() > 4096) return;
  const std::string source = SourceOf(bytes);
  const std::string outcome = Outcome(source, /*is_profiled=*/false);
  CHECK(Outcome(source, /*is_profiled=*/true) == outcome, "{}", source);
  Onlooker onlooker;
  CHECK(Outcome(source, /*is_profiled=*/false, &onlooker) == outcome, "{}",
        source);
  CompareProbes(source, outcome);
}

}  // namespace
}  // namespace reprise::sim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::sim::RunProgram({reinterpret_cast<const char*>(data), size});
  return 0;
}
