// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_math.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "lauxlib.h"
#include "lua.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr double kDegreesPerRadian = 180.0 / kPi;

// Pushes a number without fraction as an integer if it fits.
void PushWhole(lua_State* lua, double value) {
  const std::optional<int64_t> integer = ToInt64(value);
  if (integer.has_value()) {
    lua_pushinteger(lua, *integer);
  } else {
    lua_pushnumber(lua, value);
  }
}

template <double (*kFunction)(double)>
int Of(lua_State* lua) {
  lua_pushnumber(lua, kFunction(luaL_checknumber(lua, 1)));
  return 1;
}

int AbsOf(lua_State* lua) {
  if (lua_isinteger(lua, 1)) {
    const lua_Integer value = lua_tointeger(lua, 1);
    // Wraps around for the least, as all arithmetic of integers does.
    const auto bits = static_cast<uint64_t>(value);
    lua_pushinteger(lua, static_cast<lua_Integer>(value < 0 ? -bits : bits));
  } else {
    lua_pushnumber(lua, Abs(luaL_checknumber(lua, 1)));
  }
  return 1;
}

int FloorOf(lua_State* lua) {
  if (lua_isinteger(lua, 1)) {
    lua_settop(lua, 1);
  } else {
    PushWhole(lua, Floor(luaL_checknumber(lua, 1)));
  }
  return 1;
}

int CeilOf(lua_State* lua) {
  if (lua_isinteger(lua, 1)) {
    lua_settop(lua, 1);
  } else {
    PushWhole(lua, Ceil(luaL_checknumber(lua, 1)));
  }
  return 1;
}

// The remainder with the sign of the dividend; exact for doubles, too.
int FmodOf(lua_State* lua) {
  if (lua_isinteger(lua, 1) && lua_isinteger(lua, 2)) {
    const lua_Integer divisor = lua_tointeger(lua, 2);
    if (divisor == 0) return luaL_argerror(lua, 2, "zero");
    // The least integer divided by -1 doesn't fit.
    const lua_Integer rest =
        divisor == -1 ? 0 : lua_tointeger(lua, 1) % divisor;
    lua_pushinteger(lua, rest);
    return 1;
  }
  const double dividend = luaL_checknumber(lua, 1);
  lua_pushnumber(lua, std::fmod(dividend, luaL_checknumber(lua, 2)));
  return 1;
}

int ModfOf(lua_State* lua) {
  const double value = luaL_checknumber(lua, 1);
  const double whole = value < 0.0 ? Ceil(value) : Floor(value);
  lua_pushnumber(lua, whole);
  const bool is_infinite = !IsFinite(value) && !IsNan(value);
  lua_pushnumber(lua, is_infinite ? 0.0 : value - whole);
  return 2;
}

int AtanOf(lua_State* lua) {
  const double y = luaL_checknumber(lua, 1);
  lua_pushnumber(lua, Atan2(y, luaL_optnumber(lua, 2, 1.0)));
  return 1;
}

int LogOf(lua_State* lua) {
  const double value = luaL_checknumber(lua, 1);
  if (lua_isnoneornil(lua, 2)) {
    lua_pushnumber(lua, Log(value));
    return 1;
  }
  const double base = luaL_checknumber(lua, 2);
  if (base == 2.0) {
    lua_pushnumber(lua, Log2(value));
  } else if (base == 10.0) {
    lua_pushnumber(lua, Log10(value));
  } else {
    lua_pushnumber(lua, Log(value) / Log(base));
  }
  return 1;
}

// The argument that none of the others comes before; the first of equal ones.
int Extreme(lua_State* lua, bool is_greatest) {
  const int count = lua_gettop(lua);
  luaL_argcheck(lua, count >= 1, 1, "number expected, got no value");
  int found = 1;
  luaL_checknumber(lua, 1);
  for (int i = 2; i <= count; ++i) {
    luaL_checknumber(lua, i);
    const int is_better = is_greatest ? lua_compare(lua, found, i, LUA_OPLT)
                                      : lua_compare(lua, i, found, LUA_OPLT);
    if (is_better != 0) found = i;
  }
  lua_pushvalue(lua, found);
  return 1;
}

int MaxOf(lua_State* lua) { return Extreme(lua, true); }

int MinOf(lua_State* lua) { return Extreme(lua, false); }

int DegreesOf(lua_State* lua) {
  lua_pushnumber(lua, luaL_checknumber(lua, 1) * kDegreesPerRadian);
  return 1;
}

int RadiansOf(lua_State* lua) {
  lua_pushnumber(lua, luaL_checknumber(lua, 1) * (kPi / 180.0));
  return 1;
}

int ToIntegerOf(lua_State* lua) {
  int is_integer = 0;
  const lua_Integer value =
      lua_type(lua, 1) == LUA_TNUMBER ? lua_tointegerx(lua, 1, &is_integer) : 0;
  if (is_integer != 0) {
    lua_pushinteger(lua, value);
  } else {
    luaL_checkany(lua, 1);
    lua_pushnil(lua);
  }
  return 1;
}

int TypeOf(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TNUMBER) {
    lua_pushstring(lua, lua_isinteger(lua, 1) != 0 ? "integer" : "float");
  } else {
    luaL_checkany(lua, 1);
    lua_pushnil(lua);
  }
  return 1;
}

int IsLessUnsigned(lua_State* lua) {
  const auto a = static_cast<uint64_t>(luaL_checkinteger(lua, 1));
  const auto b = static_cast<uint64_t>(luaL_checkinteger(lua, 2));
  lua_pushboolean(lua, a < b ? 1 : 0);
  return 1;
}

constexpr luaL_Reg kFunctions[] = {{"abs", AbsOf},
                                   {"acos", Of<Acos>},
                                   {"asin", Of<Asin>},
                                   {"atan", AtanOf},
                                   {"ceil", CeilOf},
                                   {"cos", Of<Cos>},
                                   {"deg", DegreesOf},
                                   {"exp", Of<Exp>},
                                   {"floor", FloorOf},
                                   {"fmod", FmodOf},
                                   {"log", LogOf},
                                   {"max", MaxOf},
                                   {"min", MinOf},
                                   {"modf", ModfOf},
                                   {"rad", RadiansOf},
                                   {"sin", Of<Sin>},
                                   {"sqrt", Of<Sqrt>},
                                   {"tan", Of<Tan>},
                                   {"tointeger", ToIntegerOf},
                                   {"type", TypeOf},
                                   {"ult", IsLessUnsigned},
                                   {nullptr, nullptr}};

}  // namespace

int OpenMath(lua_State* lua) {
  luaL_newlib(lua, kFunctions);
  lua_pushnumber(lua, kPi);
  lua_setfield(lua, -2, "pi");
  lua_pushnumber(lua, std::numeric_limits<double>::infinity());
  lua_setfield(lua, -2, "huge");
  lua_pushinteger(lua, LUA_MAXINTEGER);
  lua_setfield(lua, -2, "maxinteger");
  lua_pushinteger(lua, LUA_MININTEGER);
  lua_setfield(lua, -2, "mininteger");
  return 1;
}

}  // namespace reprise::sim
