/// \file
/// Modules that `clmc -o` wrote, loaded with the system's loader. The loader trusts what it maps (a truncated file ends
/// the process with a signal), so the file's frame is checked first.
#include "runtime/module/Executable.h"
#include "runtime/module/Seal.h"

#include <dlfcn.h>
#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace clm::runtime {
namespace {

struct CloseLibrary {
  void operator()(void *handle) const { dlclose(handle); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

struct DestroyContext {
  void operator()(clm_context *context) const { clm_context_destroy(context); }
};

class SharedObject final : public Executable {
public:
  SharedObject(Library library, Manifest manifest, std::vector<clm_function> functions)
      : Executable(std::move(manifest)), library(std::move(library)), functions(std::move(functions)),
        context(clm_context_create()) {}

  void call(const FunctionSpec &function, std::span<const clm_tensor> arguments,
            std::span<const clm_tensor> results) override {
    auto index = static_cast<std::size_t>(&function - manifest().functions.data());
    functions[index](context.get(), arguments.data(), results.data());
  }

private:
  Library library;
  std::vector<clm_function> functions; // as in the manifest
  std::unique_ptr<clm_context, DestroyContext> context;
};

/// Whether all that the loader will map lies inside the file, and is as it was written. Empty when so, else the reason.
std::string checkContent(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(0, std::ios::end);
  auto size = static_cast<std::uint64_t>(file.tellg());
  file.seekg(0);
  Elf64_Ehdr header;
  if (!file.read(reinterpret_cast<char *>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_DYN)
    return "it is not a compiled module; give a `.clm` file or what `clmc -o` wrote";
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
    return "it was compiled for another kind of machine";
  constexpr const char *damaged = "it is damaged or cut short; compile the spec again";
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  if (!file.read(reinterpret_cast<char *>(segments.data()),
                 static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr))))
    return damaged;
  for (const Elf64_Phdr &segment : segments) {
    if (segment.p_filesz > size || segment.p_offset > size - segment.p_filesz)
      return damaged;
  }
  // The section table lies at the end: it tells of a cut that spared the segments, and where a seal begins.
  std::uint64_t tableBytes = std::uint64_t(header.e_shnum) * header.e_shentsize;
  if (header.e_shoff > size || tableBytes > size - header.e_shoff)
    return damaged;
  return checkSeal(path, header.e_shoff == 0 ? size : header.e_shoff + tableBytes);
}

std::string checkFile(const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found)
    return "there is no such file";
  if (status.type() == fs::file_type::directory)
    return "it is a folder; give a `.clm` file or what `clmc -o` wrote";
  if (status.type() != fs::file_type::regular)
    return "it is not a regular file";
  if (!std::ifstream(path, std::ios::binary))
    return "it cannot be read; check its permissions";
  return checkContent(path);
}

std::unique_ptr<Executable> load(const std::string &path, std::string &error) {
  error = checkFile(path);
  if (!error.empty())
    return nullptr;
  // An absolute path, because the loader searches its own folders for a name without a slash.
  Library library(dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library) {
    error = "the system's loader refuses it; compile the spec again with this release's clmc";
    return nullptr;
  }
  const auto *text = static_cast<const char *>(dlsym(library.get(), CLM_MANIFEST_SYMBOL));
  if (!text) {
    error = "it is a shared library, but not a compiled module (it has no manifest)";
    return nullptr;
  }
  std::optional<Manifest> manifest = parseManifest(text, error);
  if (!manifest)
    return nullptr;
  std::vector<clm_function> functions;
  for (const FunctionSpec &function : manifest->functions) {
    void *address = dlsym(library.get(), ("clm_" + function.name).c_str());
    if (!address) {
      error = "its manifest names function `" + function.name + "`, which it does not contain; compile the spec again";
      return nullptr;
    }
    functions.push_back(reinterpret_cast<clm_function>(address));
  }
  return std::make_unique<SharedObject>(std::move(library), std::move(*manifest), std::move(functions));
}

} // namespace

std::unique_ptr<Executable> loadSharedObject(const std::string &path, std::string &error) {
  std::unique_ptr<Executable> executable = load(path, error);
  if (!executable)
    error = "cannot load `" + path + "`: " + error;
  return executable;
}

} // namespace clm::runtime
