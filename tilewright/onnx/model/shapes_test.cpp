// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/model/shapes.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace tilewright::onnx_import {
namespace {

using Values = std::vector<std::int64_t>;

// A graph of one node, whose inputs are constants.
struct Single {
  Graph graph;
  GraphNode node;

  Single(const std::string& op, Shape output) {
    node.op = op;
    node.outputs = {0};
    graph.tensors.push_back({.name = "out", .type = kInt64, .shape = std::move(output)});
  }
  Single& with(Shape shape, Values values) {
    node.inputs.push_back(graph.tensors.size());
    graph.tensors.push_back({.type = kInt64, .shape = std::move(shape), .constant = true});
    if (!values.empty()) graph.tensors.back().integers = std::move(values);
    return *this;
  }
  Single& without() {
    node.inputs.push_back(kAbsent);
    return *this;
  }
  Single& set(const std::string& name, Values values) {
    node.attributes[name].integers = std::move(values);
    return *this;
  }
  std::optional<Values> folded() {
    fold_integers(graph, node);
    return graph.tensors[0].integers;
  }
  std::optional<Shape> shaped(ShapeRule rule) {
    graph.tensors[0].shape.reset();
    fault = apply_own_rule(graph, node, rule);
    return graph.tensors[0].shape;
  }

