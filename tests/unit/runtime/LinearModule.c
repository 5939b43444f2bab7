/*
 * A compiled module written by hand: one linear softmax head per task on 8x8 pictures with an input dropout, plain SGD.
 * Exports what `clmc -o` exports, so that the runtime is tested against the C interface without a compiler.
 */
#include "runtime/abi/clm_runtime.h"

#include <math.h>
#include <string.h>

enum { PIXELS = 64 };

#define TENSOR(ELEMENT, SHAPE) "{\"element\":\"" ELEMENT "\",\"shape\":" SHAPE "}"
#define ENTRY(PATH, ROLE, PER_TASK, SHAPE)                                                                             \
  "{\"path\":\"" PATH "\",\"role\":\"" ROLE "\",\"perTask\":" PER_TASK                                                 \
  ",\"axes\":[],\"type\":" TENSOR("float32", SHAPE) "}"
#define ARGUMENT(KIND, INDEX, SCALAR, ELEMENT, SHAPE)                                                                  \
  "{\"kind\":\"" KIND "\",\"index\":" INDEX ",\"scalar\":\"" SCALAR "\",\"type\":" TENSOR(ELEMENT, SHAPE) "}"
#define RESULT(ARGUMENT, ENTRY, NAME, SHAPE)                                                                           \
  "{\"argument\":" ARGUMENT ",\"entry\":" ENTRY ",\"name\":\"" NAME "\",\"type\":" TENSOR("float32", SHAPE) "}"

#define WEIGHT ARGUMENT("entry", "0", "", "float32", "[\"classes\",64]")
#define BIAS ARGUMENT("entry", "1", "", "float32", "[\"classes\"]")
#define TASKS_CLOSED ARGUMENT("entry", "2", "", "float32", "[]")
#define SAMPLES_PASSED ARGUMENT("entry", "3", "", "float32", "[]")
#define IMAGES ARGUMENT("input", "-1", "", "float32", "[\"batch\",1,8,8]")
#define LABELS ARGUMENT("label", "-1", "", "int64", "[\"batch\"]")
#define LOSS RESULT("-1", "-1", "loss", "[]")
#define LOGITS RESULT("-1", "-1", "logits", "[\"batch\",\"classes\"]")

