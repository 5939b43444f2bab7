#include "runtime/module/Location.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>

namespace fs = std::filesystem;

namespace clm::runtime {

fs::path libraryFolder() {
  Dl_info info;
  // Any address inside this library names its file.
  if (dladdr(reinterpret_cast<void *>(&libraryFolder), &info) == 0 || !info.dli_fname)
    return {};
  std::error_code failure;
  fs::path file = fs::weakly_canonical(info.dli_fname, failure);
  return file.parent_path();
}

fs::path standardLibraryFolder() {
  if (const char *folder = std::getenv("CLM_STDLIB"); folder && *folder)
    return folder;
  std::error_code failure;
  const fs::path library = libraryFolder();
  const std::array<fs::path, 3> candidates = {library.parent_path() / "share" / "clm" / "stdlib",
                                              library.parent_path() / "stdlib", CLM_SOURCE_STDLIB};
  for (const fs::path &candidate : candidates) {
    if (fs::is_directory(candidate, failure))
      return candidate;
  }
  return {};
}

} // namespace clm::runtime
