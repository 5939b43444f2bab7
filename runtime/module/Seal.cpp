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

std::string checkSeal(const std::string &path, std::uint64_t moduleBytes) {
  std::ifstream file(path, std::ios::binary);
  const std::string content(std::istreambuf_iterator<char>(file), {});
  if (content.size() == moduleBytes)
    return "";
  std::string_view module = std::string_view(content).substr(0, moduleBytes);
  if (std::string_view(content).substr(module.size()) == sealOf(module))
    return "";
  return "it is damaged or cut short (its checksum does not fit); compile the spec again";
}

} // namespace clm::runtime
