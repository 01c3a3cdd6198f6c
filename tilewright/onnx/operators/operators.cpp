// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/operators/operators.h"

#include <map>
#include <sstream>
#include <string>

namespace tilewright::onnx_import {
namespace {

using Table = std::map<std::string, Operator, std::less<>>;

void add(Table& table, const char* names, const Operator& meaning) {
  std::istringstream words(names);
  for (std::string word; words >> word;) table.emplace(word, meaning);
}

Table standard_table() {
  Table table;
  add(table, "Conv ConvInteger ConvTranspose QLinearConv", {Handling::kConv});
  add(table, "Gemm MatMul MatMulInteger QLinearMatMul", {Handling::kProduct});
  add(table, "Einsum", {Handling::kEinsum, ShapeRule::kEinsum});
  add(table, "Attention", {Handling::kAttention, ShapeRule::kAttention});
  add(table, "GRU LSTM RNN", {Handling::kRecurrent});
  add(table, "If Loop Scan SequenceMap", {Handling::kSubgraph});
  add(table,
      "Abs Acos Acosh Add And Asin Asinh Atan Atanh BatchNormalization BitShift BitwiseAnd "
      "BitwiseNot BitwiseOr BitwiseXor Cast CastLike Ceil Celu Clip Cos Cosh Div Elu Equal Erf Exp "
      "Floor Greater GreaterOrEqual HardSigmoid HardSwish IsInf IsNaN LeakyRelu Less LessOrEqual "
      "Log Max Mean Min Mod Mul Neg Not Or PRelu Pow Reciprocal Relu Round Selu Shrink Sigmoid "
      "Sign Sin Sinh Softplus Softsign Sqrt Sub Sum Tan Tanh ThresholdedRelu Where Xor",
      {Handling::kTraffic, ShapeRule::kElementwise, nullptr, true});
  add(table,
      "CumSum Trilu "
      // Normalization.
      "Hardmax InstanceNormalization LRN LayerNormalization LogSoftmax LpNormalization "
      "MeanVarianceNormalization Softmax",
      {Handling::kTraffic, ShapeRule::kElementwise});
  add(table,
      // Pooling and sampling.
      "AveragePool GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample LpPool MaxPool "
      "MaxRoiPool MaxUnpool Resize RoiAlign Upsample "
      // Choosing and scattering by values.
      "ArgMax ArgMin Compress GatherElements GatherND NonMaxSuppression NonZero OneHot "
      "ReverseSequence Scatter ScatterElements ScatterND TopK Unique "
      // Making data.
      "Bernoulli ConstantOfShape EyeLike Multinomial RandomNormal RandomNormalLike RandomUniform "
      "RandomUniformLike Range",
      {Handling::kTraffic});
  add(table, "Gelu Mish Swish", {Handling::kTraffic, ShapeRule::kFirst, nullptr, true});
  add(table, "GroupNormalization RMSNormalization RotaryEmbedding",
      {Handling::kTraffic, ShapeRule::kFirst});
  add(table,
      "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd "
      "ReduceSum ReduceSumSquare",
      {Handling::kTraffic, ShapeRule::kReduce});
  add(table, "Pad", {Handling::kTraffic, ShapeRule::kPad});
  add(table, "DynamicQuantizeLinear", {Handling::kTraffic});
  add(table, "Gather", {Handling::kLookup});
  add(table, "Dropout Flatten Identity Reshape Squeeze Unsqueeze", {Handling::kView});
  add(table, "DepthToSpace Expand Slice SpaceToDepth Transpose", {Handling::kArrange});
  add(table, "Concat", {Handling::kArrange, ShapeRule::kConcat});
  add(table, "Split", {Handling::kArrange, ShapeRule::kSplit});
  add(table, "Tile", {Handling::kArrange, ShapeRule::kTile});
  add(table, "QuantizeLinear", {Handling::kQuantize});
  add(table, "DequantizeLinear", {Handling::kDequantize});
  add(table, "Constant Shape Size", {Handling::kShape});
  return table;
}

Table microsoft_table() {
  Table table;
  add(table, "FusedConv", {Handling::kConv, ShapeRule::kLibrary, "Conv"});
  add(table, "FusedGemm", {Handling::kProduct, ShapeRule::kLibrary, "Gemm"});
  add(table, "FusedMatMul MatMulIntegerToFloat MatMulNBits QGemm",
      {Handling::kProduct, ShapeRule::kProduct});
  add(table, "Attention GroupQueryAttention MultiHeadAttention",
      {Handling::kAttention, ShapeRule::kAttention});
  add(table, "BiasGelu FastGelu Gelu QLinearLeakyRelu QLinearSigmoid QuickGelu",
      {Handling::kTraffic, ShapeRule::kFirst, nullptr, true});
  add(table,
      "QLinearSoftmax RotaryEmbedding SimplifiedLayerNormalization SkipLayerNormalization "
      "SkipSimplifiedLayerNormalization",
      {Handling::kTraffic, ShapeRule::kFirst});
  add(table, "QLinearAdd QLinearMul", {Handling::kTraffic, ShapeRule::kQuantized, nullptr, true});
  add(table, "QLinearAveragePool", {Handling::kTraffic, ShapeRule::kLibrary, "AveragePool"});
  add(table, "QLinearGlobalAveragePool",
      {Handling::kTraffic, ShapeRule::kLibrary, "GlobalAveragePool"});
  add(table, "QuantizeLinear", {Handling::kQuantize, ShapeRule::kLibrary, "QuantizeLinear"});
  add(table, "DequantizeLinear", {Handling::kDequantize, ShapeRule::kLibrary, "DequantizeLinear"});
  return table;
}

}  // namespace

Operator find_operator(std::string_view domain, std::string_view op) {
  static const Table standard = standard_table();
  static const Table microsoft = microsoft_table();
  // Exporters of ONNX Runtime put these into the standard domain.
  const bool contributed = domain == "com.microsoft" || op == "SimplifiedLayerNormalization";
  if (!contributed && !domain.empty()) return {};
  const Table& table = contributed ? microsoft : standard;
  const auto it = table.find(op);
  return it == table.end() ? Operator{} : it->second;
}

}  // namespace tilewright::onnx_import
