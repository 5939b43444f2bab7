#include "runtime/aten/Aten.h"

#include <ATen/Parallel.h>
#include <torch/headeronly/version.h>

namespace clm::runtime {

static int allowedThreads = 1;
static int currentThreads = 0; // libtorch itself would begin with all cores

/// Below this size waking other threads costs more than they save: measured even at a third of it, and many times
/// slower on a machine whose cores are busy. Changing the number of threads costs a tenth of a microsecond.
static constexpr double kSmallProduct = 1 << 20;

static void useThreads(int count) {
  if (count == currentThreads)
    return;
  at::set_num_threads(count);
  currentThreads = count;
}

void setThreads(int count) { allowedThreads = count < 1 ? 1 : count; }

void chooseThreads(double multiplications) { useThreads(multiplications < kSmallProduct ? 1 : allowedThreads); }

std::string torchVersion() { return TORCH_VERSION; }

} // namespace clm::runtime
