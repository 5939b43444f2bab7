#include "runtime/abi/AlignedBuffer.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace clm::runtime {

void AlignedBuffer::Free::operator()(std::byte *pointer) const { std::free(pointer); }

AlignedBuffer::Memory AlignedBuffer::allocate(std::size_t bytes) {
  if (bytes > SIZE_MAX - kTensorAlignment)
    throw std::bad_alloc();
  std::size_t rounded = (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  auto *pointer = static_cast<std::byte *>(std::aligned_alloc(kTensorAlignment, rounded));
  if (!pointer)
    throw std::bad_alloc();
  return Memory(pointer);
}

void AlignedBuffer::resize(std::size_t bytes) {
  if (bytes > capacity) {
    Memory larger = allocate(bytes);
    if (used > 0)
      std::memcpy(larger.get(), memory.get(), used);
    memory = std::move(larger);
    capacity = bytes;
  }
  if (bytes > used)
    std::memset(memory.get() + used, 0, bytes - used);
  used = bytes;
}

void AlignedBuffer::reserveScratch(std::size_t bytes) {
  if (bytes > capacity) {
    memory.reset(); // first, so that both need not fit at once
    capacity = 0;
    memory = allocate(bytes);
    capacity = bytes;
  }
  used = bytes;
}

} // namespace clm::runtime