  std::optional<std::string> fault;
};

TEST(Fold, ComputesWhatExportersLeave) {
  EXPECT_EQ(Single("Shape", {3}).with({2, 5, 7}, {}).folded(), (Values{2, 5, 7}));
  EXPECT_EQ(Single("Shape", {1}).with({2, 5, 7}, {}).set("start", {-1}).folded(), Values{7});
  EXPECT_EQ(Single("Size", {}).with({2, 5, 7}, {}).folded(), Values{70});
  EXPECT_EQ(Single("Gather", {2}).with({3}, {4, 5, 6}).with({2}, {-1, 0}).folded(), (Values{6, 4}));
  EXPECT_EQ(Single("Slice", {2}).with({4}, {1, 2, 3, 4}).with({1}, {-3}).with({1}, {3}).folded(),
            (Values{2, 3}));
  EXPECT_EQ(Single("Add", {2, 2}).with({2, 1}, {10, 20}).with({2}, {1, 2}).folded(),
            (Values{11, 12, 21, 22}));
  EXPECT_EQ(Single("Range", {3}).with({}, {5}).with({}, {-1}).with({}, {-2}).folded(),
            (Values{5, 3, 1}));
  EXPECT_EQ(Single("Where", {2}).with({2}, {0, 1}).with({1}, {8}).with({2}, {1, 2}).folded(),
            (Values{1, 8}));
  EXPECT_EQ(Single("Expand", {2, 3}).with({2, 1}, {1, 2}).with({2}, {2, 3}).folded(),
            (Values{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(Single("ConstantOfShape", {2}).with({1}, {2}).set("value", {9}).folded(),
            (Values{9, 9}));
  EXPECT_EQ(Single("ReduceProd", {1}).with({3}, {2, 3, 4}).folded(), Values{24});
}

TEST(Fold, LeavesOpenWhatItCannotSay) {
  const std::int64_t large = std::int64_t{1} << 62;
  EXPECT_EQ(Single("Mul", {1}).with({1}, {large}).with({1}, {4}).folded(), std::nullopt);
  EXPECT_EQ(Single("Div", {1}).with({1}, {3}).with({1}, {0}).folded(), std::nullopt);
  EXPECT_EQ(Single("Gather", {1}).with({3}, {4, 5, 6}).with({1}, {3}).folded(), std::nullopt);
  EXPECT_EQ(Single("Add", {2}).with({2}, {}).with({2}, {1, 2}).folded(), std::nullopt);
  EXPECT_EQ(Single("Sin", {1}).with({1}, {1}).folded(), std::nullopt);
  EXPECT_EQ(Single("ConstantOfShape", {1 << 20}).with({1}, {1 << 20}).set("value", {1}).folded(),
            std::nullopt);
}

TEST(OwnRules, ReduceTakesAxesFromEitherPlace) {
  EXPECT_EQ(
      Single("ReduceMean", {}).with({2, 3, 4}, {}).set("axes", {-1}).shaped(ShapeRule::kReduce),
      (Shape{2, 3, 1}));
  EXPECT_EQ(Single("ReduceMean", {})
                .with({2, 3, 4}, {})
                .with({2}, {0, 2})
                .set("keepdims", {0})
                .shaped(ShapeRule::kReduce),
            Shape{3});
  EXPECT_EQ(Single("ReduceMean", {}).with({2, 3}, {}).shaped(ShapeRule::kReduce), (Shape{1, 1}));
  Single wrong("ReduceMean", {});
  wrong.with({2, 3}, {}).set("axes", {2});
  EXPECT_EQ(wrong.shaped(ShapeRule::kReduce), std::nullopt);
  EXPECT_TRUE(wrong.fault);
}

TEST(OwnRules, PadTakesAxes) {
  EXPECT_EQ(Single("Pad", {}).with({2, 3}, {}).with({4}, {0, 1, 0, 2}).shaped(ShapeRule::kPad),
            (Shape{2, 6}));
  EXPECT_EQ(Single("Pad", {})
                .with({2, 3}, {})
                .with({2}, {1, 1})
                .without()
                .with({1}, {0})
                .shaped(ShapeRule::kPad),
            (Shape{4, 3}));
  Single wrong("Pad", {});
  wrong.with({2, 3}, {}).with({4}, {0, -2, 0, -2});
  wrong.shaped(ShapeRule::kPad);
  EXPECT_TRUE(wrong.fault);
}

TEST(Fold, KeepsToTheTypeOfItsNumbers) {
  const std::int64_t large = std::int64_t{1} << 32;
  EXPECT_EQ(Single("Cast", {1}).with({1}, {large}).folded(), Values{large});
  Single narrow("Cast", {1});
  narrow.graph.tensors[0].type = kInt32;
  EXPECT_EQ(narrow.with({1}, {large}).folded(), std::nullopt);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Single("Mod", {1}).with({1}, {kMost - 1}).with({1}, {kMost}).folded(),
            Values{kMost - 1});
  EXPECT_EQ(Single("Mod", {1}).with({1}, {-7}).with({1}, {5}).folded(), Values{3});
}

TEST(OwnRules, ConcatAndTileAreExact) {
  const std::int64_t half = std::int64_t{1} << 31;
  EXPECT_EQ(Single("Concat", {})
                .with({half, 8}, {})
                .with({half, 8}, {})
                .set("axis", {-2})
                .shaped(ShapeRule::kConcat),
            (Shape{2 * half, 8}));
  EXPECT_EQ(Single("Tile", {}).with({3, 8}, {}).with({2}, {2 * half, 1}).shaped(ShapeRule::kTile),
            (Shape{6 * half, 8}));
  Single misfit("Concat", {});
  misfit.with({2, 8}, {}).with({2, 7}, {}).set("axis", {0});
  EXPECT_EQ(misfit.shaped(ShapeRule::kConcat), std::nullopt);
  EXPECT_EQ(misfit.fault, "cannot join [2,8] and [2,7]");
}

TEST(OwnRules, SplitGivesEachOutputItsPart) {
  const auto parts = [](Single split) {
    split.node.outputs.push_back(split.graph.tensors.size());
    split.graph.tensors.push_back({.name = "second", .type = kInt64});
    const auto first = split.shaped(ShapeRule::kSplit);
    return std::pair(first, split.graph.tensors.back().shape);
  };
  EXPECT_EQ(parts(Single("Split", {}).with({2, 7}, {}).set("axis", {1})),
            std::pair(std::optional(Shape{2, 4}), std::optional(Shape{2, 3})));
  EXPECT_EQ(parts(Single("Split", {}).with({7}, {}).with({2}, {1, 6})),
            std::pair(std::optional(Shape{1}), std::optional(Shape{6})));
  EXPECT_EQ(parts(Single("Split", {}).with({7}, {}).set("split", {1, 5})).first, std::nullopt);
}

TEST(OwnRules, EinsumFollowsItsEquation) {
  const auto shape = [](const std::string& equation) {
    Single einsum("Einsum", {});
    einsum.with({2, 3, 4}, {}).with({4, 5}, {});
    einsum.node.attributes["equation"].text = equation;
    return einsum.shaped(ShapeRule::kEinsum);
  };
  EXPECT_EQ(shape("abc,cd->bd"), (Shape{3, 5}));
  EXPECT_EQ(shape("...c,cd->...d"), (Shape{2, 3, 5}));
  EXPECT_EQ(shape("abc,cd"), (Shape{2, 3, 5}));
  EXPECT_EQ(shape("ab,cd->a"), std::nullopt);
  EXPECT_EQ(shape("abc,bd->ad"), std::nullopt);
  EXPECT_EQ(shape("abc,cd->az"), std::nullopt);
  EXPECT_EQ(shape(""), std::nullopt);
}

}  // namespace
}  // namespace tilewright::onnx_import
