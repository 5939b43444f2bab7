#include "ClmParser.h"
#include "syntax/Ast.h"
#include <torch/torch.h>
