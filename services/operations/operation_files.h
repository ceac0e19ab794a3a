// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The disk of operations: a folder for each server that lives, in it one for
// each operation, and in that the files that it leaves.

#ifndef REPRISE_SERVICES_OPERATIONS_OPERATION_FILES_H_
#define REPRISE_SERVICES_OPERATIONS_OPERATION_FILES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reprise/v1/operation_service.pb.h"

namespace reprise::services {

// In a server's folder; locked as long as the server lives.
inline constexpr std::string_view kLockFile = "lock";

// How many files an operation may leave.
inline constexpr size_t kResultFilesMax = 5000;

// Nothing, where there is none or `folder` is empty.
void RemoveFolder(const std::string& folder);

// The files of a folder whose names are safe in messages and headers, in
// ascending order of names.
std::vector<v1::ResultFile> FilesIn(const std::string& folder);

// Whether a worker has left more than it may.
bool HasTooMuch(const std::string& folder, uint64_t bytes_max);

// Removes the folders in `folder` of servers that don't live any more.
void RemoveAbandoned(const std::string& folder);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATIONS_OPERATION_FILES_H_
