/// \file
/// Executes a relocatable object in this process, on LLVM's ORC JIT.
#pragma once

#include "runtime/module/Executable.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace clm::runtime {

/// Loads an object that exports a manifest and the functions it names. The runtime's and the C library's functions are
/// found in this process.
llvm::Expected<std::unique_ptr<Executable>> loadObject(std::unique_ptr<llvm::MemoryBuffer> object);

} // namespace clm::runtime
