/// \file
/// Compiles a spec (or takes it from the object cache), starts a session and makes one training step on a made batch:
/// the life of this process is the time from start to the first step.
#include "runtime/module/Executable.h"
#include "runtime/train/Session.h"

#include <cstdio>
#include <numeric>

using namespace clm::runtime;

int main(int argc, char **argv) {
  constexpr std::size_t kSamples = 32;
  if (argc != 2) {
    std::fputs("usage: clm_first_step SPEC.clm\n", stderr);
    return 1;
  }
  CompileResult compiled = compileSpec({.specPath = argv[1]});
  if (!compiled.executable) {
    std::fputs(compiled.diagnostics.c_str(), stderr);
    return 1;
  }
  const std::vector<std::int64_t> &shape = compiled.executable->manifest().inputShape;
  std::size_t pixels = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  Session session(*compiled.executable, {.seed = 0});
  session.initialize();
  session.arriveTask(2);
  std::vector<float> images(kSamples * pixels, 0.5F);
  std::vector<std::int64_t> labels(kSamples, 1);
  double loss = session.step({images, labels}, {.progress = 0, .epoch = 0, .learningRate = 0.1}).scalar("loss");
  std::printf("%g\n", loss);
}
