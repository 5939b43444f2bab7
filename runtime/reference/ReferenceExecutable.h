/// \file
/// The oracle behind `--exec=reference`: a program of `ten` operations, interpreted in double precision.
#pragma once

#include "runtime/module/Executable.h"
#include "runtime/reference/Program.h"

#include <memory>

namespace clm::runtime::reference {

class ReferenceExecutable : public Executable {
public:
  ReferenceExecutable(Manifest manifest, Program program);

  int realElement() const override { return CLM_FLOAT64; }

  /// Results tied to arguments are written after everything is computed, so that every read sees the old values.
  /// Throws InternalError when the call or the program does not fit the signature.
  void call(const FunctionSpec &function, std::span<const clm_tensor> arguments,
            std::span<const clm_tensor> results) override;

private:
  Program program;
};

} // namespace clm::runtime::reference
