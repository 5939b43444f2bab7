/// \file
/// Compiled objects in a folder of the user's, by the hash of what they were compiled from.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace clm {

/// `$CLM_OBJECT_CACHE`, else `$XDG_CACHE_HOME/clm/objects`, else `~/.cache/clm/objects`. A cache that cannot be read or
/// written is no error: the object is compiled again.
class ObjectCache {
public:
  ObjectCache();

  /// The object stored for `key`, or null. A file that was cut short or changed is not returned.
  std::unique_ptr<llvm::MemoryBuffer> find(llvm::StringRef key) const;
  /// Stores an object under a temporary name, then renames it, so that a reader never sees half of it.
  void store(llvm::StringRef key, llvm::StringRef object) const;

private:
  std::string pathOf(llvm::StringRef key) const;
  std::string folder;
};

} // namespace clm
