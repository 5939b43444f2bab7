#include "runtime/random/Philox.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace clm::runtime {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

inline void round(std::uint32_t &word0, std::uint32_t &word1, std::uint32_t &word2, std::uint32_t &word3,
                  std::uint32_t key0, std::uint32_t key1) {
  std::uint64_t product0 = std::uint64_t{kMultiplier0} * word0;
  std::uint64_t product1 = std::uint64_t{kMultiplier1} * word2;
  std::uint32_t next0 = static_cast<std::uint32_t>(product1 >> 32) ^ word1 ^ key0;
  std::uint32_t next2 = static_cast<std::uint32_t>(product0 >> 32) ^ word3 ^ key1;
  word0 = next0;
  word1 = static_cast<std::uint32_t>(product1);
  word2 = next2;
  word3 = static_cast<std::uint32_t>(product0);
}

inline float toUniform(std::uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

PhiloxKey split(std::uint64_t key) { return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}; }

PhiloxCounter counterOf(NoisePlace place, std::uint64_t block) {
  return {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), place.step, place.task};
}

/// Fills whole blocks one by one: the definition, and the tail of every fill.
void uniformBlocks(std::span<float> out, NoisePlace place, std::uint64_t block) {
  PhiloxKey key = split(place.key);
  for (std::size_t done = 0; done < out.size(); done += 4, ++block) {
    PhiloxCounter words = philox(counterOf(place, block), key);
    for (std::size_t i = 0; i < std::min<std::size_t>(4, out.size() - done); ++i)
      out[done + i] = toUniform(words[i]);
  }
}

#if defined(__x86_64__)

/// Four blocks side by side, a word in the low half of each 64-bit lane: the widening multiplication reads only that
/// half, so the upper halves may hold anything.
struct FourBlocks {
  __m256i word0, word1, word2, word3;
};

__attribute__((target("avx2"), always_inline)) inline FourBlocks startBlocks(NoisePlace place, std::uint64_t block) {
  __m256i index = _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(block)), _mm256_setr_epi64x(0, 1, 2, 3));
  return {index, _mm256_srli_epi64(index, 32), _mm256_set1_epi64x(place.step), _mm256_set1_epi64x(place.task)};
}

__attribute__((target("avx2"), always_inline)) inline void roundBlocks(FourBlocks &blocks, __m256i key0, __m256i key1) {
  __m256i product0 = _mm256_mul_epu32(blocks.word0, _mm256_set1_epi64x(kMultiplier0));
  __m256i product1 = _mm256_mul_epu32(blocks.word2, _mm256_set1_epi64x(kMultiplier1));
  blocks.word0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product1, 32), blocks.word1), key0);
  blocks.word2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product0, 32), blocks.word3), key1);
  blocks.word1 = product1;
  blocks.word3 = product0;
}

__attribute__((target("avx2"), always_inline)) inline void storeUniform(float *out, const FourBlocks &blocks) {
  const __m256 scale = _mm256_set1_ps(0x1p-24f);
  // Words 0 and 1 of a block side by side, then 2 and 3, then the four of a block together.
  __m256i front = _mm256_blend_epi32(blocks.word0, _mm256_slli_epi64(blocks.word1, 32), 0xAA);
  __m256i back = _mm256_blend_epi32(blocks.word2, _mm256_slli_epi64(blocks.word3, 32), 0xAA);
  __m256i even = _mm256_unpacklo_epi64(front, back), odd = _mm256_unpackhi_epi64(front, back);
  __m256i first = _mm256_permute2x128_si256(even, odd, 0x20), second = _mm256_permute2x128_si256(even, odd, 0x31);
  _mm256_storeu_ps(out, _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(first, 8)), scale));
  _mm256_storeu_ps(out + 8, _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(second, 8)), scale));
}

/// Dropout draws a number for every activation, so this is hot. Two independent chains hide the latency of the
/// multiplications. Returns how many numbers it wrote. Compilers do not find this form by themselves.
__attribute__((target("avx2"))) std::size_t uniformBlocksAvx2(std::span<float> out, NoisePlace place,
                                                              std::uint64_t block) {
  constexpr std::size_t numbers = 32; // of eight blocks
  __m256i keys0[kRounds], keys1[kRounds];
  PhiloxKey key = split(place.key);
  for (int i = 0; i < kRounds; ++i) {
    keys0[i] = _mm256_set1_epi64x(key[0] + static_cast<std::uint32_t>(i) * kWeyl0);
    keys1[i] = _mm256_set1_epi64x(key[1] + static_cast<std::uint32_t>(i) * kWeyl1);
  }
  std::size_t done = 0;
  for (; done + numbers <= out.size(); done += numbers, block += numbers / 4) {
    FourBlocks first = startBlocks(place, block), second = startBlocks(place, block + 4);
    for (int i = 0; i < kRounds; ++i) {
      roundBlocks(first, keys0[i], keys1[i]);
      roundBlocks(second, keys0[i], keys1[i]);
    }
    storeUniform(&out[done], first);
    storeUniform(&out[done + numbers / 2], second);
  }
  _mm256_zeroupper(); // the code around is not compiled for AVX and would wait for the upper halves
  return done;
}

#endif

} // namespace

PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  for (int i = 0; i < kRounds; ++i) {
    round(counter[0], counter[1], counter[2], counter[3], key[0], key[1]);
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint64_t noiseKey(std::uint64_t seed, std::string_view path) { return XXH64(path.data(), path.size(), seed); }

void fillUniform(std::span<float> out, NoisePlace place, std::uint64_t first) {
  std::size_t done = 0;
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2");
  if (wide)
    done = uniformBlocksAvx2(out, place, first / 4);
#endif
  uniformBlocks(out.subspan(done), place, (first + done) / 4);
}

void fillNormal(std::span<float> out, NoisePlace place, std::uint64_t first) {
  PhiloxKey key = split(place.key);
  std::uint64_t block = first / 4;
  for (std::size_t done = 0; done < out.size(); done += 4, ++block) {
    PhiloxCounter words = philox(counterOf(place, block), key);
    for (std::size_t i = 0; i < std::min<std::size_t>(4, out.size() - done); ++i) {
      // In (0, 1], so that the logarithm is finite.
      double radiusWord = (static_cast<double>(words[i & ~std::size_t{1}]) + 1) * 0x1p-32;
      double angle = 2 * std::numbers::pi * static_cast<double>(words[i | 1]) * 0x1p-32;
      double radius = std::sqrt(-2 * std::log(radiusWord));
      out[done + i] = static_cast<float>(radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle)));
    }
  }
}

std::uint64_t uniformBelow(std::uint64_t bound, NoisePlace place, std::uint64_t element) {
  PhiloxCounter words = philox(counterOf(place, element), split(place.key));
  std::uint64_t word = (std::uint64_t{words[1]} << 32) | words[0];
  // The high half of the product maps 64 random bits evenly to the range; the bias is below bound / 2^64.
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(word) * bound) >> 64);
}

} // namespace clm::runtime
