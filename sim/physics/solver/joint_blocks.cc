// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/joint_blocks.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "sim/physics/solver/lanes.h"
#include "sim/physics/solver/wide.h"

namespace reprise::sim {
namespace {

// Where in a block's sides a vector is, of its first or second body.
enum SideVector : uint32_t {
  kLinear,
  kAngular,
  kLinearResponse,
  kAngularResponse,
  kSideVectors,
};

constexpr uint32_t AxisOf(uint32_t body, SideVector vector, uint32_t axis) {
  return (body * kSideVectors + vector) * 3 + axis;
}

constexpr uint32_t kSideAxes = 2 * kSideVectors * 3;

// Calls visit(index) with 0 to `kCount` - 1 as types, one after another, or the
// other way round; no loop is left of it.
template <uint32_t kIndex>
using Index = std::integral_constant<uint32_t, kIndex>;

template <typename Visit, uint32_t... kIndexes>
REPRISE_INLINE void VisitEach(const Visit& visit,
                              std::integer_sequence<uint32_t, kIndexes...>) {
  (visit(Index<kIndexes>()), ...);
}

template <uint32_t kCount, typename Visit>
REPRISE_INLINE void Unrolled(const Visit& visit) {
  VisitEach(visit, std::make_integer_sequence<uint32_t, kCount>());
}

template <uint32_t kCount, typename Visit>
REPRISE_INLINE void UnrolledBack(const Visit& visit) {
  Unrolled<kCount>([&](auto index) REPRISE_LAMBDA_INLINE {
    visit(Index<kCount - 1 - decltype(index)::value>());
  });
}

// Numbers anywhere in memory.
template <int kWidth>
struct Anywhere;
template <>
struct Anywhere<2> {
  typedef double Value __attribute__((vector_size(16), aligned(8), may_alias));
};
template <>
struct Anywhere<4> {
  typedef double Value __attribute__((vector_size(32), aligned(8), may_alias));
};

// Makes rows of columns.
REPRISE_INLINE void Transpose(std::array<Wide<2>, 2>& v) {
  const Wide<2> first = __builtin_shufflevector(v[0], v[1], 0, 2);
  v[1] = __builtin_shufflevector(v[0], v[1], 1, 3);
  v[0] = first;
}

REPRISE_INLINE void Transpose(std::array<Wide<4>, 4>& v) {
  const Wide<4> even_01 = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6);
  const Wide<4> odd_01 = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
  const Wide<4> even_23 = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6);
  const Wide<4> odd_23 = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
  v[0] = __builtin_shufflevector(even_01, even_23, 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(odd_01, odd_23, 0, 1, 4, 5);
  v[2] = __builtin_shufflevector(even_01, even_23, 2, 3, 6, 7);
  v[3] = __builtin_shufflevector(odd_01, odd_23, 2, 3, 6, 7);
}

// A block of `kCount` rows.
template <int kWidth, uint32_t kCount>
struct Rows {
  static constexpr uint32_t kQuads = (kCount + kQuadLanes - 1) / kQuadLanes;
  static constexpr uint32_t kVectors = (kCount + kWidth - 1) / kWidth;

  // A number of each row.
  struct Numbers {
    Wide<kWidth> vectors[kVectors];
  };

  REPRISE_INLINE static Wide<kWidth> Vector(const Quad* quads, uint32_t i) {
    return Read<kWidth>(quads[i * kWidth / kQuadLanes],
                        static_cast<int>(i * kWidth % kQuadLanes));
  }
  REPRISE_INLINE static Numbers ReadAll(const Quad* quads) {
    Numbers numbers;
    for (uint32_t i = 0; i < kVectors; ++i) {
      numbers.vectors[i] = Vector(quads, i);
    }
    return numbers;
  }
  REPRISE_INLINE static void WriteAll(const Numbers& numbers, Quad* quads) {
    for (uint32_t i = 0; i < kVectors; ++i) {
      Write<kWidth>(numbers.vectors[i],
                    static_cast<int>(i * kWidth % kQuadLanes),
                    quads[i * kWidth / kQuadLanes]);
    }
  }
  REPRISE_INLINE static double Lane(const Quad* quads, uint32_t lane) {
    return quads[lane / kQuadLanes].lanes[lane % kQuadLanes];
  }

