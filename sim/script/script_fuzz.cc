// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes programs against the sandbox, for crashes and work without bound. The
// bytes are a text of Lua, or choose from pieces of it, which get further. What
// a program gives, takes and uses up is the same in a second machine, and in
// one that is profiled.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/script/testing_api.h"
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

std::string SourceOf(std::string_view bytes) {
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

// Everything that can be told of a program's run.
std::string Outcome(const std::string& source, bool is_profiled,
                    ScriptWatcher* watcher = nullptr) {
  const auto machine =
      LoadFiles({{"a.lua", source}}, kLimits, Api(), is_profiled);
  if (!machine.ok()) return machine.status().ToString();
  std::string text;
  TestingWorld world;
  if (watcher != nullptr) (*machine)->Watch(watcher);
  for (const std::string& name : (*machine)->FunctionNames("a.lua")) {
    const std::optional<ScriptEntry> entry = (*machine)->Find("a.lua", name);
    if (!entry.has_value()) continue;
    for (int round = 0; round < 2; ++round) {
      ScriptValue result;
      const std::optional<ScriptError> error = (*machine)->Call(
          *entry, {{ScriptValue(int64_t{3})}}, &world, &result);
      text += error.has_value() ? error->ToStringWithFrames() : TextOf(result);
      text += fmt::format(" {} {} {}\n", (*machine)->usage().instructions,
                          (*machine)->usage().bytes, world.calls);
    }
  }
  return text;
}

void RunProgram(std::string_view bytes) {
  if (bytes.size() > 4096) return;
  const std::string source = SourceOf(bytes);
  const std::string outcome = Outcome(source, /*is_profiled=*/false);
  CHECK(Outcome(source, /*is_profiled=*/true) == outcome, "{}", source);
  Onlooker onlooker;
  CHECK(Outcome(source, /*is_profiled=*/false, &onlooker) == outcome, "{}",
        source);
}

}  // namespace
}  // namespace reprise::sim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::sim::RunProgram({reinterpret_cast<const char*>(data), size});
  return 0;
}
