// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an event is one line with all that it says, and that what is gone
// keeps the name it had.

#include "replays/format/event_text.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace reprise::replays {
namespace {

v1::Event MakeEvent(const std::string& type, uint64_t object,
                    const std::string& name) {
  v1::Event event;
  event.set_type(type);
  event.set_object(object);
  event.set_object_name(name);
  return event;
}

TEST(EventTextTest, EachKindOfArgumentIsSaid) {
  v1::Event event = MakeEvent("hit", 3, "runner");
  v1::EventArgument* argument = event.add_arguments();
  argument->set_name("hard");
  argument->set_bool_value(true);
  argument = event.add_arguments();
  argument->set_name("damage");
  argument->set_int_value(-4);
  argument = event.add_arguments();
  argument->set_name("mask");
  argument->set_uint_value(7);
  argument = event.add_arguments();
  argument->set_name("impulse");
  argument->set_double_value(0.5);
  argument = event.add_arguments();
  argument->set_name("layer");
  argument->set_id_value("ground");
  argument = event.add_arguments();
  argument->set_name("by");
  argument->set_object_value("wall");
  event.add_arguments()->set_name("empty");

  EXPECT_EQ(FormatEvent(event),
            "hit runner hard=true damage=-4 mask=7 impulse=0.5 layer=ground "
            "by=wall empty=");
}

TEST(EventTextTest, NameThatHoldsALinesEndMakesNoLine) {
  EXPECT_EQ(FormatEvent(MakeEvent("a\nb", 1, "c\rd")), "a b c d");
}

TEST(EventTextTest, WhatIsGoneKeepsItsName) {
  EventNames names;
  EXPECT_EQ(names.Format(MakeEvent("object_spawned", 3, "spark")),
            "object_spawned spark");
  v1::Event died = MakeEvent("died", 3, "object#3");
  v1::EventArgument& by = *died.add_arguments();
  by.set_name("by");
  by.set_object_value("object#4");

  EXPECT_EQ(names.Format(died), "died spark by=object#4");
  names.Format(MakeEvent("object_spawned", 4, "flame"));
  EXPECT_EQ(names.Format(died), "died spark by=flame");
  EXPECT_EQ(names.Format(MakeEvent("died", 9, "object#9")), "died object#9");
  EXPECT_EQ(names.Format(MakeEvent("died", 9, "object#x")), "died object#x");
}

}  // namespace
}  // namespace reprise::replays