const char
    clm_manifest[] = "{\"abiVersion\":1,\"name\":\"linear\",\"specHash\":\"0123456789abcdef\",\"data\":\"digits\","
                     "\"inputShape\":[1,8,8],"
                     "\"scenario\":\"task_incremental\",\"tasks\":5,"
                     "\"settings\":[{\"name\":\"method.rate\",\"type\":\"real\",\"value\":0.1,\"fixed\":false,"
                     "\"origin\":\"default\"},"
                     "{\"name\":\"method.heads\",\"type\":\"integer\",\"value\":1,\"fixed\":true,\"origin\":\"spec\"}],"
                     "\"entries\":[" ENTRY(
                         "clf.w", "parameter", "true", "[\"classes\",64]") "," ENTRY("clf.b", "parameter", "true", "[\"classes\"]") "," ENTRY("closed",
                                                                                                                                              "state", "false", "[]") "," ENTRY("passed", "accumulator", "false", "[]") "],"
                                                                                                                                                                                                                        "\"noise\":[{\"path\":\"init/clf.w\",\"normal\":true,\"type\":" TENSOR("float32", "[\"classes\",64]") "},"
                                                                                                                                                                                                                                                                                                                              "{\"path\":\"dropout.u\",\"normal\":false,\"type\":" TENSOR("float32", "[\"batch\",64]") "}],"
                                                                                                                                                                                                                                                                                                                                                                                                                       "\"functions\":["
                                                                                                                                                                                                                                                                                                                                                                                                                       "{\"name\":\"arrive\",\"arguments\":[" ARGUMENT("noise", "0", "", "float32", "[\"classes\",64]") "],"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        "\"results\":[" RESULT(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "-1", "0", "clf.w", "[\"classes\",64]") "," RESULT("-1",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                               "1",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                               "clf.b", "[\"classes\"]") "]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "{\"name\":\"step\",\"arguments\":[" WEIGHT "," BIAS
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "," IMAGES "," LABELS "," ARGUMENT("noise", "1", "", "float32", "[\"batch\",64]") "," ARGUMENT("scalar", "-1", "learning_rate", "float64", "[]") "," ARGUMENT(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "scalar", "-1", "method.rate",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "float64",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "[]") "],\"results\":[" RESULT("0",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "0", "clf.w", "[\"classes\",64]") "," RESULT("1", "1", "clf.b", "[\"classes\"]") "," LOSS
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "," LOGITS "]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "{\"name\":\"evaluate\",\"arguments\":[" WEIGHT "," BIAS "," IMAGES "," LABELS
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "],\"results\":[" LOSS
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "," LOGITS
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "{\"name\":\"predict\",\"arguments\":[" WEIGHT
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "," BIAS
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "," IMAGES "],\"results\":[" LOGITS "]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "{\"name\":\"accumulate\",\"arguments\":[" SAMPLES_PASSED "," IMAGES "],\"results\":[" RESULT("0",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "3", "passed", "[]") "]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "{\"name\":\"finish\",\"arguments\":[" TASKS_CLOSED
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "," SAMPLES_PASSED
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "],\"results\":[" RESULT("0", "2", "closed", "[]") "]}],"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   "\"passes\":[{\"train\":true}],"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   "\"train\":{\"epochs\":20,\"batch\":32,\"validation\":0.15,\"learningRate\":0.1,\"plateau\":true,\"patience\":5,"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   "\"factor\":3,\"minimumRate\":0.001,\"earlyStop\":false,\"restoreBest\":true,\"origins\":{\"epochs\":\"spec\"}}}";

static void computeLogits(clm_context *context, const clm_tensor *weight, const clm_tensor *bias, const float *images,
                          int64_t samples, float *logits) {
  int64_t classes = weight->sizes[0];
  clmrt_matmul_f32(context, images, weight->data, logits, samples, classes, PIXELS, 0, 1);
  for (int64_t i = 0; i < samples * classes; ++i)
    logits[i] += ((const float *)bias->data)[i % classes];
}

/* Mean cross entropy; `gradient` [samples, classes], when given, gets its derivative with respect to the logits. */
static float crossEntropy(const float *logits, const int64_t *labels, int64_t samples, int64_t classes,
                          float *gradient) {
  double total = 0;
  for (int64_t i = 0; i < samples; ++i) {
    const float *row = logits + i * classes;
    float highest = row[0];
    for (int64_t c = 1; c < classes; ++c)
      highest = fmaxf(highest, row[c]);
    float sum = 0;
    for (int64_t c = 0; c < classes; ++c)
      sum += expf(row[c] - highest);
    total += logf(sum) - (row[labels[i]] - highest);
    for (int64_t c = 0; gradient && c < classes; ++c)
      gradient[i * classes + c] = (expf(row[c] - highest) / sum - (c == labels[i])) / (float)samples;
  }
  return (float)(total / (double)samples);
}

void clm_arrive(clm_context *context, const clm_tensor *arguments, const clm_tensor *results) {
  const float *noise = arguments[0].data;
  float *weight = results[0].data;
  for (int64_t i = 0; i < results[0].sizes[0] * PIXELS; ++i)
    weight[i] = 0.01f * noise[i];
  memset(results[1].data, 0, sizeof(float) * (size_t)results[1].sizes[0]);
}

void clm_step(clm_context *context, const clm_tensor *arguments, const clm_tensor *results) {
  float *weight = arguments[0].data, *bias = arguments[1].data;
  const float *images = arguments[2].data, *noise = arguments[4].data;
  int64_t samples = arguments[2].sizes[0], classes = arguments[0].sizes[0];
  double learningRate = *(const double *)arguments[5].data, rate = *(const double *)arguments[6].data;
  float *kept =
      clmrt_workspace(context, (int64_t)sizeof(float) * (samples * PIXELS + samples * classes + classes * PIXELS));
  float *gradient = kept + samples * PIXELS, *weightGradient = gradient + samples * classes;
  for (int64_t i = 0; i < samples * PIXELS; ++i)
    kept[i] = noise[i] >= rate ? images[i] / (float)(1 - rate) : 0;
  float *logits = results[1].data;
  computeLogits(context, &arguments[0], &arguments[1], kept, samples, logits);
  *(float *)results[0].data = crossEntropy(logits, arguments[3].data, samples, classes, gradient);
  clmrt_matmul_f32(context, gradient, kept, weightGradient, classes, PIXELS, samples, 1, 0);
  for (int64_t i = 0; i < classes * PIXELS; ++i)
    weight[i] -= (float)learningRate * weightGradient[i];
  for (int64_t i = 0; i < samples * classes; ++i)
    bias[i % classes] -= (float)learningRate * gradient[i];
}

void clm_predict(clm_context *context, const clm_tensor *arguments, const clm_tensor *results) {
  computeLogits(context, &arguments[0], &arguments[1], arguments[2].data, arguments[2].sizes[0], results[0].data);
}

void clm_evaluate(clm_context *context, const clm_tensor *arguments, const clm_tensor *results) {
  clm_predict(context, arguments, results + 1);
  *(float *)results[0].data =
      crossEntropy(results[1].data, arguments[3].data, arguments[2].sizes[0], arguments[0].sizes[0], 0);
}

void clm_accumulate(clm_context *context, const clm_tensor *arguments, const clm_tensor *results) {
  *(float *)arguments[0].data += (float)arguments[1].sizes[0];
}

void clm_finish(clm_context *context, const clm_tensor *arguments, const clm_tensor *results) {
  *(float *)arguments[0].data += 1;
}
