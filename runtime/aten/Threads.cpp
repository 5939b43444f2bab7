#include "runtime/aten/Aten.h"

#include <ATen/Parallel.h>
#include <torch/headeronly/version.h>

namespace clm::runtime {

void setThreads(int count) { at::set_num_threads(count < 1 ? 1 : count); }

std::string torchVersion() { return TORCH_VERSION; }

} // namespace clm::runtime
