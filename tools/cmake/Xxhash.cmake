# xxhash::xxhash, the hash of cache keys and checkpoints. Debian's package brings no CMake file.

find_path(CLM_XXHASH_INCLUDE xxhash.h REQUIRED)
find_library(CLM_XXHASH_LIBRARY xxhash REQUIRED)
add_library(xxhash::xxhash UNKNOWN IMPORTED)
set_target_properties(xxhash::xxhash PROPERTIES
  IMPORTED_LOCATION "${CLM_XXHASH_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${CLM_XXHASH_INCLUDE}")
