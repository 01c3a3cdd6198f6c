// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/sha256.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tilewright {
namespace {

using Word = std::uint32_t;
using State = std::array<Word, 8>;

constexpr std::size_t kBlock = 64;  // bytes

// The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the
// cube roots of the first 64.
constexpr State kStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
constexpr std::array<Word, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::array<Word, 64> schedule(std::string_view block) {
  std::array<Word, 64> w{};
  for (std::size_t i = 0; i < kBlock; ++i) {
    w[i / 4] = w[i / 4] << 8U | static_cast<unsigned char>(block[i]);
  }
  for (std::size_t i = 16; i < w.size(); ++i) {
    const Word a = w[i - 15];
    const Word b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U);
  }
  return w;
}

void add_block(State& state, std::string_view block) {
  const std::array<Word, 64> w = schedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const Word chosen = (e & f) ^ (~e & g);
    const Word most = (a & b) ^ (a & c) ^ (b & c);
    const Word first =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + chosen + kRounds[i] + w[i];
    const Word second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + most;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const State sum = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += sum[i];
}

// What follows the last whole block: the rest, a bit, zeros, the length in bits.
std::string tail(std::string_view bytes) {
  std::string text(bytes.substr(bytes.size() / kBlock * kBlock));
  text += '\x80';
  while (text.size() % kBlock != kBlock - 8) text += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) {
    text += static_cast<char>(static_cast<unsigned char>(bits >> static_cast<unsigned>(shift)));
  }
  return text;
}

}  // namespace

Digest sha256_digest(std::string_view bytes) {
  State state = kStart;
  const auto add = [&](std::string_view text) {
    for (std::size_t i = 0; i + kBlock <= text.size(); i += kBlock) {
      add_block(state, text.substr(i, kBlock));
    }
  };
  add(bytes);
  add(tail(bytes));
  Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

std::string to_hex(const Digest& digest) {
  std::string digits;
  for (const std::uint8_t byte : digest) {
    digits += "0123456789abcdef"[byte >> 4U];
    digits += "0123456789abcdef"[byte & 15U];
  }
  return digits;
}

std::string sha256(std::string_view bytes) { return to_hex(sha256_digest(bytes)); }

}  // namespace tilewright
