/// \file
/// The execution context of the C interface: scratch memory that generated code asks for.
#include "runtime/abi/AlignedBuffer.h"
#include "runtime/abi/Failure.h"
#include "runtime/abi/clm_runtime.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

struct clm_context {
  clm::runtime::AlignedBuffer workspace;
};

namespace clm::runtime {

void failAndExit(std::string_view message, int code) {
  std::fflush(stdout);
  std::fprintf(stderr, "clm: %s: %.*s\n", code == kExitInternalError ? "internal error" : "error",
               static_cast<int>(message.size()), message.data());
  std::fflush(stderr);
  std::_Exit(code);
}

} // namespace clm::runtime

using namespace clm::runtime;

extern "C" {

clm_context *clm_context_create(void) {
  try {
    return new clm_context;
  } catch (const std::bad_alloc &) {
    failAndExit("out of memory", kExitUserError);
  }
}

void clm_context_destroy(clm_context *context) { delete context; }

void *clmrt_workspace(clm_context *context, int64_t bytes) {
  if (!context || bytes < 0)
    failAndExit("a compiled function asked for a workspace without a context or of negative size", kExitInternalError);
  try {
    context->workspace.reserveScratch(static_cast<std::size_t>(bytes));
  } catch (const std::bad_alloc &) {
    failAndExit("out of memory: a compiled function needs a workspace of " + std::to_string(bytes) +
                    " bytes; use a smaller batch",
                kExitUserError);
  }
  return context->workspace.data();
}
}
