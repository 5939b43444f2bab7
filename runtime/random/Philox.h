/// \file
/// Counter-based random numbers: Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). A
/// number depends on where it is used and on nothing else, so that order of execution, threads and memory layout do not
/// matter and a run can go on from any point.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace clm::runtime {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// The bare function of the paper.
PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key);

/// One use of a noise stream.
struct NoisePlace {
  std::uint64_t key = 0; // noiseKey(seed, path)
  std::uint32_t task = 0;
  std::uint32_t step = 0;
};

/// Key of a noise stream in a run: the 64-bit xxHash of its path, seeded with the run's seed.
std::uint64_t noiseKey(std::uint64_t seed, std::string_view path);

/// Numbers first, first + 1, ... of a place. Word w of element e is word e % 4 of philox({block low, block high, step,
/// task}, key) with block = e / 4. `first` must be a multiple of 4.
///
/// Uniform: (word >> 8) / 2^24, so in [0, 1) and exact in single precision.
void fillUniform(std::span<float> out, NoisePlace place, std::uint64_t first = 0);

/// Standard normal by Box and Muller in double precision from the words of two neighbours, rounded to single precision.
void fillNormal(std::span<float> out, NoisePlace place, std::uint64_t first = 0);

/// A whole number in [0, bound), for shuffles. `bound` is at least 1.
std::uint64_t uniformBelow(std::uint64_t bound, NoisePlace place, std::uint64_t element);

} // namespace clm::runtime
