#include "AllocationCounter.h"

#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<std::size_t> allocations = 0;

std::size_t clm::testing::allocationCount() { return allocations; }

// The program's operators replace those of the C++ library for all its shared libraries.
void *operator new(std::size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes == 0 ? 1 : bytes))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
