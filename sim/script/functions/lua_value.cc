// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/lua_value.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "lauxlib.h"
#include "lua.h"
#include "sim/script/functions/lua_host.h"

namespace reprise::sim {
namespace {

// A handle is its bits in the place of an address that nobody follows.
void* PackHandle(Handle handle) {
  return std::bit_cast<void*>(static_cast<uint64_t>(handle.generation) << 32 |
                              handle.index);
}

void PushVector(lua_State* lua, Vector3 vector) {
  lua_pushvector(lua, vector.x, vector.y, vector.z);
}

// Userdata that scripts can see are vectors.
Vector3 CheckVector(lua_State* lua, int index) {
  if (lua_type(lua, index) != LUA_TUSERDATA) {
    luaL_typeerror(lua, index, "vector");
  }
  return *static_cast<const Vector3*>(lua_touserdata(lua, index));
}

int Add(lua_State* lua) {
  const Vector3 a = CheckVector(lua, 1);
  PushVector(lua, a + CheckVector(lua, 2));
  return 1;
}

int Subtract(lua_State* lua) {
  const Vector3 a = CheckVector(lua, 1);
  PushVector(lua, a - CheckVector(lua, 2));
  return 1;
}

int Multiply(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TUSERDATA) {
    const Vector3 a = CheckVector(lua, 1);
    PushVector(lua, a * luaL_checknumber(lua, 2));
  } else {
    const double factor = luaL_checknumber(lua, 1);
    PushVector(lua, CheckVector(lua, 2) * factor);
  }
  return 1;
}

int Divide(lua_State* lua) {
  const Vector3 a = CheckVector(lua, 1);
  PushVector(lua, a / luaL_checknumber(lua, 2));
  return 1;
}

int Negate(lua_State* lua) {
  PushVector(lua, -CheckVector(lua, 1));
  return 1;
}

int IsEqual(lua_State* lua) {
  const Vector3 a = CheckVector(lua, 1);
  lua_pushboolean(lua, a == CheckVector(lua, 2) ? 1 : 0);
  return 1;
}

int ToText(lua_State* lua) {
  const Vector3 a = CheckVector(lua, 1);
  lua_pushfstring(lua, "(%f, %f, %f)", a.x, a.y, a.z);
  return 1;
}

int DotOf(lua_State* lua) {
  const Vector3 a = CheckVector(lua, 1);
  lua_pushnumber(lua, Dot(a, CheckVector(lua, 2)));
  return 1;
}

int CrossOf(lua_State* lua) {
  const Vector3 a = CheckVector(lua, 1);
  PushVector(lua, Cross(a, CheckVector(lua, 2)));
  return 1;
}

int LengthOf(lua_State* lua) {
  lua_pushnumber(lua, Length(CheckVector(lua, 1)));
  return 1;
}

int NormalizedOf(lua_State* lua) {
  PushVector(lua, Normalized(CheckVector(lua, 1)));
  return 1;
}

// A component, or a method from the table that is the upvalue.
int Index(lua_State* lua) {
  const Vector3 a = CheckVector(lua, 1);
  size_t size = 0;
  const char* const key =
      lua_type(lua, 2) == LUA_TSTRING ? lua_tolstring(lua, 2, &size) : nullptr;
  if (size == 1 && *key >= 'x' && *key <= 'z') {
    const double components[] = {a.x, a.y, a.z};
    lua_pushnumber(lua, components[*key - 'x']);
    return 1;
  }
  // What was asked for gives its place to the answer.
  const char* const asked = key == nullptr ? luaL_typename(lua, 2) : key;
  lua_settop(lua, 2);
  if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  return luaL_error(lua, "a vector has x, y, z and its methods, not '%s'",
                    asked);
}

int SetIndex(lua_State* lua) {
  return luaL_error(lua, "a vector can't be changed; make another one");
}

constexpr luaL_Reg kMethods[] = {{"cross", CrossOf},
                                 {"dot", DotOf},
                                 {"length", LengthOf},
                                 {"normalized", NormalizedOf},
                                 {nullptr, nullptr}};

constexpr luaL_Reg kMetamethods[] = {
    {"__add", Add},         {"__div", Divide},        {"__eq", IsEqual},
    {"__mul", Multiply},    {"__newindex", SetIndex}, {"__sub", Subtract},
    {"__tostring", ToText}, {"__unm", Negate},        {nullptr, nullptr}};

// Gives the metatable on the top a name, and hides it.
void NameMetatable(lua_State* lua, const char* name) {
  lua_pushstring(lua, name);
  lua_setfield(lua, -2, "__name");
  lua_pushboolean(lua, 0);
  lua_setfield(lua, -2, "__metatable");
}

}  // namespace

