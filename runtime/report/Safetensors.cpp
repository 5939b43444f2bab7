#include "runtime/report/Safetensors.h"

#include "runtime/module/UserError.h"
#include "runtime/report/AtomicFile.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <optional>

using nlohmann::json;

namespace clm::runtime {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are written as they lie in memory");

struct ElementName {
  const char *name;
  std::size_t bytes;
};
/// By element type of the C interface.
constexpr std::array<ElementName, 4> kElements = {{{"F32", 4}, {"F64", 8}, {"I64", 8}, {"BOOL", 1}}};

template <typename Stored, typename Wanted>
std::vector<Wanted> convert(std::span<const std::byte> bytes) {
  std::vector<Wanted> values(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    values[i] = static_cast<Wanted>(value);
  }
  return values;
}

template <typename Wanted>
std::vector<Wanted> convert(const StoredTensor &tensor) {
  switch (tensor.element) {
  case CLM_FLOAT32:
    return convert<float, Wanted>(tensor.bytes);
  case CLM_FLOAT64:
    return convert<double, Wanted>(tensor.bytes);
  case CLM_INT64:
    return convert<std::int64_t, Wanted>(tensor.bytes);
  default:
    return convert<std::uint8_t, Wanted>(tensor.bytes);
  }
}

/// What is wrong with a file, before its name is known.
struct Damage {
  std::string what;
};

/// Reads the header's entry of one tensor; `data` is what follows the header.
StoredTensor parseTensor(const std::string &name, const json &entry, std::span<const std::byte> data) {
  auto isSize = [](const json &value) { return value.is_number_unsigned(); };
  const json *type = entry.is_object() && entry.contains("dtype") ? &entry["dtype"] : nullptr;
  const json *shape = entry.is_object() && entry.contains("shape") ? &entry["shape"] : nullptr;
  const json *place = entry.is_object() && entry.contains("data_offsets") ? &entry["data_offsets"] : nullptr;
  if (!type || !type->is_string() || !shape || !shape->is_array() || !std::ranges::all_of(*shape, isSize) || !place ||
      !place->is_array() || place->size() != 2 || !std::ranges::all_of(*place, isSize))
    throw Damage{fmt::format("the header's entry of `{}` is malformed", name)};
  const auto *element = std::ranges::find(kElements, type->get<std::string>(), &ElementName::name);
  if (element == kElements.end())
    throw Damage{fmt::format("`{}` has elements of type {}; F32, F64, I64 and BOOL are supported", name,
                             type->get<std::string>())};
  StoredTensor tensor;
  tensor.name = name;
  tensor.element = static_cast<int>(element - kElements.begin());
  std::uint64_t begin = (*place)[0].get<std::uint64_t>(), end = (*place)[1].get<std::uint64_t>();
  if (begin > end || end > data.size())
    throw Damage{fmt::format("the data of `{}` lies outside the file (it is cut short or damaged)", name)};
  std::uint64_t bytes = element->bytes;
  for (const json &size : *shape) {
    auto factor = size.get<std::uint64_t>();
    if (factor != 0 && bytes > data.size() / factor)
      throw Damage{fmt::format("the shape of `{}` does not fit its data", name)};
    bytes *= factor;
    tensor.shape.push_back(static_cast<std::int64_t>(factor));
  }
  if (bytes != end - begin)
    throw Damage{fmt::format("the shape of `{}` does not fit its data", name)};
  tensor.bytes = data.subspan(begin, end - begin);
  return tensor;
}

/// Every byte of the data belongs to one tensor.
void checkCoverage(std::vector<StoredTensor> tensors, std::span<const std::byte> data) {
  std::ranges::sort(tensors, {}, [](const StoredTensor &tensor) {
    return std::pair(tensor.bytes.data(), tensor.bytes.data() + tensor.bytes.size());
  });
  const std::byte *expected = data.data();
  for (const StoredTensor &tensor : tensors) {
    if (tensor.bytes.data() != expected)
      throw Damage{fmt::format("the data of `{}` overlaps another tensor's or leaves a gap", tensor.name)};
    expected += tensor.bytes.size();
  }
  if (expected != data.data() + data.size())
    throw Damage{"there is data behind the last tensor"};
}

json parseHeader(std::span<const std::byte> content, std::size_t &dataStart) {
  std::uint64_t length = 0;
  if (content.size() < sizeof length)
    throw Damage{"it is too short for a header"};
  std::memcpy(&length, content.data(), sizeof length);
  if (length > content.size() - sizeof length)
    throw Damage{"its header is longer than the file (it is cut short, or not a safetensors file)"};
  const auto *text = reinterpret_cast<const char *>(content.data()) + sizeof length;
  // Depth is limited by hand: the parser of the library builds nested values and frees them recursively.
  std::size_t depth = 0, deepest = 0;
  for (std::size_t i = 0; i < length; ++i) {
    depth += text[i] == '[' || text[i] == '{';
    depth -= depth > 0 && (text[i] == ']' || text[i] == '}');
    deepest = std::max(deepest, depth);
  }
  json header = deepest > 64 ? json() : json::parse(text, text + length, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object())
    throw Damage{"its header is not valid JSON"};
  dataStart = sizeof length + length;
  return header;
}

} // namespace

