// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/controls/touch_bindings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include "sim/input/conditioning.h"
#include "sim/input/input_frame.h"

namespace reprise::sim {
namespace {

// The cosine of the angle within which a swipe counts: 45 degrees.
constexpr double kSwipeCosineMin = 0.70710678118654746;

Vector2 OnView(uint64_t x, uint64_t y) {
  return {static_cast<double>(x) / kViewEdge,
          static_cast<double>(y) / kViewEdge};
}

Vector2 PlaceOf(const TouchRow& touch) { return OnView(touch.x, touch.y); }

bool IsWithin(Vector2 point, Vector2 from, Vector2 to) {
  return point.x >= from.x && point.x <= to.x && point.y >= from.y &&
         point.y <= to.y;
}

// One binding's part of the tables.
class FingerTracker {
 public:
  FingerTracker(const BindingDefinition& binding,
                const StrokeClassifier* classifier, const TouchPlace& place)
      : binding_(binding), classifier_(classifier), place_(place) {
    const uint32_t row = place.fingers.LowerBound(key());
    if (row < place.fingers.row_count()) {
      const auto& finger = place.fingers.Get<FingerRow>(row);
      if (finger.player == place.player && finger.binding == binding.name) {
        row_ = row;
      }
    }
  }

  BindingValue operator()(const TouchStickSource& source) {
    if (!row_.has_value() && !BeginIn(source.from, source.to)) return {};
    const TouchRow* const touch = Find(finger().touch);
    if (HasEnded(touch)) {
      Forget();
      return {};
    }
    const Vector2 way = PlaceOf(*touch) - start();
    // Views count downwards, sticks upwards.
    const Vector2 stick = {way.x / source.radius, -way.y / source.radius};
    return {.value = InRange(stick, source.range)};
  }

  BindingValue operator()(const SwipeSource& source) {
    if (!row_.has_value() && !BeginIn({0.0, 0.0}, {1.0, 1.0})) return {};
    const TouchRow* const touch = Find(finger().touch);
    if (!HasEnded(touch)) return {};
    BindingValue value;
    if (touch != nullptr && place_.now - finger().began <= source.ticks) {
      const Vector2 way = PlaceOf(*touch) - start();
      const double along = Dot(way, source.direction);
      value.is_down =
          along >= source.length && along >= kSwipeCosineMin * Length(way);
    }
    Forget();
    return value;
  }

  BindingValue operator()(const PinchSource& /*source*/) {
    if (!row_.has_value() && !BeginPinch()) return {};
    const TouchRow* const first = Find(finger().touch);
    const TouchRow* const second = Find(finger().other);
    if (HasEnded(first) || HasEnded(second)) {
      Forget();
      return {};
    }
    const double distance = Length(PlaceOf(*second) - PlaceOf(*first));
    return {.value = {std::clamp(distance / finger().distance - 1.0, -1.0, 1.0),
                      0.0}};
  }

  BindingValue operator()(const StrokeSource& source) {
    if (!row_.has_value() && !BeginIn({0.0, 0.0}, {1.0, 1.0})) return {};
    const TouchRow* const touch = Find(finger().touch);
    if (!HasEnded(touch)) {
      AddPoint(*touch);
      return {};
    }
    const BindingValue value = {.is_down =
                                    touch != nullptr && Recognises(source)};
    Forget();
    return value;
  }

  template <typename Other>
  BindingValue operator()(const Other& /*source*/) {
    return {};
  }

  void Forget() {
    if (!row_.has_value()) return;
    place_.fingers.EraseRange(*row_, 1);
    row_.reset();
    const uint32_t first = FirstPoint();
    const uint32_t count = CountPoints(first);
    if (count > 0) place_.strokes.EraseRange(first, count);
  }

 private:
  std::array<uint64_t, 2> key() const {
    return {place_.player, binding_.name.value};
  }
  const FingerRow& finger() const {
    return place_.fingers.Get<FingerRow>(*row_);
  }
  Vector2 start() const { return OnView(finger().x, finger().y); }

