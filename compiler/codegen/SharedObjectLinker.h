/// \file
/// Writes a shared object from a relocatable one, with whichever linker the machine has.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace clm {

/// Links `object` (the bytes of a relocatable object) to the shared object `path`. The runtime's functions stay
/// undefined: the program that loads the module has them. Written to a temporary name and renamed; the error says in
/// one line what failed.
llvm::Error linkSharedObject(llvm::StringRef object, const std::string &path);

} // namespace clm
