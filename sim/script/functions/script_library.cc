// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/script_library.h"

#include <array>

namespace reprise::sim {
namespace {

using Name = std::string_view;

// collectgarbage, dofile, load and loadfile are Lua's; print and warn write to
// where nobody looks.
constexpr std::array<Name, 21> kGlobals = {
    "_G",     "_VERSION", "assert", "error",        "getmetatable", "ipairs",
    "next",   "pairs",    "pcall",  "rawequal",     "rawget",       "rawlen",
    "rawset", "require",  "select", "setmetatable", "tonumber",     "tostring",
    "type",   "vector",   "xpcall"};

// close would run code of a coroutine that is left.
constexpr std::array<Name, 7> kCoroutine = {
    "create", "isyieldable", "resume", "running", "status", "wrap", "yield"};

// random and randomseed have a state of their own.
constexpr std::array<Name, 25> kMath = {
    "abs", "acos",       "asin", "atan", "ceil", "cos", "deg",
    "exp", "floor",      "fmod", "huge", "log",  "max", "maxinteger",
    "min", "mininteger", "modf", "pi",   "rad",  "sin", "sqrt",
    "tan", "tointeger",  "type", "ult"};

// dump gives bytecode; pack and unpack show how numbers lie in memory.
constexpr std::array<Name, 13> kString = {
    "byte",  "char",  "find", "format",  "gmatch", "gsub", "len",
    "lower", "match", "rep",  "reverse", "sub",    "upper"};

constexpr std::array<Name, 7> kTable = {"concat", "insert", "move",  "pack",
                                        "remove", "sort",   "unpack"};

constexpr std::array<Name, 6> kUtf8 = {"char",  "charpattern", "codepoint",
                                       "codes", "len",         "offset"};

constexpr std::array<ScriptLibrary, 6> kLibraries = {{
    {"", kGlobals},
    {"coroutine", kCoroutine},
    {"math", kMath},
    {"string", kString},
    {"table", kTable},
    {"utf8", kUtf8},
}};

}  // namespace

std::span<const ScriptLibrary> ScriptLibraries() { return kLibraries; }

}  // namespace reprise::sim
