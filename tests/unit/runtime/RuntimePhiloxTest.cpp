/// \file
/// Random numbers: the published known answers, and independence of how a stream is cut.
#include "runtime/random/Philox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace clm::runtime;

// kat_vectors of the Random123 distribution, philox4x32 with 10 rounds.
TEST(RuntimePhilox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The fast loop must agree with the definition for every length, start and position of the block counter's carry.
TEST(RuntimePhilox, UniformFollowsTheDefinition) {
  NoisePlace place{0x0123456789abcdef, 3, 17};
  for (std::uint64_t first : {std::uint64_t{0}, std::uint64_t{64}, (std::uint64_t{1} << 34) - 24}) {
    for (std::size_t length : {1u, 3u, 31u, 32u, 33u, 200u}) {
      std::vector<float> values(length, -1);
      fillUniform(values, place, first);
      for (std::size_t i = 0; i < length; ++i) {
        std::uint64_t block = (first + i) / 4;
        PhiloxCounter words =
            philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), place.step, place.task},
                   {0x89abcdef, 0x01234567});
        ASSERT_EQ(values[i], static_cast<float>(words[(first + i) % 4] >> 8) / 16777216.0f) << first << " " << i;
      }
    }
  }
}

TEST(RuntimePhilox, UniformStaysBelowOne) {
  std::vector<float> values(1 << 20);
  fillUniform(values, {42, 0, 0});
  EXPECT_GE(*std::ranges::min_element(values), 0.0f);
  EXPECT_LT(*std::ranges::max_element(values), 1.0f);
  double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(1.0 / 12 / static_cast<double>(values.size())));
}

TEST(RuntimePhilox, NormalHasTheMomentsOfANormal) {
  std::vector<float> values(1 << 20);
  fillNormal(values, {42, 0, 0});
  double count = static_cast<double>(values.size()), mean = 0, square = 0, fourth = 0;
  for (double value : values) {
    mean += value / count;
    square += value * value / count;
    fourth += value * value * value * value / count;
  }
  EXPECT_NEAR(mean, 0, 5 / std::sqrt(count));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2 / count));
  EXPECT_NEAR(fourth, 3, 5 * std::sqrt(96 / count));
}

TEST(RuntimePhilox, NormalDoesNotDependOnHowAStreamIsCut) {
  std::vector<float> whole(64), tail(24);
  fillNormal(whole, {7, 1, 2});
  fillNormal(tail, {7, 1, 2}, 40);
  EXPECT_TRUE(std::equal(tail.begin(), tail.end(), whole.begin() + 40));
}

TEST(RuntimePhilox, EveryPartOfThePlaceMatters) {
  std::vector<std::vector<float>> draws;
  for (NoisePlace place :
       {NoisePlace{noiseKey(0, "a"), 0, 0}, NoisePlace{noiseKey(1, "a"), 0, 0}, NoisePlace{noiseKey(0, "b"), 0, 0},
        NoisePlace{noiseKey(0, "a"), 1, 0}, NoisePlace{noiseKey(0, "a"), 0, 1}}) {
    draws.emplace_back(8);
    fillUniform(draws.back(), place);
  }
  for (std::size_t i = 0; i < draws.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NE(draws[i], draws[j]);
}

TEST(RuntimePhilox, BelowCoversItsRange) {
  std::vector<int> hits(7);
  for (std::uint64_t i = 0; i < 7000; ++i)
    ++hits.at(uniformBelow(7, {1, 0, 0}, i));
  for (int hit : hits)
    EXPECT_NEAR(hit, 1000, 150);
  EXPECT_EQ(uniformBelow(1, {1, 0, 0}, 5), 0u);
}
