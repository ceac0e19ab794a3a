// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/contact_material.h"

#include <algorithm>

#include "BulletCollision/CollisionDispatch/btManifoldResult.h"
#include "sim/physics/shapes/bullet_parts.h"

namespace reprise::sim {

double Combine(double a, CombinationRule rule_a, double b,
               CombinationRule rule_b) {
  switch (std::max(rule_a, rule_b)) {
    case CombinationRule::kMultiply:
      return a * b;
    case CombinationRule::kAverage:
      return 0.5 * (a + b);
    case CombinationRule::kMinimum:
      return std::min(a, b);
    case CombinationRule::kMaximum:
      return std::max(a, b);
  }
  return a * b;
}

void SetContactMaterial(const btCollisionObject& a, const btCollisionObject& b,
                        btManifoldPoint& point) {
  // Bullet's, which multiply and clamp.
  point.m_combinedFriction =
      btManifoldResult::calculateCombinedFriction(&a, &b);
  point.m_combinedRollingFriction =
      btManifoldResult::calculateCombinedRollingFriction(&a, &b);
  point.m_combinedSpinningFriction =
      btManifoldResult::calculateCombinedSpinningFriction(&a, &b);
  point.m_combinedRestitution =
      btManifoldResult::calculateCombinedRestitution(&a, &b);

  const BodyKind& kind_a = KindOf(a);
  const BodyKind& kind_b = KindOf(b);
  constexpr CombinationRule kMultiply = CombinationRule::kMultiply;
  if (std::max(kind_a.friction_rule, kind_b.friction_rule) != kMultiply) {
    point.m_combinedFriction = Combine(kind_a.friction, kind_a.friction_rule,
                                       kind_b.friction, kind_b.friction_rule);
  }
  if (std::max(kind_a.rolling_friction_rule, kind_b.rolling_friction_rule) !=
      kMultiply) {
    point.m_combinedRollingFriction =
        Combine(kind_a.rolling_friction, kind_a.rolling_friction_rule,
                kind_b.rolling_friction, kind_b.rolling_friction_rule);
  }
  if (std::max(kind_a.restitution_rule, kind_b.restitution_rule) != kMultiply) {
    point.m_combinedRestitution =
        Combine(kind_a.restitution, kind_a.restitution_rule, kind_b.restitution,
                kind_b.restitution_rule);
  }
}

}  // namespace reprise::sim
