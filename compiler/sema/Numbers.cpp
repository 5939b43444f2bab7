#include "sema/Numbers.h"

#include <charconv>
#include <cmath>

namespace clm::sema {

std::optional<double> parseNumber(const std::string &text) {
  double number = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number))
    return std::nullopt;
  return number;
}

} // namespace clm::sema