Handle HandleIn(const void* packed) {
  const auto bits = std::bit_cast<uint64_t>(packed);
  return {.index = static_cast<uint32_t>(bits),
          .generation = static_cast<uint32_t>(bits >> 32)};
}

void OpenVectors(lua_State* lua) {
  lua_newtable(lua);
  luaL_setfuncs(lua, kMetamethods, 0);
  luaL_newlib(lua, kMethods);
  lua_pushcclosure(lua, Index, 1);
  lua_setfield(lua, -2, "__index");
  NameMetatable(lua, "vector");
  lua_pushvalue(lua, -1);
  lua_setvectors(lua);
  lua_rawseti(lua, LUA_REGISTRYINDEX, kVectorMetatableIndex);
  // All of those addresses that nobody follows share one.
  lua_pushlightuserdata(lua, nullptr);
  lua_newtable(lua);
  NameMetatable(lua, "handle");
  lua_setmetatable(lua, -2);
  lua_pop(lua, 1);
}

int MakeVector(lua_State* lua) {
  const double x = luaL_optnumber(lua, 1, 0.0);
  const double y = luaL_optnumber(lua, 2, 0.0);
  const double z = luaL_optnumber(lua, 3, 0.0);
  PushVector(lua, {.x = x, .y = y, .z = z});
  return 1;
}

void PushScriptValue(lua_State* lua, const ScriptValue& value) {
  switch (ScriptTypeOf(value)) {
    case ScriptType::kNil:
      lua_pushnil(lua);
      break;
    case ScriptType::kBoolean:
      lua_pushboolean(lua, *std::get_if<bool>(&value) ? 1 : 0);
      break;
    case ScriptType::kInteger:
      lua_pushinteger(lua, *std::get_if<int64_t>(&value));
      break;
    case ScriptType::kNumber:
      lua_pushnumber(lua, *std::get_if<double>(&value));
      break;
    case ScriptType::kString: {
      const std::string_view text = *std::get_if<std::string_view>(&value);
      lua_pushlstring(lua, text.data(), text.size());
      break;
    }
    case ScriptType::kVector:
      PushVector(lua, *std::get_if<Vector3>(&value));
      break;
    case ScriptType::kHandle: {
      const Handle handle = *std::get_if<Handle>(&value);
      if (handle.is_null()) {
        lua_pushnil(lua);
      } else {
        lua_pushlightuserdata(lua, PackHandle(handle));
      }
      break;
    }
    case ScriptType::kAny:  // no value is of it
      break;
  }
}

bool ReadScriptValue(lua_State* lua, int index, ScriptValue* value) {
  switch (lua_type(lua, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
      *value = std::monostate();
      return true;
    case LUA_TBOOLEAN:
      *value = lua_toboolean(lua, index) != 0;
      return true;
    case LUA_TNUMBER:
      if (lua_isinteger(lua, index) != 0) {
        *value = static_cast<int64_t>(lua_tointeger(lua, index));
      } else {
        *value = lua_tonumber(lua, index);
      }
      return true;
    case LUA_TSTRING: {
      size_t size = 0;
      const char* const text = lua_tolstring(lua, index, &size);
      *value = std::string_view(text, size);
      return true;
    }
    case LUA_TUSERDATA:
      *value = *static_cast<const Vector3*>(lua_touserdata(lua, index));
      return true;
    case LUA_TLIGHTUSERDATA:
      *value = HandleIn(lua_touserdata(lua, index));
      return true;
    default:
      return false;
  }
}

}  // namespace reprise::sim
