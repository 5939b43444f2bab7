/// \file
/// Loading compiled modules: a good one, and files that are not or no longer one.
#include "TemporaryFolder.h"
#include "runtime/module/Executable.h"
#include "runtime/module/Seal.h"

#include <elf.h>

using namespace clm::runtime;
using namespace clm::testing;

static std::string loadingError(const std::filesystem::path &path) {
  std::string error;
  EXPECT_EQ(loadSharedObject(path, error), nullptr);
  EXPECT_NE(error.find(path.string()), std::string::npos) << "the message names the file: " << error;
  return error;
}

static void expectError(const std::filesystem::path &path, const std::string &part) {
  std::string error = loadingError(path);
  EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(RuntimeModule, LoadsAndCalls) {
  std::string error;
  std::unique_ptr<Executable> module = loadSharedObject(CLM_LINEAR_MODULE, error);
  ASSERT_TRUE(module) << error;
  EXPECT_EQ(module->manifest().name, "linear");
  EXPECT_EQ(module->realElement(), CLM_FLOAT32);
  float closed = 4, passed = 0;
  clm_tensor arguments[] = {{&closed, CLM_FLOAT32, 0, {}}, {&passed, CLM_FLOAT32, 0, {}}};
  module->call(*module->manifest().function("finish"), arguments, {});
  EXPECT_EQ(closed, 5);
}

TEST(RuntimeModule, OtherFilesAreNamed) {
  TemporaryFolder folder;
  expectError(folder / "absent.so", "no such file");
  expectError(folder.path, "is a folder");
  writeFile(folder / "empty.so", "");
  expectError(folder / "empty.so", "not a compiled module");
  writeFile(folder / "text.so", std::string(5000, 'x'));
  expectError(folder / "text.so", "not a compiled module");
  // A healthy library of somebody else's.
  expectError(std::filesystem::canonical("/proc/self/exe"), "");
}

TEST(RuntimeModule, EveryCutIsNoticed) {
  TemporaryFolder folder;
  const std::string whole = readFile(CLM_LINEAR_MODULE);
  for (std::size_t length : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{700}, whole.size() / 2,
                             whole.size() - 4096, whole.size() - 1}) {
    writeFile(folder / "cut.so", whole.substr(0, length));
    EXPECT_NE(loadingError(folder / "cut.so"), "") << length;
  }
}

TEST(RuntimeModule, ASealTellsOfChangedBytes) {
  TemporaryFolder folder;
  std::string sealed = readFile(CLM_LINEAR_MODULE);
  std::size_t size = sealed.size();
  sealed += sealOf(sealed);
  writeFile(folder / "sealed.so", sealed);
  std::string error;
  EXPECT_TRUE(loadSharedObject(folder / "sealed.so", error)) << error;
  writeFile(folder / "cut.so", sealed.substr(0, sealed.size() - 1));
  EXPECT_NE(loadingError(folder / "cut.so").find("cut short"), std::string::npos);
  for (std::size_t position = sizeof(Elf64_Ehdr); position < size; position += size / 16) {
    std::string changed = sealed;
    changed[position] ^= 0x20;
    writeFile(folder / "changed.so", changed);
    EXPECT_NE(loadingError(folder / "changed.so").find("damaged"), std::string::npos) << position;
  }
}

TEST(RuntimeModule, WithoutACompilerASpecIsAMessage) {
  CompileRequest request;
  request.specPath = "absent.clm";
  CompileResult result = compileSpec(request);
  EXPECT_FALSE(result.executable);
  EXPECT_NE(result.diagnostics, "");
}
