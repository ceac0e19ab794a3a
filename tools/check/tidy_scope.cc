// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A plug-in of clang-tidy: its checks look at our own code, and not at all of
// the standard library, which takes most of their time. Newer ones do so by
// themselves. tidy.py builds and loads it.

#include <memory>
#include <string>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/StringRef.h"

namespace {

class OwnCodeConsumer : public clang::ASTConsumer {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    declarations_.insert(declarations_.end(), group.begin(), group.end());
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    const clang::SourceManager& sources = context.getSourceManager();
    std::vector<clang::Decl*> ours;
    for (clang::Decl* declaration : declarations_) {
      if (!sources.isInSystemHeader(
              sources.getExpansionLoc(declaration->getLocation()))) {
        ours.push_back(declaration);
      }
    }
    context.setTraversalScope(ours);
  }

 private:
  std::vector<clang::Decl*> declarations_;
};

// Runs before clang-tidy's own consumer.
class OwnCodeAction : public clang::PluginASTAction {
 public:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(
      clang::CompilerInstance& /*compiler*/,
      llvm::StringRef /*file*/) override {
    return std::make_unique<OwnCodeConsumer>();
  }

  bool ParseArgs(const clang::CompilerInstance& /*compiler*/,
                 const std::vector<std::string>& /*arguments*/) override {
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<OwnCodeAction> kRegistration(
    "own-code", "limits clang-tidy's checks to our own code");

}  // namespace