  // How the rows are coupled with one of another block, or of their own: by the
  // bodies that both move.
  REPRISE_INLINE static Numbers CoupledWith(const JointBlocks& joints,
                                            const JointBlock& block,
                                            const JointBlock& other,
                                            uint32_t lane) {
    Numbers sums = {};
    const uint32_t other_quads = other.quads();
    const Quad* const sides = &joints.sides[block.sides];
    const Quad* const other_sides =
        &joints.sides[other.sides + lane / kQuadLanes];
    for (uint32_t i = 0; i < 2; ++i) {
      for (uint32_t j = 0; j < 2; ++j) {
        if (block.bodies[i] == 0 || block.bodies[i] != other.bodies[j]) {
          continue;
        }
        const auto answer = [&](SideVector vector,
                                uint32_t axis) REPRISE_LAMBDA_INLINE {
          return All<kWidth>(other_sides[AxisOf(j, vector, axis) * other_quads]
                                 .lanes[lane % kQuadLanes]);
        };
        const WideVector3<kWidth> linear = {answer(kLinearResponse, 0),
                                            answer(kLinearResponse, 1),
                                            answer(kLinearResponse, 2)};
        const WideVector3<kWidth> angular = {answer(kAngularResponse, 0),
                                             answer(kAngularResponse, 1),
                                             answer(kAngularResponse, 2)};
        for (uint32_t p = 0; p < kVectors; ++p) {
          const auto own = [&](SideVector vector) REPRISE_LAMBDA_INLINE {
            const Quad* const v = sides + AxisOf(i, vector, 0) * kQuads;
            return WideVector3<kWidth>{Vector(v, p), Vector(v + kQuads, p),
                                       Vector(v + 2 * kQuads, p)};
          };
          sums.vectors[p] +=
              Dot(own(kLinear), linear) + Dot(own(kAngular), angular);
        }
      }
    }
    return sums;
  }

  // Subtracts `columns` times what the other row has there.
  REPRISE_INLINE static void Subtract(const Quad* columns, const double* other,
                                      uint32_t other_step, uint32_t count,
                                      Numbers& sums) {
    for (uint32_t k = 0; k < count; ++k) {
      const Wide<kWidth> factor = All<kWidth>(*other);
      for (uint32_t p = 0; p < kVectors; ++p) {
        sums.vectors[p] -= Vector(columns, p) * factor;
      }
      columns += kQuads;
      other += other_step;
    }
  }

  REPRISE_INLINE static void FactorBlock(double give, const JointBlock& block,
                                         JointBlocks& joints) {
    Quad* const entries = &joints.entries[block.entries];
    Quad* const raw = joints.raw.data();
    // With the rows of other blocks, which are done.
    for (const JointBlock* other = &joints.blocks[block.first_block];
         other != &block; ++other) {
      const uint32_t from = std::max(block.first, other->first);
      const uint32_t other_quads = other->quads();
      for (uint32_t lane = 0; lane < other->count; ++lane) {
        const uint32_t column = other->begin + lane;
        Numbers sums = CoupledWith(joints, block, *other, lane);
        Subtract(raw + (from - block.first) * kQuads,
                 &joints
                      .entries[other->entries +
                               size_t{from - other->first} * other_quads +
                               lane / kQuadLanes]
                      .lanes[lane % kQuadLanes],
                 other_quads * kQuadLanes, column - from, sums);
        WriteAll(sums, raw + (column - block.first) * kQuads);
      }
    }
    std::array<Numbers, kCount> own;
    double whole[kCount];
    Numbers left;
    {
      std::array<Quad, kQuads> diagonal;
      std::array<Quad, kQuads> numbers;
      Unrolled<kCount>([&](auto lane) REPRISE_LAMBDA_INLINE {
        own[lane] = CoupledWith(joints, block, block, lane);
        WriteAll(own[lane], numbers.data());
        whole[lane] = Lane(numbers.data(), lane);
        diagonal[lane / kQuadLanes].lanes[lane % kQuadLanes] =
            whole[lane] * (1.0 + give);
      });
      left = ReadAll(diagonal.data());
    }
    // Takes off what a column is of the diagonals.
    const auto divide = [&](const Numbers& column, double inverse,
                            Quad* to) REPRISE_LAMBDA_INLINE {
      Numbers factors;
      for (uint32_t p = 0; p < kVectors; ++p) {
        factors.vectors[p] = column.vectors[p] * inverse;
        left.vectors[p] -= column.vectors[p] * factors.vectors[p];
      }
      WriteAll(factors, to);
    };
    const uint32_t before = block.begin - block.first;
    for (uint32_t k = 0; k < before; ++k) {
      divide(ReadAll(raw + k * kQuads), joints.inverses[block.first + k],
             entries + k * kQuads);
    }
    // And with each other, one after another; lanes of rows that are done, or
    // of none, come to nothing that is read.
    Unrolled<kCount>([&](auto lane) REPRISE_LAMBDA_INLINE {
      const uint32_t k = before + lane;
      std::array<Quad, kQuads> rests;
      WriteAll(left, rests.data());
      const double rest = Lane(rests.data(), lane);
      // Rounding may leave nothing of what the others hold.
      const double inverse = rest > 0.5 * give * whole[lane] ? 1.0 / rest : 0.0;
      joints.inverses[block.begin + lane] = inverse;
      if (lane + 1 == kCount) return;
      Numbers sums = own[lane];
      Subtract(raw, &entries[lane / kQuadLanes].lanes[lane % kQuadLanes],
               kQuads * kQuadLanes, k, sums);
      WriteAll(sums, raw + k * kQuads);
      divide(sums, inverse, entries + k * kQuads);
    });
  }

