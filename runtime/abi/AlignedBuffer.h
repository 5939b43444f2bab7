/// \file
/// Memory for tensors: aligned to a cache line and the widest vector registers, growing, never shrinking.
#pragma once

#include <cstddef>
#include <memory>

namespace clm::runtime {

/// Alignment in bytes of every tensor the runtime allocates.
inline constexpr std::size_t kTensorAlignment = 64;

/// Memory aligned to `kTensorAlignment`. Growing keeps what it held and fills the rest with zeros. Throws
/// std::bad_alloc.
class AlignedBuffer {
public:
  std::byte *data() const { return memory.get(); }
  std::size_t size() const { return used; }

  /// Makes the buffer `bytes` long. Moves it (earlier pointers die) only when that is more than it ever held.
  void resize(std::size_t bytes);

  /// Like `resize`, but what the buffer held may be lost.
  void reserveScratch(std::size_t bytes);

private:
  struct Free {
    void operator()(std::byte *pointer) const;
  };
  using Memory = std::unique_ptr<std::byte, Free>;
  static Memory allocate(std::size_t bytes);

  Memory memory;
  std::size_t used = 0;
  std::size_t capacity = 0;
};

} // namespace clm::runtime
