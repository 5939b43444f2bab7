#include "runtime/module/Seal.h"

#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

namespace clm::runtime {

static constexpr std::string_view kMark = "clm-seal";

std::string sealOf(std::string_view module) {
  std::uint64_t hash = XXH64(module.data(), module.size(), 0);
  std::string seal(kMark);
  seal.append(reinterpret_cast<const char *>(&hash), sizeof hash);
  return seal;
}

std::string checkSeal(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string content(std::istreambuf_iterator<char>(file), {});
  std::size_t sealSize = kMark.size() + sizeof(std::uint64_t);
  if (content.size() < sealSize)
    return "";
  std::string_view module = std::string_view(content).substr(0, content.size() - sealSize);
  std::string_view seal = std::string_view(content).substr(module.size());
  if (!seal.starts_with(kMark) || seal == sealOf(module))
    return "";
  return "it is damaged (its checksum does not fit); compile the spec again";
}

} // namespace clm::runtime
