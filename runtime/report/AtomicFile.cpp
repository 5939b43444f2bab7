#include "runtime/report/AtomicFile.h"

#include "runtime/module/UserError.h"

#include <fmt/format.h>

#include <fstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace clm::runtime {
namespace {

/// Removes a file unless told that it is wanted.
class TemporaryFile {
public:
  explicit TemporaryFile(fs::path path) : path(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code failure;
    if (!path.empty())
      fs::remove(path, failure);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  const fs::path &name() const { return path; }
  void keep() { path.clear(); }

private:
  fs::path path;
};

} // namespace

void writeAtomically(const fs::path &path, const std::function<void(std::ostream &)> &write) {
  TemporaryFile temporary(fs::path(path) += fmt::format(".part-{}", getpid()));
  std::ofstream file(temporary.name(), std::ios::binary | std::ios::trunc);
  if (file)
    write(file);
  file.close();
  std::error_code failure;
  if (file)
    fs::rename(temporary.name(), path, failure);
  if (!file || failure)
    throw UserError(
        fmt::format("cannot write `{}`; check that its folder exists and can be written to and that the disk "
                    "is not full",
                    path.string()));
  temporary.keep();
}

void prepareOutputFolder(const fs::path &folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (!fs::is_directory(folder, failure) || access(folder.c_str(), W_OK | X_OK) != 0)
    throw UserError(fmt::format("cannot write to the folder `{}`; give --out a folder of yours", folder.string()));
}

} // namespace clm::runtime
