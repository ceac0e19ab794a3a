// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Packs of one's own: brought to a server, and taken away again.

#ifndef REPRISE_CLIENTS_CPP_PACKS_H_
#define REPRISE_CLIENTS_CPP_PACKS_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client.h"
#include "reprise/v1/catalog_service.pb.h"

namespace reprise::client {

// Has the server keep a pack under a name, which is what it calls itself, and
// returns what the server says of it. `path` is the pack's folder, whose files
// are sent but for hidden ones and its tests, or an archive of `reprise pack
// build`. Mistakes in it: INVALID_ARGUMENT, PACK_INVALID, and the places of all
// that the server found in ErrorInfo::mistakes. Errors of files are the
// system's.
absl::StatusOr<v1::OfferedPack> UploadPack(Client& client,
                                           const std::string& name,
                                           const std::string& path);

// The same of the bytes of an archive.
absl::StatusOr<v1::OfferedPack> UploadPackArchive(Client& client,
                                                  const std::string& name,
                                                  std::string_view archive);

// Forgets the pack of that name and digest; without a digest all of that name.
// Sessions of it go on. NOT_FOUND: nobody has uploaded one.
absl::Status DeletePack(Client& client, const std::string& name,
                        const std::string& digest = "");

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_PACKS_H_
