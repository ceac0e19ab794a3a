// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Pins what a set of computations gives, so that each row of the matrix, with
// its compiler, level and CPU, shows that scripts compute there as they do
// everywhere.

#include <span>
#include <string>

#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

// The digest of the text that a script returns.
std::string DigestOfBody(const std::string& body) {
  const std::string text = RunBody(body, {.call_instructions = 20'000'000});
  EXPECT_EQ(text.find("a.lua:"), std::string::npos) << text;
  return FormatDigest(DigestOf(std::as_bytes(std::span(text))));
}

// Numbers of all sizes from a generator of integers.
constexpr char kNumbers[] = R"(
  local state = 12345
  local function draw()
    state = state * 6364136223846793005 + 1442695040888963407
    return state >> 33
  end
  local function number()
    return (draw() - 2^30) * 2.0 ^ (draw() % 60 - 50)
  end
  local out = {}
  local function add(x) out[#out + 1] = ("%q"):format(x) end
)";

constexpr char kEnd[] = " return table.concat(out, ' ')";

TEST(ScriptDigestTest, Arithmetic) {
  EXPECT_EQ(DigestOfBody(std::string(kNumbers) + R"(
    for i = 1, 2000 do
      local x, y = number(), number()
      add(x * y + x) add(x - y) add(x / y) add(x // y) add(x % y)
      add(math.abs(x) ^ (y % 3)) add(math.fmod(x, y))
      local a, b = draw() * draw(), draw() + 1
      add(a * b) add(a // b) add(a % b) add(a << (b % 70)) add(a ~ b)
    end)" + kEnd),
            "1e576adf43bcc350");
}

TEST(ScriptDigestTest, Functions) {
  EXPECT_EQ(DigestOfBody(std::string(kNumbers) + R"(
    for i = 1, 1000 do
      local x, y = number(), number()
      add(math.sin(x)) add(math.cos(x)) add(math.tan(x)) add(math.atan(x, y))
      add(math.exp(x % 50)) add(math.log(math.abs(x)))
      add(math.log(math.abs(x), 2)) add(math.log(math.abs(x), 10))
      add(math.log(math.abs(x), 3)) add(math.asin(x % 1)) add(math.acos(x % 1))
      add(math.sqrt(math.abs(x)))
      local v = vector(x, y, x - y):normalized():cross(vector(1, 2, 3))
      add(v:length()) add(v.x) add(v.y) add(v.z)
    end)" + kEnd),
            "d4a758f93a70cf9a");
}

TEST(ScriptDigestTest, Formats) {
  EXPECT_EQ(DigestOfBody(std::string(kNumbers) + R"(
    for i = 1, 1000 do
      local x = number()
      out[#out + 1] = tostring(x)
      out[#out + 1] = ("%.3f %g %e %a %10.2f %d %x"):format(x, x, x, x, x, i, i)
      out[#out + 1] = tostring(tonumber(tostring(x)))
    end)" + kEnd),
            "fb3d072994272002");
}

TEST(ScriptDigestTest, Strings) {
  EXPECT_EQ(DigestOfBody(R"lua(
    local text = ("the quick brown fox jumps over a lazy dog "):rep(30)
    local out = {}
    for word, gap in text:gmatch("(%a+)(%s)") do out[#out + 1] = word:upper() end
    out[#out + 1] = text:gsub("%f[%a]%a", string.upper)
    out[#out + 1] = text:gsub("(%a+) (%a+)", "%2 %1")
    out[#out + 1] = tostring(text:find("(o)(.-)%1"))
    out[#out + 1] = text:reverse():sub(-100, -50)
    for i = 0, 255 do
      local c = string.char(i)
      for _, class in ipairs{"%a", "%c", "%d", "%g", "%l", "%p", "%s", "%u",
                             "%w", "%x"} do
        out[#out + 1] = c:find(class) and "1" or "0"
      end
      out[#out + 1] = c:upper() .. c:lower() .. ("%q"):format(c)
    end
    for _, c in utf8.codes("äöü€😀") do out[#out + 1] = c end
    return table.concat(out, "+"))lua"),
            "9e75f4a013e51de7");
}

TEST(ScriptDigestTest, TablesAndSorting) {
  EXPECT_EQ(DigestOfBody(std::string(kNumbers) + R"(
    local t, words = {}, {}
    for i = 1, 1000 do
      t[i] = {key = draw() % 50, place = i}
      words[i] = ("w%d"):format(draw() % 5000)
    end
    table.sort(t, function(a, b) return a.key < b.key end)
    table.sort(words)
    for i = 1, 1000 do out[#out + 1] = t[i].place .. words[i] end
    local mixed = {}
    for i = 1, 2000 do
      local kind = draw() % 5
      local key = kind == 0 and draw() % 100 or kind == 1 and words[draw() % 1000 + 1]
          or kind == 2 and (draw() % 100) / 4 or kind == 3 and t[draw() % 1000 + 1]
          or draw() % 2 == 0
      mixed[key] = draw() % 3 > 0 and i or nil
    end
    for k, v in pairs(mixed) do
      out[#out + 1] = (type(k) == "table" and k.place or tostring(k)) .. v
    end
    out[#out + 1] = #mixed)" +
                         kEnd),
            "10604b8c79cd0a49");
}

}  // namespace
}  // namespace reprise::sim
