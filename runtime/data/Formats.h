/// \file
/// Readers of single formats. Each takes the folder that holds the files, fills `shape`, `classes`, `train` and `test`,
/// and takes all counts from headers and file sizes: sets may be subsets. Not for other folders.
#pragma once

#include "runtime/data/Dataset.h"

namespace clm::runtime {

/// `train-images-idx3-ubyte`, `train-labels-idx1-ubyte`, `t10k-...`, each plain or gzip (MNIST and its like).
void readIdx(Dataset &dataset);

/// `data_batch_1.bin` ... `data_batch_5.bin`, `test_batch.bin`: records of a label byte and 3x32x32 pixels.
void readCifar10(Dataset &dataset);

/// `train.bin`, `test.bin`: records of a coarse label byte, a fine label byte and 3x32x32 pixels; the fine label
/// counts.
void readCifar100(Dataset &dataset);

} // namespace clm::runtime
