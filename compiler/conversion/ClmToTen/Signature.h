/// \file
/// Arguments and results of a function while it is being built, with the attributes that the manifest is made from.
#pragma once

#include "clm/Clm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace clm {

/// Attribute names on arguments and results of `ten` functions.
namespace signature {
inline constexpr llvm::StringLiteral kKind = "clm.kind";   // entry, input, label, scalar, noise
inline constexpr llvm::StringLiteral kName = "clm.name";   // of the entry, scalar, stream or output
inline constexpr llvm::StringLiteral kShape = "clm.shape"; // sizes, -1 batch, -2 classes
inline constexpr llvm::StringLiteral kTied = "clm.tied";   // result: index of the argument it replaces
inline constexpr llvm::StringLiteral kFirst = "clm.first"; // result: first value of the entry named
} // namespace signature

class Signature {
public:
  Signature(decl::ModelOp model, mlir::Block &body) : model(model), body(body) {}

  /// The argument for a table entry, input, label, scalar or noise stream; made on first use.
  mlir::Value entry(llvm::StringRef name, mlir::Location location);
  mlir::Value input(mlir::Type type, mlir::Location location);
  mlir::Value label(mlir::Type type, mlir::Location location);
  mlir::Value scalar(llvm::StringRef name, mlir::Location location);
  mlir::Value noise(llvm::StringRef name, mlir::Location location);

  /// A result under its own name.
  void addOutput(const llvm::Twine &name, mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// A new value of an entry: tied to the entry's argument, or (`first`) a result of its own.
  void addUpdate(llvm::StringRef entry, mlir::Value value, bool first);

  void setLoss(mlir::Value value) { total = value; }
  mlir::Value loss() const { return total; }
  /// Declaration of an entry.
  decl::EntryOp declaration(llvm::StringRef entry) const;

  /// Ends the body and gives the function its type and attributes.
  void finish(mlir::OpBuilder &builder, mlir::func::FuncOp function);

private:
  struct Argument {
    std::string kind, name;
    mlir::Value value;
    mlir::DictionaryAttr attributes;
  };
  struct Result {
    mlir::Value value;
    mlir::DictionaryAttr attributes;
  };
  mlir::Value argument(llvm::StringRef kind, llvm::StringRef name, mlir::Type type, llvm::ArrayRef<int64_t> shape,
                       mlir::Location location);

  decl::ModelOp model;
  mlir::Block &body;
  mlir::Value total;
  llvm::SmallVector<Argument> arguments;
  llvm::SmallVector<Result> results;
};

} // namespace clm