  const TouchRow* Find(uint64_t touch) const {
    const auto found =
        std::ranges::lower_bound(place_.touches, touch, {}, &TouchRow::touch);
    return found != place_.touches.end() && found->touch == touch ? &*found
                                                                  : nullptr;
  }
  static bool HasEnded(const TouchRow* touch) {
    return touch == nullptr || touch->phase == TouchPhase::kEnded;
  }

  FingerRow& Begin(const TouchRow& touch) {
    row_ = place_.fingers.LowerBound(key());
    place_.fingers.Insert(*row_);
    auto& finger = place_.fingers.Mutable<FingerRow>(*row_);
    finger = {.player = place_.player,
              .binding = binding_.name,
              .touch = touch.touch,
              .x = touch.x,
              .y = touch.y,
              .began = place_.now};
    return finger;
  }

  // Follows the first finger that has come down in a part of the view.
  bool BeginIn(Vector2 from, Vector2 to) {
    for (const TouchRow& touch : place_.touches) {
      if (touch.phase == TouchPhase::kBegan &&
          IsWithin(PlaceOf(touch), from, to)) {
        Begin(touch);
        return true;
      }
    }
    return false;
  }

  // Follows the first two fingers, if they aren't in one place.
  bool BeginPinch() {
    std::array<const TouchRow*, 2> held = {};
    size_t count = 0;
    for (const TouchRow& touch : place_.touches) {
      if (touch.phase != TouchPhase::kEnded && count < 2)
        held[count++] = &touch;
    }
    if (count < 2) return false;
    const double distance = Length(PlaceOf(*held[1]) - PlaceOf(*held[0]));
    if (distance == 0.0) return false;
    FingerRow& finger = Begin(*held[0]);
    finger.other = held[1]->touch;
    finger.distance = distance;
    return true;
  }

  uint32_t FirstPoint() const {
    return place_.strokes.LowerBound(
        std::array<uint64_t, 3>{place_.player, binding_.name.value, 0});
  }
  uint32_t CountPoints(uint32_t first) const {
    uint32_t row = first;
    while (row < place_.strokes.row_count()) {
      const auto& point = place_.strokes.Get<StrokePointRow>(row);
      if (point.player != place_.player || point.binding != binding_.name)
        break;
      ++row;
    }
    return row - first;
  }

  // What is longer than that is no shape: it keeps one point too many.
  void AddPoint(const TouchRow& touch) {
    const uint32_t first = FirstPoint();
    const uint32_t count = CountPoints(first);
    if (count > kStrokePointsMax) return;
    place_.strokes.Insert(first + count);
    place_.strokes.Mutable<StrokePointRow>(first + count) = {
        .player = place_.player,
        .binding = binding_.name,
        .point = count,
        .x = touch.x,
        .y = touch.y};
  }

  bool Recognises(const StrokeSource& source) const {
    const uint32_t first = FirstPoint();
    const uint32_t count = CountPoints(first);
    if (count < 3 || count > kStrokePointsMax) return false;
    std::vector<StrokePoint> points;
    for (uint32_t i = 0; i < count; ++i) {
      const auto& row = place_.strokes.Get<StrokePointRow>(first + i);
      const Vector2 point = OnView(row.x, row.y);
      points.push_back(
          {.x = point.x, .y = point.y, .time_s = i * place_.tick_s});
    }
    return classifier_->Recognise(FeaturesOf(points)) == source.stroke;
  }

  const BindingDefinition& binding_;
  const StrokeClassifier* classifier_;
  const TouchPlace& place_;
  std::optional<uint32_t> row_;
};

}  // namespace

BindingValue FollowTouches(const BindingDefinition& binding,
                           const StrokeClassifier* classifier,
                           const TouchPlace& place) {
  FingerTracker tracker(binding, classifier, place);
  return std::visit(tracker, binding.source);
}

void ForgetTouches(const BindingDefinition& binding, const TouchPlace& place) {
  FingerTracker(binding, nullptr, place).Forget();
}

}  // namespace reprise::sim