std::int64_t StoredTensor::count() const {
  return static_cast<std::int64_t>(bytes.size() / kElements.at(static_cast<std::size_t>(element)).bytes);
}
std::vector<double> StoredTensor::values() const { return convert<double>(*this); }
std::vector<float> StoredTensor::floats() const { return convert<float>(*this); }
std::vector<std::int64_t> StoredTensor::integers() const { return convert<std::int64_t>(*this); }

SafetensorsFile SafetensorsFile::read(const std::filesystem::path &path) {
  std::error_code failure;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, failure))
    throw UserError(fmt::format("cannot read `{}`; check that the file exists and its permissions", path.string()));
  SafetensorsFile result;
  result.content.resize(std::filesystem::file_size(path, failure));
  if (!file.read(reinterpret_cast<char *>(result.content.data()), static_cast<std::streamsize>(result.content.size())))
    throw UserError(fmt::format("cannot read `{}` to its end", path.string()));
  try {
    std::size_t dataStart = 0;
    json header = parseHeader(result.content, dataStart);
    std::span<const std::byte> data = std::span(result.content).subspan(dataStart);
    for (const auto &[name, entry] : header.items()) { // in order of the names
      if (name != "__metadata__") {
        result.list.push_back(parseTensor(name, entry, data));
        continue;
      }
      for (const auto &[key, value] : entry.items())
        result.notes[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
    checkCoverage(result.list, data);
  } catch (const Damage &damage) {
    throw UserError(fmt::format("`{}` is not a usable safetensors file: {}", path.string(), damage.what));
  }
  return result;
}

const StoredTensor *SafetensorsFile::find(std::string_view name) const {
  auto found = std::ranges::lower_bound(list, name, {}, &StoredTensor::name);
  return found != list.end() && found->name == name ? &*found : nullptr;
}

void writeSafetensors(const std::filesystem::path &path, const std::vector<StoredTensor> &tensors,
                      const std::map<std::string, std::string> &metadata) {
  nlohmann::ordered_json header;
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const StoredTensor &tensor : tensors) {
    header[tensor.name] = {{"dtype", kElements.at(static_cast<std::size_t>(tensor.element)).name},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' '); // the data starts aligned
  writeAtomically(path, [&](std::ostream &out) {
    auto length = static_cast<std::uint64_t>(text.size());
    out.write(reinterpret_cast<const char *>(&length), sizeof length);
    out << text;
    for (const StoredTensor &tensor : tensors)
      out.write(reinterpret_cast<const char *>(tensor.bytes.data()), static_cast<std::streamsize>(tensor.bytes.size()));
  });
}

} // namespace clm::runtime
