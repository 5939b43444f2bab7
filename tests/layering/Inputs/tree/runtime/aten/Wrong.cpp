#include <ATen/core/Tensor.h>
#include <fmt/format.h>
