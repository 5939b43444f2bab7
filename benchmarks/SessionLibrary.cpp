/// \file
/// A C interface to a training session, so that the Python benchmark can run a compiled module and PyTorch in one
/// process, step by step in turn. Not part of the product.
#include "runtime/aten/Aten.h"
#include "runtime/module/Executable.h"
#include "runtime/train/Session.h"

#include <chrono>
#include <cstdio>

using namespace clm::runtime;

namespace {

struct Benchmark {
  std::unique_ptr<Executable> executable;
  std::unique_ptr<Session> session;
};

} // namespace

extern "C" {

/// Loads a module and starts a session with `tasks` tasks of `classes` classes. Null on failure, with the reason
/// printed.
void *clm_benchmark_open(const char *module, int threads, int tasks, int classes) {
  setThreads(threads);
  std::string error;
  auto benchmark = std::make_unique<Benchmark>();
  benchmark->executable = loadSharedObject(module, error);
  if (!benchmark->executable) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return nullptr;
  }
  benchmark->session = std::make_unique<Session>(*benchmark->executable, SessionOptions{.seed = 0});
  benchmark->session->initialize();
  for (int task = 0; task < tasks; ++task)
    benchmark->session->arriveTask(classes);
  return benchmark.release();
}

void clm_benchmark_close(void *handle) { delete static_cast<Benchmark *>(handle); }

/// One training step; returns the loss.
double clm_benchmark_step(void *handle, const float *images, const std::int64_t *labels, std::int64_t samples,
                          std::int64_t pixels, double progress, double learningRate) {
  Session &session = *static_cast<Benchmark *>(handle)->session;
  Batch batch{{images, static_cast<std::size_t>(samples * pixels)}, {labels, static_cast<std::size_t>(samples)}};
  return session.step(batch, {.progress = progress, .epoch = 0, .learningRate = learningRate}).scalar("loss");
}

/// Seconds from the text of a spec to callable functions; negative when it does not compile.
double clm_benchmark_compile(const char *spec) {
  auto start = std::chrono::steady_clock::now();
  CompileResult result = compileSpec({.specPath = spec});
  if (!result.executable) {
    std::fprintf(stderr, "%s", result.diagnostics.c_str());
    return -1;
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
}
