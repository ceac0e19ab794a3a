// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a type says together with what it inherits, field by field.

#ifndef REPRISE_SIM_COMPILER_TYPE_INHERITANCE_H_
#define REPRISE_SIM_COMPILER_TYPE_INHERITANCE_H_

#include <cstddef>

#include "reprise/v1/pack.pb.h"

namespace reprise::sim {

// The messages of types (a body, a character, what systems of a program read),
// each as what its type says over what the type that it extends says. A field
// that isn't set is inherited; a message is merged in the same way; a list, a
// vector and a value are taken as a whole, as is another choice of a oneof.
//
// `base` is the type that `type` extends, complete as below. Returns `type`
// with each message that it sets completed; what it doesn't set stays unset.
v1::Type CompleteMessages(const v1::Type& base, v1::Type type);

// The same with the messages that `type` doesn't set, too: what a type that
// extends it inherits. `type` is what CompleteMessages returned.
v1::Type CompleteType(const v1::Type& base, v1::Type type);

// Completes the messages of all types of `pack`. Types that extend each other
// in a ring, or too many in a row, which the compiler reports, stay as they
// are.
void CompleteTypes(v1::Pack& pack);

// How many types can extend each other in a row: it bounds what a type carries
// of those that it extends. Hierarchies of games have a handful.
inline constexpr size_t kBasesMax = 64;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_TYPE_INHERITANCE_H_