  REPRISE_INLINE static void SolveForth(const JointBlock& block,
                                        JointBlocks& joints) {
    const Quad* const entries = &joints.entries[block.entries];
    double* const solution = joints.solution.data();
    double* const own = solution + block.begin;
    const uint32_t before = block.begin - block.first;
    std::array<Quad, kQuads> wanted;
    Unrolled<kCount>([&](auto lane) REPRISE_LAMBDA_INLINE {
      wanted[lane / kQuadLanes].lanes[lane % kQuadLanes] = own[lane];
    });
    Numbers sums = ReadAll(wanted.data());
    Subtract(entries, solution + block.first, 1, before, sums);
    WriteAll(sums, wanted.data());
    double rows[kCount];
    Unrolled<kCount>([&](auto lane) REPRISE_LAMBDA_INLINE {
      rows[lane] = Lane(wanted.data(), lane);
    });
    const Quad* const own_entries = entries + size_t{before} * kQuads;
    Unrolled<kCount>([&](auto lane) REPRISE_LAMBDA_INLINE {
      Unrolled<kCount>([&](auto i) REPRISE_LAMBDA_INLINE {
        if (i <= lane) return;
        rows[i] -= Lane(own_entries + lane * kQuads, i) * rows[lane];
      });
      own[lane] = rows[lane];
    });
  }

  REPRISE_INLINE static void SolveBack(const JointBlock& block,
                                       JointBlocks& joints) {
    typedef typename Anywhere<kWidth>::Value Solution;
    const Quad* entries = &joints.entries[block.entries];
    double* const own = joints.solution.data() + block.begin;
    double* solution = joints.solution.data() + block.first;
    const uint32_t before = block.begin - block.first;
    const Quad* const own_entries = entries + size_t{before} * kQuads;
    double rows[kCount];
    Unrolled<kCount>([&](auto lane)
                         REPRISE_LAMBDA_INLINE { rows[lane] = own[lane]; });
    UnrolledBack<kCount>([&](auto lane) REPRISE_LAMBDA_INLINE {
      Unrolled<kCount>([&](auto i) REPRISE_LAMBDA_INLINE {
        if (i >= lane) return;
        rows[i] -= Lane(own_entries + i * kQuads, lane) * rows[lane];
      });
      own[lane] = rows[lane];
    });
    // So many columns at once, each by the rows from the last to the first.
    uint32_t k = 0;
    for (; k + kWidth <= before; k += kWidth) {
      Wide<kWidth> left = *reinterpret_cast<const Solution*>(solution);
      UnrolledBack<kVectors>([&](auto p) REPRISE_LAMBDA_INLINE {
        std::array<Wide<kWidth>, kWidth> columns;
        Unrolled<kWidth>([&](auto i) REPRISE_LAMBDA_INLINE {
          columns[i] = Vector(entries + i * kQuads, p);
        });
        Transpose(columns);
        UnrolledBack<kWidth>([&](auto i) REPRISE_LAMBDA_INLINE {
          constexpr uint32_t kRow =
              decltype(p)::value * kWidth + decltype(i)::value;
          if constexpr (kRow < kCount) left -= columns[i] * rows[kRow];
        });
      });
      *reinterpret_cast<Solution*>(solution) = left;
      solution += kWidth;
      entries += kWidth * kQuads;
    }
    for (; k < before; ++k) {
      double left = *solution;
      UnrolledBack<kCount>([&](auto lane) REPRISE_LAMBDA_INLINE {
        left -= Lane(entries, lane) * rows[lane];
      });
      *solution = left;
      ++solution;
      entries += kQuads;
    }
  }
};

// Calls visit.operator()<Rows>() for the count of rows at hand.
template <int kWidth, typename Visit>
REPRISE_INLINE void WithRows(uint32_t count, const Visit& visit) {
  switch (count) {
    case 1:
      return visit.template operator()<Rows<kWidth, 1>>();
    case 2:
      return visit.template operator()<Rows<kWidth, 2>>();
    case 3:
      return visit.template operator()<Rows<kWidth, 3>>();
    case 4:
      return visit.template operator()<Rows<kWidth, 4>>();
    case 5:
      return visit.template operator()<Rows<kWidth, 5>>();
    default:
      return visit.template operator()<Rows<kWidth, 6>>();
  }
}

template <int kWidth>
REPRISE_INLINE void FactorBy(double give, JointBlocks& joints) {
  for (const JointBlock& block : joints.blocks) {
    WithRows<kWidth>(block.count,
                     [&]<typename BlockRows>() REPRISE_LAMBDA_INLINE {
                       BlockRows::FactorBlock(give, block, joints);
                     });
  }
}

template <int kWidth>
REPRISE_INLINE void SolveBy(JointBlocks& joints) {
  for (const JointBlock& block : joints.blocks) {
    WithRows<kWidth>(block.count,
                     [&]<typename BlockRows>() REPRISE_LAMBDA_INLINE {
                       BlockRows::SolveForth(block, joints);
                     });
  }
  const size_t count = joints.solution.size();
  for (size_t i = 0; i < count; ++i) joints.solution[i] *= joints.inverses[i];
  for (size_t i = joints.blocks.size(); i-- > 0;) {
    const JointBlock& block = joints.blocks[i];
    WithRows<kWidth>(block.count,
                     [&]<typename BlockRows>() REPRISE_LAMBDA_INLINE {
                       BlockRows::SolveBack(block, joints);
                     });
  }
}

#if defined(__x86_64__)
#define REPRISE_FOUR_WIDE __attribute__((target("avx2")))
#else
#define REPRISE_FOUR_WIDE
#endif

REPRISE_FOUR_WIDE void FactorByFour(double give, JointBlocks& joints) {
  FactorBy<4>(give, joints);
}

REPRISE_FOUR_WIDE void SolveByFour(JointBlocks& joints) { SolveBy<4>(joints); }

}  // namespace

