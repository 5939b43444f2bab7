/// \file
/// See SharedObjectLinker.h.
#include "codegen/SharedObjectLinker.h"

#include "runtime/module/Seal.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace clm {

namespace {

llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<std::string> findLinker() {
  for (const char *name : {"ld.lld", "ld.lld-19", "ld"})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
      return *path;
  // Debian's package puts it there without a link on the path.
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ld.lld", {"/usr/lib/llvm-19/bin"}))
    return *path;
  return failure("no linker found; install `lld` or `binutils`");
}

/// The runtime library beside this program; named in the module so that other programs can load it too. Empty when
/// there is none: the program that loads the module then brings the functions.
std::string findRuntimeLibrary() {
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findRuntimeLibrary));
  llvm::SmallString<256> path(llvm::sys::path::parent_path(program));
  llvm::sys::path::append(path, "..", "lib", "libclm_runtime.so");
  return llvm::sys::fs::exists(path) ? path.str().str() : std::string();
}

/// Appends the checksum with which the loader recognizes a damaged module.
llvm::Error appendSeal(llvm::StringRef path) {
  auto content = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!content)
    return failure("cannot read back `" + path + "`: " + content.getError().message());
  std::string seal = runtime::sealOf(std::string_view((*content)->getBufferStart(), (*content)->getBufferSize()));
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error, llvm::sys::fs::OF_Append);
  if (!error) {
    stream << seal;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  return error ? failure("cannot write `" + path + "`: " + error.message()) : llvm::Error::success();
}

} // namespace

llvm::Error linkSharedObject(llvm::StringRef object, const std::string &path) {
  llvm::Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();
  llvm::SmallString<128> objectPath, outputPath, messagesPath;
  int descriptor = -1;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("clm", "o", descriptor, objectPath))
    return failure("cannot write a temporary file: " + error.message());
  llvm::FileRemover removeObject(objectPath);
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << object;
  stream.close();
  if (stream.has_error())
    return failure("cannot write a temporary file: " + stream.error().message());
  if (std::error_code error = llvm::sys::fs::createUniqueFile(path + ".%%%%%%", outputPath))
    return failure("cannot write `" + path + "`: " + error.message());
  llvm::FileRemover removeOutput(outputPath);
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("clm", "txt", messagesPath))
    return failure("cannot write a temporary file: " + error.message());
  llvm::FileRemover removeMessages(messagesPath);

  std::string message;
  std::string runtimeLibrary = findRuntimeLibrary();
  llvm::SmallVector<llvm::StringRef> arguments = {*linker,    "-shared", "-o",          outputPath,
                                                  objectPath, "-z",      "noexecstack", "--strip-all"};
  if (!runtimeLibrary.empty())
    arguments.push_back(runtimeLibrary);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(""), messagesPath.str()};
  if (llvm::sys::ExecuteAndWait(*linker, arguments, std::nullopt, redirects, 60, 0, &message) != 0)
    return failure("the linker " + *linker + " failed" + (message.empty() ? "" : ": " + message));
  if (llvm::Error error = appendSeal(outputPath))
    return error;
  if (std::error_code error = llvm::sys::fs::setPermissions(outputPath, llvm::sys::fs::perms(0755)))
    return failure("cannot write `" + path + "`: " + error.message());
  if (std::error_code error = llvm::sys::fs::rename(outputPath, path))
    return failure("cannot write `" + path + "`: " + error.message());
  removeOutput.releaseFile();
  return llvm::Error::success();
}

} // namespace clm
