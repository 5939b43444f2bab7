/// \file
/// Puts the families of operations together.

#include "runtime/reference/Operations.h"

namespace clm::runtime::reference {

const OperationTable &operations() {
  static const OperationTable table = [] {
    OperationTable all;
    addElementwise(all);
    addReductions(all);
    addContractions(all);
    addShapes(all);
    return all;
  }();
  return table;
}

} // namespace clm::runtime::reference
