/// \file
/// See ObjectCache.h. A stored file is the object followed by the 16 bytes of its own hash.
#include "driver/ObjectCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace clm {

namespace {

constexpr size_t hashSize = 16;

/// Bytes of the compiler library itself stand for its version: a rebuilt compiler must not find old objects.
const std::string &compilerIdentity() {
  static const std::string identity = [] {
    std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&compilerIdentity));
    llvm::sys::fs::file_status status;
    if (llvm::sys::fs::status(self, status))
      return std::string();
    return llvm::utostr(status.getSize()) + "." +
           llvm::utostr(status.getLastModificationTime().time_since_epoch().count());
  }();
  return identity;
}

std::string hashOf(llvm::StringRef text) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  return llvm::utohexstr(hash.high64, true, 16) + llvm::utohexstr(hash.low64, true, 16);
}

} // namespace

ObjectCache::ObjectCache() {
  if (std::optional<std::string> chosen = llvm::sys::Process::GetEnv("CLM_OBJECT_CACHE")) {
    folder = *chosen;
    return;
  }
  llvm::SmallString<128> path;
  if (llvm::sys::path::cache_directory(path)) {
    llvm::sys::path::append(path, "clm", "objects");
    folder = path.str().str();
  }
}

std::string ObjectCache::pathOf(llvm::StringRef key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, hashOf((compilerIdentity() + key).str()) + ".o");
  return path.str().str();
}

std::unique_ptr<llvm::MemoryBuffer> ObjectCache::find(llvm::StringRef key) const {
  if (folder.empty())
    return nullptr;
  auto file = llvm::MemoryBuffer::getFile(pathOf(key), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file || (*file)->getBufferSize() <= hashSize)
    return nullptr;
  llvm::StringRef content = (*file)->getBuffer();
  llvm::StringRef object = content.drop_back(hashSize);
  if (hashOf(object).substr(0, hashSize) != content.take_back(hashSize))
    return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(object, "clm_module.o");
}

void ObjectCache::store(llvm::StringRef key, llvm::StringRef object) const {
  if (folder.empty() || llvm::sys::fs::create_directories(folder))
    return;
  std::string path = pathOf(key);
  llvm::SmallString<128> temporary;
  int descriptor = -1;
  if (llvm::sys::fs::createUniqueFile(path + ".%%%%%%", descriptor, temporary))
    return;
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << object << llvm::StringRef(hashOf(object)).take_front(hashSize);
  stream.close();
  if (stream.has_error()) {
    stream.clear_error();
    llvm::sys::fs::remove(temporary);
  } else if (llvm::sys::fs::rename(temporary, path)) {
    llvm::sys::fs::remove(temporary);
  }
}

} // namespace clm
