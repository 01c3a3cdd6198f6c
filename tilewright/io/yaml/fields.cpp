// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/fields.h"

#include <algorithm>
#include <array>

#include "tilewright/base/error.h"
#include "tilewright/io/yaml/field_kinds.h"

namespace tilewright {
namespace {

using enum FieldKind;
using Id = ObjectId;

constexpr std::array kDocumentFields = {
    Field{"workload", kObject, false, "none",
          "What is computed: an einsum and the sizes of its dims.",
          "{gemm: {m: 512, n: 768, k: 3072}}", Id::kWorkload},
    Field{"arch", kObject, false, "none",
          "What it runs on: memories and fan-outs, outermost first, and the compute unit.",
          "{nodes: [{memory: DRAM}, {compute: mac}]}", Id::kArch},
    Field{"mapping", kMapping, false, "none",
          "How the workload runs on the architecture: loops and kept tensors, outermost first.",
          "[{memory: DRAM, keep: [A, B, Z]}, {for: [m 512, n 768, k 3072]}]"},
    Field{"constraints", kConstraints, false, "none",
          "What a search must obey, memory by memory and fan-out by fan-out.",
          "[{at: GLB, keep: [input]}, {at: PE, dims: {X: [c, m]}}]"},
    Field{"network", kObject, false, "none",
          "A whole model: layers in the order in which they run, and the data that they pass to "
          "each other.",
          "{name: two, layers: [{name: a, gemm: {m: 8, n: 8, k: 8}}, {name: b, traffic: relu, "
          "from: [a]}]}",
          Id::kNetwork},
    Field{"sweep", kObject, false, "none",
          "Many designs of an architecture, and what runs on each of them (`tilewright sweep`).",
          "{arch: eyeriss, parameters: {glb: 32 KiB..256 KiB:*2}, set: {GLB.capacity: glb}, "
          "networks: [resnet50]}",
          Id::kSweep},
    Field{"flexibility", kObject, false, "none",
          "What the architecture may vary from layer to layer (`tilewright flex`).",
          "{dims: [c, m, p, q, r, s], buffer: GLB, array: PE, tile: full, order: fixed, "
          "orders: [[m, c, p, q, r, s]], parallelisms: [[c, m]]}",
          Id::kFlexibility}};

constexpr std::array kWorkloadFields = {
    Field{"name", kText, false, "the short form's name", "A name for reports.", "conv2"},
    Field{"einsum", kEinsum, false, "given by a short form",
          "What is computed: the output, and the product of the inputs that is summed into it.",
          "O[n,m,p,q] += I[n,c,2p+r,2q+s] * W[m,c,r,s]"},
    Field{"dims", kCountPerName, false, "given by a short form",
          "The size of every dim of the einsum.",
          "{n: 1, m: 64, c: 3, p: 112, q: 112, r: 7, s: 7}"},
    Field{"bits", kBitsPerTensor, false, "16",
          "The width of an element, by tensor name or role, or one number for all; for the output "
          "also `{final: 8, partial: 32}`.",
          "{I: 8, W: 8, O: {final: 8, partial: 24}}"},
    Field{"roles", kRolePerTensor, false,
          "the output is `output`, the last of several inputs `weight`, the others `input`",
          "A second name by which architectures may refer to a tensor.", "{W: weight}"},
    Field{"gemm", kObject, false, "none", "Short form of Z[m,n] += A[m,k] * B[k,n].",
          "{m: 512, n: 768, k: 3072}", Id::kGemm},
    Field{"bmm", kObject, false, "none", "Short form of Z[b,m,n] += A[b,m,k] * B[b,k,n].",
          "{b: 12, m: 128, n: 128, k: 64}", Id::kBmm},
    Field{"conv", kObject, false, "none",
          "Short form of Outputs[n,m,p,q] += Inputs[n,c,p+r,q+s] * Weights[m,c,r,s].",
          "{n: 1, m: 64, c: 3, p: 112, q: 112, r: 7, s: 7, stride: 2}", Id::kConv}};

constexpr std::array kGemmFields = {
    Field{"m", kCount, true, "", "Rows of A and Z.", "512"},
    Field{"n", kCount, true, "", "Columns of B and Z.", "768"},
    Field{"k", kCount, true, "", "Columns of A and rows of B: the dim that is summed over.",
          "3072"}};

constexpr std::array kBmmFields = {
    Field{"b", kCount, true, "", "Batch: the number of matrix products.", "12"},
    Field{"m", kCount, true, "", "Rows of A and Z.", "128"},
    Field{"n", kCount, true, "", "Columns of B and Z.", "128"},
    Field{"k", kCount, true, "", "Columns of A and rows of B: the dim that is summed over.", "64"}};

constexpr std::array kConvFields = {
    Field{"n", kCount, false, "1", "Batch: the number of images.", "1"},
    Field{"m", kCount, false, "1", "Output channels, in total over the groups.", "64"},
    Field{"c", kCount, false, "1", "Input channels, in total over the groups.", "3"},
    Field{"p", kCount, false, "1", "Output rows; with `transposed`, input rows.", "112"},
    Field{"q", kCount, false, "1", "Output columns; with `transposed`, input columns.", "112"},
    Field{"r", kCount, false, "1", "Filter rows.", "7"},
    Field{"s", kCount, false, "1", "Filter columns.", "7"},
    Field{"stride", kCountOrPair, false, "1",
          "Step of the filter: a number, or [along p, along q].", "2"},
    Field{"dilation", kCountOrPair, false, "1",
          "Step between the filter's taps: a number, or [along p, along q].", "1"},
    Field{"groups", kCount, false, "1",
          "Number of groups of channels; must divide `m` and `c`, and adds dim `g` if above 1.",
          "32"},
    Field{"depthwise", kFlag, false, "false", "One filter per channel; `m` is then left out.",
          "true"},
    Field{"transposed", kFlag, false, "false",
          "A transposed convolution: the stride applies to the output.", "true"}};

constexpr std::array kArchFields = {
    Field{"name", kText, false, "empty", "A name for reports.", "eyeriss"},
    Field{"note", kText, false, "empty",
          "Free text: what it models, and where the figures come from.",
          "the Ruby paper's Eyeriss (ISPASS 2022)"},
    Field{"clock", kClock, false, "none",
          "Cycles per second; needed only for bandwidths per second.", "200 MHz"},
    Field{"nodes", kArchNodes, true, "",
          "Memories and fan-outs, outermost first; the last node is the compute unit.",
          "[{memory: DRAM}, {fanout: PE, axes: {X: 14, Y: 12}}, {compute: mac}]"}};

constexpr std::array kMemoryFields = {
    Field{"memory", kName, true, "", "The name of a storage level; all figures are per instance.",
          "GLB"},
    Field{"word", kSize, false, "unknown", "What the unit `word` means in this node.", "16 bit"},
    Field{"width", kSize, false, "one element", "What one access moves; energies are per access.",
          "64 bit"},
    Field{"capacity", kSize, false, "unlimited",
          "How much it holds; shared by the tensors that it keeps.", "128 KiB"},
    Field{"buffering", kCount, false, "1",
          "Number of copies of a tile that must fit: with 2 (double buffering), a tile may use "
          "half of the capacity.",
          "2"},
    Field{"partition", kSizePerTensor, false, "none",
          "Capacity reserved for some tensors, which then use none of the shared capacity.",
          "{input: 64 KiB}"},
    Field{"bits", kBitsPerTensor, false, "as in the workload",
          "Element widths in this memory, where they differ from the workload's; for the output "
          "also `{final: 8, partial: 32}`.",
          "{output: {final: 8 bit, partial: 24 bit}}"},
    Field{"bandwidth", kBandwidth, false, "unlimited", "What reads and writes together can move.",
          "4 word/cycle"},
    Field{"read_bandwidth", kBandwidth, false, "unlimited", "What reads can move.", "4 word/cycle"},
    Field{"write_bandwidth", kBandwidth, false, "unlimited",
          "What writes (fills and updates) can move.", "4 word/cycle"},
    Field{"energy", kObject, false, "not given, counts as 0", "Energy per access, or per bit.",
          "{read: 18.2 pJ, write: 14.1 pJ}", Id::kMemoryEnergy},
    Field{"keep", kTensors, false, "all",
          "Tensors (names or roles) that it may keep; [] means none.", "[input, output]"},
    Field{
        "sliding", kTensorsOrFlag, false, "true",
        "Whether the overlap of consecutive tiles is retained, for all tensors or for those named.",
        "[input]"},
    Field{"off_chip", kFlag, false,
          "true for the outermost memory, and for one without capacity whose `keep` names nothing "
          "that a memory outside it may keep",
          "Whether its traffic leaves the chip; the DRAM traffic in reports is the sum over these "
          "memories.",
          "true"},
    Field{"leakage", kLeakage, false, "0 pJ/cycle", "Energy used in every cycle, busy or not.",
          "0.5 pJ/cycle"},
    Field{"area", kArea, false, "0 um2", "Area of one instance.", "0.2 mm2"}};

constexpr std::array kMemoryEnergyFields = {
    Field{"read", kAccessEnergy, false, "not given", "Energy of a read.", "18.2 pJ"},
    Field{"write", kAccessEnergy, false, "not given",
          "Energy of a write, that is, of fills and updates.", "14.1 pJ"},
    Field{"fill", kAccessEnergy, false, "not given",
          "Energy of writing data that arrives from the memory outside.", "14.1 pJ"},
    Field{"update", kAccessEnergy, false, "not given",
          "Energy of writing a result that arrives from inside.", "14.1 pJ"},
    Field{"source", kText, false, "empty", "Where the figures come from.", "CACTI 7, 65 nm"}};

constexpr std::array kElementWidthFields = {
    Field{"final", kBits, true, "", "The width of a finished element of the output.", "8"},
    Field{"partial", kBits, false, "as `final`", "Its width as a partial sum; at least `final`.",
          "32"}};

constexpr std::array kFanoutFields = {
    Field{"fanout", kName, true, "",
          "The name of a fan-out, which replicates everything inside it.", "PE"},
    Field{"axes", kCountPerName, true, "",
          "The sides of the array; their product is the number of copies.", "{X: 14, Y: 12}"},
    Field{"multicast", kMulticast, false, "equal",
          "How one read serves several children: `none`, `equal` (same tile) or `overlap` (any "
          "element once).",
          "equal"},
    Field{"reduction", kFlag, false, "true",
          "Whether results for the same tile are summed as they leave the fan-out.", "true"}};

constexpr std::array kComputeFields = {
    Field{"compute", kName, true, "",
          "The name of the compute unit, which does one multiply-accumulate per cycle.", "mac"},
    Field{"energy", kComputeEnergy, false, "not given, counts as 0",
          "Energy of one multiply-accumulate.", "2.2 pJ", Id::kComputeEnergy},
    Field{"leakage", kLeakage, false, "0 pJ/cycle", "Energy used in every cycle, busy or not.",
          "0.01 pJ/cycle"},
    Field{"area", kArea, false, "0 um2", "Area of one unit.", "300 um2"}};

constexpr std::array kComputeEnergyFields = {
    Field{"compute", kEnergy, false, "not given", "Energy of one multiply-accumulate.", "2.2 pJ"},
    Field{"source", kText, false, "empty", "Where the figure comes from.", "Horowitz 2014"}};

constexpr std::array kMappingMemoryFields = {
    Field{"memory", kName, true, "", "The memory that this entry is about.", "GLB"},
    Field{"keep", kTensors, false, "none", "Tensors (names or roles) that the memory keeps here.",
          "[Inputs, Outputs]"}};

constexpr std::array kMappingLoopsFields = {
    Field{"for", kLoops, true, "",
          "Temporal loops, outermost first; `p *` means as many iterations as are left.",
          "[p 8, q 2, m 4]"}};

constexpr std::array kMappingFanoutFields = {
    Field{"fanout", kName, true, "", "The fan-out over which loops are spread.", "PE"},
    Field{"parfor", kLoops, false, "none",
          "Spatial loops, each on an axis; `on X` may be left out if there is only one axis.",
          "[q 14 on X, c 3 on Y]"}};

constexpr std::array kMappingComputeFields = {
    Field{"compute", kName, true, "", "The compute unit; may be left out.", "mac"}};

constexpr std::array kConstraintFields = {
    Field{"at", kName, true, "", "The memory or fan-out that the other keys are about.", "GLB"},
    Field{"keep", kTensors, false, "none",
          "Memory: tensors (names or roles) that must be kept here.", "[input]"},
    Field{"bypass", kTensors, false, "none",
          "Memory: tensors (names or roles) that must not be kept here.", "[weight]"},
    Field{"factors", kFactors, false, "none",
          "Factors of its loops; at a fan-out with several axes, each names one of them: `c = 4 on "
          "X`.",
          "[c = 1, p <= 7, m >= 2]"},
    Field{"remainders", kFlag, false, "true",
          "Whether its factors may leave remainders; if false, each divides what it splits.",
          "false"},
    Field{"order", kOrder, false, "any",
          "Memory: the order of its loops, outermost first; `...` stands for all others, in any "
          "order.",
          "[m, ..., q, c]"},
    Field{"dims", kDimsPerAxis, false, "all",
          "Fan-out: the only dims that may be spread over an axis; [] means none.",
          "{X: [c, m], Y: [q]}"},
    Field{"utilization", kShare, false, "0 %",
          "Fan-out: the least share of its children that must work in a full pass.", "75 %"}};

constexpr std::array kNetworkFields = {
    Field{"name", kText, false, "empty", "A name for reports.", "resnet50"},
    Field{"summary", kText, false, "empty", "What it is, and where it comes from.",
          "ResNet-50 v1.5, 224 x 224"},
    Field{"bits", kBits, false, "16",
          "The width of an element, unless a layer or edge says otherwise.", "8"},
    Field{"other_parameters", kCountFromZero, false, "0",
          "Learned elements that belong to no layer, e.g. an embedding table.", "262668288"},
    Field{"edges", kEdges, false, "none",
          "Data that comes from outside, or whose size does not follow from its layer.",
          "[{name: image, elements: 150528}]"},
    Field{"layers", kLayers, false, "given by `llm`", "Layers in the order in which they run.",
          "[{name: conv1, conv: {m: 64, c: 3, p: 112, q: 112, r: 7, s: 7, stride: 2}}]"},
    Field{"llm", kObject, false, "none",
          "Instead of layers: the parameters of a language model, from which the layers follow.",
          "{hidden: 2048, layers: 16, heads: 32, kv_heads: 8, ffn: 8192, vocab: 128256, "
          "phase: prefill, seq: 1024}",
          Id::kLlm}};

constexpr std::array kLlmFields = {
    Field{"hidden", kCount, true, "", "Width of the hidden state between blocks.", "2048"},
    Field{"layers", kCount, true, "", "Number of transformer blocks.", "16"},
    Field{"heads", kCount, true, "", "Query heads per block.", "32"},
    Field{"kv_heads", kCount, false, "as many as `heads`",
          "Key and value heads per block; must divide `heads`.", "8"},
    Field{"head_size", kCount, false, "`hidden` / `heads`", "Width of a head.", "64"},
    Field{"ffn", kCount, true, "", "Width inside the feed-forward network.", "8192"},
    Field{"vocab", kCount, true, "", "Size of the vocabulary.", "128256"},
    Field{"tied", kFlag, false, "false",
          "Whether lm_head shares its weights with the embedding table.", "true"},
    Field{"gated", kFlag, false, "true",
          "Whether the feed-forward network is gated: three matrix products instead of two.",
          "true"},
    Field{"qk_norm", kFlag, false, "false", "Whether queries and keys are normalized.", "true"},
    Field{"phase", kPhase, true, "",
          "`prefill`: `seq` tokens at once; `decode`: one more token after `context`.", "prefill"},
    Field{"batch", kCount, false, "1", "Sequences.", "8"},
    Field{"seq", kCount, false, "1; required for prefill", "New tokens per sequence.", "1024"},
    Field{"context", kCount, false, "`seq`; required for decode",
          "Number of keys that a new token attends to, including the new ones.", "8192"},
    Field{"grouped", kFlag, false, "true",
          "Whether query heads that share keys are rows of one product.", "false"},
    Field{"last_only", kFlag, false, "false",
          "Whether lm_head runs only for the last token of each sequence.", "true"}};

// A layer that is computed has the keys of a workload.
constexpr std::array kLayerFields = {
    Field{"name", kText, true, "", "Its name, and that of the edge that it writes.", "conv1"},
    kWorkloadFields[1],
    kWorkloadFields[2],
    Field{"bits", kBitsPerTensor, false, "as in the network",
          "The width of an element, by tensor name or role, or one number for all.",
          "{input: 8, weight: 8}"},
    kWorkloadFields[4],
    kWorkloadFields[5],
    kWorkloadFields[6],
    kWorkloadFields[7],
    Field{
        "traffic", kText, false, "none",
        "Instead of an einsum: an operator that moves its edges once and computes next to nothing.",
        "softmax"},
    Field{"nothing", kText, false, "none",
          "Instead of an einsum: an operator that leaves data where it is.", "reshape"},
    Field{"op", kText, false, "its form", "What its source calls it.", "Conv"},
    Field{"domain", kText, false, "empty", "What it is for.", "vision"},
    Field{"count", kCount, false, "1", "How often it runs.", "12"},
    Field{"from", kEdgeUses, false, "unknown",
          "What it reads: earlier layers and edges. A name feeds the first input; {edge: x, "
          "tensor: B} feeds another tensor; {edge: x} feeds none, e.g. a bias.",
          "[conv1]"},
    Field{"to", kEdgeUses, false,
          "an edge with its own name, if it has `from` or another layer reads it",
          "What it writes.", "[{edge: conv1, tensor: output}]"},
    Field{"elements", kCount, false,
          "those of the output; for `traffic` and `nothing`, those of the first edge read",
          "Number of elements of the edge that it writes.", "150528"},
    Field{"parameters", kCountFromZero, false,
          "the elements of the tensors with role `weight` that no edge feeds",
          "Number of learned elements in one run.", "9408"},
    Field{"parameter_bits", kBits, false, "the width of the weights",
          "The width of a learned element.", "8"}};

constexpr std::array kEdgeFields = {
    Field{"name", kText, true, "", "Its name.", "image"},
    Field{"elements", kCount, true, "",
          "Number of elements, without the padding that a convolution reads around them.",
          "150528"},
    Field{"bits", kBits, false, "as in the network", "The width of an element.", "8"}};

constexpr std::array kEdgeUseFields = {
    Field{"edge", kText, true, "", "The name of an edge, or of the layer that writes it.", "image"},
    Field{"tensor", kText, false, "none", "The tensor (name or role) that it feeds.", "B"}};

constexpr std::array kSweepFields = {
    Field{"name", kText, false, "sweep", "A name for reports.", "arrays"},
    Field{"arch", kText, true, "", "The architecture: a name of the library, or a file.",
          "eyeriss"},
    Field{"parameters", kParameters, false, "none: one design",
          "What varies, each with its values: a list, or a range with a step.",
          "{x: 2..16:+2, glb: 32 KiB..256 KiB:*2}"},
    Field{"set", kSettings, false, "none",
          "Figures of the architecture, named as `--with` has them, as arithmetic over the "
          "parameters.",
          "{PE.axes.X: x, GLB.capacity: 'max(glb, 8 KiB * x)'}"},
    Field{"where", kTexts, false, "none", "Conditions that every design must meet.",
          "[x <= 14, glb >= 4 KiB * x]"},
    Field{"networks", kWeighted, false, "none",
          "Networks that run on every design: names of the library, YAML or ONNX files.",
          "[resnet50, {network: bert-base-128, weight: 2}]", Id::kSweepNetwork},
    Field{"workloads", kWeighted, false, "none",
          "Single operators, or layers of networks of the library, that run on every design.",
          "[gemm 512 768 3072, {workload: resnet50/conv1, weight: 3}]", Id::kSweepWorkload},
    Field{"spaces", kTexts, false, "[ruby-s]", "Spaces that are searched, each for itself.",
          "[pfm, ruby-s]"},
    Field{
        "placements", kTexts, false, "[even]",
        "Whether memories may keep their tensors at different points of the nest, each for itself.",
        "[even, uneven]"},
    Field{"objectives", kTexts, false, "[edp]", "What is best, each for itself.", "[edp, energy]"},
    Field{"budget", kText, false, "none", "When a search ends at the latest; nodes repeat exactly.",
          "1e6 nodes"},
    Field{"gap", kText, false, "0 %", "A mapping this close to the bound is good enough.", "1%"}};

constexpr std::array kSweepNetworkFields = {
    Field{"network", kText, true, "", "A network of the library, or a file.", "bert-base-128"},
    Field{"weight", kCount, false, "1", "How much it counts in totals of several.", "2"}};

constexpr std::array kSweepWorkloadFields = {
    Field{"workload", kText, true, "", "An operator, or a layer of a network of the library.",
          "resnet50/conv1"},
    Field{"weight", kCount, false, "1", "How much it counts in totals of several.", "3"}};

constexpr std::array kFlexibilityFields = {
    Field{"dims", kTexts, true, "",
          "The loops that the control of the accelerator iterates over; loops over other dims run "
          "around everything else.",
          "[c, m, p, q, r, s]"},
    Field{"gemm", kNamePerName, false, "none",
          "What the loops of a matrix product are called on this accelerator.",
          "{m: p, n: m, k: c}"},
    Field{"buffer", kText, true, "", "The memory whose tiles may vary.", "GLB"},
    Field{"array", kText, true, "", "The fan-out whose parallelism and shape may vary.", "PE"},
    Field{"tile", kDegree, false, "fixed",
          "Tile sizes: those of the same `loops` for all layers, any that fit a `partition` of the "
          "buffer, or any that fit.",
          "full"},
    Field{"order", kDegree, false, "fixed",
          "Loop orders: the first of `orders` for all layers, any of them, or any at all.",
          "partial"},
    Field{"parallelism", kDegree, false, "fixed",
          "The dims that run in parallel: the first of `parallelisms`, any of them, or any.",
          "fixed"},
    Field{"shape", kDegree, false, "fixed",
          "The shape of the array: its axes as they are, any that is made up of `block`s, or any "
          "with as many units.",
          "full"},
    Field{"loops", kLoopsPerMemory, false, "1",
          "Fixed tiles: the factors of the loops in the buffer and in the memories inside it. A "
          "tile is as large as these loops and what the array spreads make it.",
          "{GLB: {p: 3, q: 3, r: 3, s: 3}}"},
    Field{"partition", kCountPerName, false, "none",
          "Partial tiles: the proportions in which tensors, by name or role, share the buffer.",
          "{input: 1, weight: 1, output: 1}"},
    Field{"orders", kDimLists, true, "", "Loop orders, outermost loop first.",
          "[[m, c, p, q, r, s], [p, q, m, c, r, s]]"},
    Field{"parallelisms", kDimLists, true, "", "One dim for each axis of the array.",
          "[[c, m], [p, q]]"},
    Field{"block", kCountOrPair, false, "none",
          "Partial shapes: the array is put together from blocks of this shape.", "[16, 16]"},
    Field{"area", kObject, false,
          "the flexibility paper's, in proportion to the units of the array",
          "What flexibility adds to the area of the accelerator.",
          "{base: 2 mm2, tile: 100 um2, order: 5000 um2, parallelism: 3000 um2, shape: 600 um2}",
          Id::kFlexibilityArea}};

constexpr std::array kFlexibilityAreaFields = {
    Field{"base", kArea, true, "", "Area of the accelerator if it varies nothing.", "2 mm2"},
    Field{"tile", kArea, true, "", "Area that flexible tile sizes add.", "100 um2"},
    Field{"order", kArea, true, "", "Area that flexible loop orders add.", "5000 um2"},
    Field{"parallelism", kArea, true, "", "Area that flexible parallelism adds.", "3000 um2"},
    Field{"shape", kArea, true, "", "Area that a flexible shape of the array adds.", "600 um2"},
    Field{"partial", kShare, false, "0.5",
          "The share of these that an axis adds if it is only partly flexible.", "0.4"}};

constexpr std::array kObjects = {
    ObjectFields{Id::kDocument, "file", "a file", kDocumentFields},
    ObjectFields{Id::kWorkload, "workload", "a workload", kWorkloadFields},
    ObjectFields{Id::kGemm, "gemm", "a gemm", kGemmFields},
    ObjectFields{Id::kBmm, "bmm", "a bmm", kBmmFields},
    ObjectFields{Id::kConv, "conv", "a conv", kConvFields},
    ObjectFields{Id::kArch, "arch", "an architecture", kArchFields},
    ObjectFields{Id::kMemory, "memory", "a memory", kMemoryFields},
    ObjectFields{Id::kMemoryEnergy, "memory.energy", "a memory's energy", kMemoryEnergyFields},
    ObjectFields{Id::kElementWidth, "bits", "the width of an output", kElementWidthFields},
    ObjectFields{Id::kFanout, "fanout", "a fan-out", kFanoutFields},
    ObjectFields{Id::kCompute, "compute", "a compute unit", kComputeFields},
    ObjectFields{Id::kComputeEnergy, "compute.energy", "a compute unit's energy",
                 kComputeEnergyFields},
    ObjectFields{Id::kMappingMemory, "mapping.memory", "a memory of a mapping",
                 kMappingMemoryFields},
    ObjectFields{Id::kMappingLoops, "mapping.for", "the loops of a mapping", kMappingLoopsFields},
    ObjectFields{Id::kMappingFanout, "mapping.fanout", "a fan-out of a mapping",
                 kMappingFanoutFields},
    ObjectFields{Id::kMappingCompute, "mapping.compute", "the compute unit of a mapping",
                 kMappingComputeFields},
    ObjectFields{Id::kConstraint, "constraints", "a constraint", kConstraintFields},
    ObjectFields{Id::kNetwork, "network", "a network", kNetworkFields},
    ObjectFields{Id::kLlm, "llm", "an llm", kLlmFields},
    ObjectFields{Id::kLayer, "layer", "a layer", kLayerFields},
    ObjectFields{Id::kEdge, "edge", "an edge", kEdgeFields},
    ObjectFields{Id::kEdgeUse, "from", "what a layer reads or writes", kEdgeUseFields},
    ObjectFields{Id::kSweep, "sweep", "a sweep", kSweepFields},
    ObjectFields{Id::kSweepNetwork, "sweep.networks", "a network of a sweep", kSweepNetworkFields},
    ObjectFields{Id::kSweepWorkload, "sweep.workloads", "a workload of a sweep",
                 kSweepWorkloadFields},
    ObjectFields{Id::kFlexibility, "flexibility", "a flexibility", kFlexibilityFields},
    ObjectFields{Id::kFlexibilityArea, "flexibility.area", "the area of flexibility",
                 kFlexibilityAreaFields}};

DocEntry doc_entry(const ObjectFields& object, const Field& field) {
  return {std::string(object.name),
          std::string(field.key),
          describe_kind(field.kind),
          field.required,
          std::string(field.default_text),
          std::string(field.meaning),
          std::string(field.key) + ": " + std::string(field.example)};
}

}  // namespace

std::span<const ObjectFields> all_objects() { return kObjects; }

const ObjectFields& fields_of(ObjectId id) {
  const auto it = std::ranges::find(kObjects, id, &ObjectFields::id);
  TW_CHECK(it != kObjects.end(), "every object has a field list");
  return *it;
}

std::vector<std::string> keys_of(ObjectId id) {
  std::vector<std::string> keys;
  for (const Field& field : fields_of(id).fields) keys.emplace_back(field.key);
  return keys;
}

std::vector<DocEntry> doc_entries() {
  std::vector<DocEntry> entries;
  for (const ObjectFields& object : kObjects) {
    for (const Field& field : object.fields) entries.push_back(doc_entry(object, field));
  }
  return entries;
}

std::vector<DocEntry> find_doc(std::string_view key) {
  std::vector<DocEntry> found;
  for (const DocEntry& entry : doc_entries()) {
    if (entry.key == key || entry.object + "." + entry.key == key) found.push_back(entry);
  }
  for (const DocEntry& entry : doc_entries()) {
    if (entry.object == key && entry.key != key) found.push_back(entry);
  }
  return found;
}

}  // namespace tilewright
