/// \file
/// Where the standard library is.
#include "driver/Compilation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace clm {

std::string findStandardLibrary() {
  if (std::optional<std::string> chosen = llvm::sys::Process::GetEnv("CLM_STDLIB"))
    return *chosen;
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findStandardLibrary));
  for (const char *place : {"../share/clm/stdlib", "../stdlib", "../../stdlib"}) {
    llvm::SmallString<256> path(llvm::sys::path::parent_path(program));
    llvm::sys::path::append(path, place);
    if (llvm::sys::fs::is_directory(path)) {
      llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
      return path.str().str();
    }
  }
  return llvm::sys::fs::is_directory(CLM_SOURCE_STDLIB) ? CLM_SOURCE_STDLIB : "";
}

} // namespace clm