void JointBlocks::Clear() { blocks.clear(); }

void JointBlocks::Add(const JointBlock& rows) {
  for (uint32_t done = 0; done < rows.count; done += JointBlock::kRowsMax) {
    JointBlock block = rows;
    block.begin += done;
    block.count = std::min(rows.count - done, JointBlock::kRowsMax);
    if (!blocks.empty()) {
      const JointBlock& last = blocks.back();
      block.entries = last.entries + size_t{last.column_count()} * last.quads();
      block.sides = last.sides + size_t{kSideAxes} * last.quads();
    }
    blocks.push_back(block);
  }
}

void JointBlocks::Reserve() {
  const JointBlock& last = blocks.back();
  const size_t row_count = last.begin + last.count;
  entries.resize(last.entries + size_t{last.column_count()} * last.quads());
  // Lanes of no row are never written.
  sides.assign(last.sides + size_t{kSideAxes} * last.quads(), Quad{});
  inverses.resize(row_count);
  solution.resize(row_count);
  size_t longest = 0;
  for (const JointBlock& block : blocks) {
    longest = std::max(longest, size_t{block.column_count()} * block.quads());
  }
  raw.resize(longest);
}

void JointBlocks::SetRow(const JointBlock& block, uint32_t lane,
                         const Direction& direction,
                         const LaneVector3& inverse_mass) {
  const uint32_t quads = block.quads();
  Quad* const to = &sides[block.sides + lane / kQuadLanes];
  const uint32_t i = lane % kQuadLanes;
  const auto set = [&](SideVector vector, const LaneVector3& v) {
    to[AxisOf(0, vector, 0) * quads].lanes[i] = LaneA(v.x);
    to[AxisOf(0, vector, 1) * quads].lanes[i] = LaneA(v.y);
    to[AxisOf(0, vector, 2) * quads].lanes[i] = LaneA(v.z);
    to[AxisOf(1, vector, 0) * quads].lanes[i] = LaneB(v.x);
    to[AxisOf(1, vector, 1) * quads].lanes[i] = LaneB(v.y);
    to[AxisOf(1, vector, 2) * quads].lanes[i] = LaneB(v.z);
  };
  set(kLinear, direction.linear);
  set(kAngular, direction.angular);
  set(kLinearResponse, direction.linear * inverse_mass);
  set(kAngularResponse, direction.response);
}

void Factor(VectorWidth width, double give, JointBlocks& joints) {
  if (width == VectorWidth::kFour) return FactorByFour(give, joints);
  FactorBy<2>(give, joints);
}

void Solve(VectorWidth width, JointBlocks& joints) {
  if (width == VectorWidth::kFour) return SolveByFour(joints);
  SolveBy<2>(joints);
}

}  // namespace reprise::sim
