/// \file
/// The safetensors format: eight bytes of header length, a JSON header, raw little-endian tensors. A writer, and a
/// reader that believes nothing a file says before it has checked it.
#pragma once

#include "runtime/abi/clm_runtime.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clm::runtime {

/// A tensor of a file. `element` is one of CLM_FLOAT32 ... CLM_BOOL.
struct StoredTensor {
  std::string name;
  int element = CLM_FLOAT32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes; // borrowed; need not be aligned

  std::int64_t count() const;
  /// All elements as double, or as float. 64-bit numbers are rounded.
  std::vector<double> values() const;
  std::vector<float> floats() const;
  std::vector<std::int64_t> integers() const;
};

/// A file read whole.
class SafetensorsFile {
public:
  /// Throws UserError for a file that is missing, cut, damaged, or has element types this project does not use.
  static SafetensorsFile read(const std::filesystem::path &path);

  const std::vector<StoredTensor> &tensors() const { return list; }
  const std::map<std::string, std::string> &metadata() const { return notes; }
  /// The tensor of that name, or null.
  const StoredTensor *find(std::string_view name) const;

private:
  std::vector<std::byte> content;
  std::vector<StoredTensor> list; // sorted by name; their bytes lie in `content`
  std::map<std::string, std::string> notes;
};

/// Writes tensors and text notes to a file that appears whole or not at all. Throws UserError when it cannot.
void writeSafetensors(const std::filesystem::path &path, const std::vector<StoredTensor> &tensors,
                      const std::map<std::string, std::string> &metadata);

} // namespace clm::runtime
