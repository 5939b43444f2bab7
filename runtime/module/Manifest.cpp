#include "runtime/module/Manifest.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

using nlohmann::json;

namespace clm::runtime {

// The JSON form, field by field under the names of the structs. Enumerations are words, dimensions are numbers or the
// words `batch` and `classes`. nlohmann finds these functions by the types' namespace; they throw for a wrong type, a
// missing field or an unknown word, and `parseManifest` catches that.

template <std::size_t N>
static std::size_t indexOfWord(const std::array<std::string_view, N> &words, const json &value) {
  auto found = std::ranges::find(words, value.get<std::string_view>());
  if (found == words.end())
    throw std::invalid_argument("unknown word");
  return static_cast<std::size_t>(found - words.begin());
}

static constexpr std::array<std::string_view, 4> kRoles = {"parameter", "state", "optimizer", "accumulator"};
static constexpr std::array<std::string_view, 5> kKinds = {"entry", "input", "label", "scalar", "noise"};
static constexpr std::array<std::string_view, 3> kSettingTypes = {"real", "integer", "boolean"};
static constexpr std::array<std::string_view, 4> kElements = {"float32", "float64", "int64", "bool"};

// NOLINTBEGIN(readability-identifier-naming)
static void to_json(json &out, EntryRole role) { out = kRoles.at(static_cast<std::size_t>(role)); }
static void from_json(const json &in, EntryRole &role) { role = static_cast<EntryRole>(indexOfWord(kRoles, in)); }

static void to_json(json &out, ArgumentKind kind) { out = kKinds.at(static_cast<std::size_t>(kind)); }
static void from_json(const json &in, ArgumentKind &kind) { kind = static_cast<ArgumentKind>(indexOfWord(kKinds, in)); }

static void to_json(json &out, SettingSpec::Type type) { out = kSettingTypes.at(static_cast<std::size_t>(type)); }
static void from_json(const json &in, SettingSpec::Type &type) {
  type = static_cast<SettingSpec::Type>(indexOfWord(kSettingTypes, in));
}

static void to_json(json &out, const TensorSpec &type) {
  json shape = json::array();
  for (std::int64_t size : type.shape)
    shape.push_back(size == kBatch ? json("batch") : size == kClasses ? json("classes") : json(size));
  out = {{"element", kElements.at(static_cast<std::size_t>(type.element))}, {"shape", std::move(shape)}};
}

static void from_json(const json &in, TensorSpec &type) {
  static constexpr std::array<std::string_view, 2> symbols = {"batch", "classes"};
  type.element = static_cast<int>(indexOfWord(kElements, in.at("element")));
  for (const json &size : in.at("shape")) {
    if (size.is_string())
      type.shape.push_back(indexOfWord(symbols, size) == 0 ? kBatch : kClasses);
    else
      type.shape.push_back(size.get<std::int64_t>());
  }
}
// NOLINTEND(readability-identifier-naming)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EntrySpec, path, role, perTask, type, axes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NoiseSpec, path, normal, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SettingSpec, type, name, value, fixed, origin)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ArgumentSpec, kind, index, scalar, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ResultSpec, argument, entry, name, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FunctionSpec, name, arguments, results)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrainPlan, epochs, batch, validation, learningRate, plateau, patience, factor,
                                   minimumRate, earlyStop, restoreBest, origins)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DataPass, train)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Manifest, abiVersion, name, specHash, data, inputShape, scenario, tasks, settings,
                                   entries, noise, functions, passes, train)

const FunctionSpec *Manifest::function(std::string_view name) const {
  auto found = std::ranges::find(functions, name, &FunctionSpec::name);
  return found == functions.end() ? nullptr : &*found;
}

std::string printManifest(const Manifest &manifest) { return json(manifest).dump(1); }

namespace {

bool isScalarName(const Manifest &manifest, std::string_view name) {
  return name == "progress" || name == "epoch" || name == "learning_rate" ||
         std::ranges::find(manifest.settings, name, &SettingSpec::name) != manifest.settings.end();
}

/// What is wrong with references between the parts of a manifest, or nothing.
std::string findContradiction(const Manifest &manifest) {
  auto inside = [](int index, const auto &list) { return index >= 0 && static_cast<std::size_t>(index) < list.size(); };
  for (const FunctionSpec &function : manifest.functions) {
    std::string owner = "function `" + function.name + "` ";
    for (const ArgumentSpec &argument : function.arguments) {
      if (argument.kind == ArgumentKind::Entry && !inside(argument.index, manifest.entries))
        return owner + "takes an entry that does not exist";
      if (argument.kind == ArgumentKind::Noise && !inside(argument.index, manifest.noise))
        return owner + "takes a noise stream that does not exist";
      if (argument.kind == ArgumentKind::Scalar && !isScalarName(manifest, argument.scalar))
        return owner + "takes a scalar that does not exist";
    }
    for (const ResultSpec &result : function.results) {
      if ((result.argument >= 0 && !inside(result.argument, function.arguments)) ||
          (result.entry >= 0 && !inside(result.entry, manifest.entries)))
        return owner + "has a result for an argument or an entry that does not exist";
    }
  }
  return "";
}

/// Shapes are small numbers or symbols; anything else would become an absurd allocation.
std::string findBadShape(const TensorSpec &type, std::string_view owner) {
  bool sized =
      std::ranges::all_of(type.shape, [](std::int64_t size) { return size >= kClasses && size < (1ll << 40); });
  if (sized && type.shape.size() <= CLM_MAX_RANK)
    return "";
  return "`" + std::string(owner) + "` has a shape that this runtime does not know";
}

std::string findBadShapes(const Manifest &manifest) {
  std::string problem;
  auto check = [&](const TensorSpec &type, std::string_view owner) {
    if (problem.empty())
      problem = findBadShape(type, owner);
  };
  for (const EntrySpec &entry : manifest.entries)
    check(entry.type, entry.path);
  for (const NoiseSpec &noise : manifest.noise)
    check(noise.type, noise.path);
  for (const FunctionSpec &function : manifest.functions) {
    for (const ArgumentSpec &argument : function.arguments)
      check(argument.type, function.name);
    for (const ResultSpec &result : function.results)
      check(result.type, function.name);
  }
  return problem;
}

} // namespace

std::optional<Manifest> parseManifest(std::string_view text, std::string &error) {
  json parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) {
    error = "its manifest is not valid JSON";
    return std::nullopt;
  }
  auto version = parsed.find("abiVersion");
  if (version == parsed.end() || !version->is_number_integer()) {
    error = "its manifest does not name an ABI version";
    return std::nullopt;
  }
  if (*version != CLM_ABI_VERSION) {
    error = "it was compiled for ABI version " + version->dump() + ", and this runtime has version " +
            std::to_string(CLM_ABI_VERSION) + "; compile the spec again with this release's clmc";
    return std::nullopt;
  }
  Manifest manifest;
  try {
    manifest = parsed.get<Manifest>();
  } catch (const std::exception &) {
    error = "its manifest lacks a field or has one of the wrong type";
    return std::nullopt;
  }
  std::string problem = findContradiction(manifest);
  if (problem.empty())
    problem = findBadShapes(manifest);
  if (!problem.empty()) {
    error = "its manifest contradicts itself: " + problem;
    return std::nullopt;
  }
  return manifest;
}

} // namespace clm::runtime
