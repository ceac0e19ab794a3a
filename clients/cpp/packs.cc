// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "packs.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/sync_stream.h"

namespace reprise::client {
namespace {

namespace filesystem = std::filesystem;

// Small beside the limit of every message, large enough that its cost vanishes.
constexpr size_t kPieceBytes = size_t{1} << 20;

absl::StatusOr<std::string> ReadFile(const filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || filesystem::is_directory(path)) {
    return absl::ErrnoToStatus(errno == 0 ? EIO : errno, path.string());
  }
  return bytes;
}

// One UploadPack call.
class Upload {
 public:
  Upload(Client& client, std::string name) : name_(std::move(name)) {
    client.Prepare(context_);
    writer_ = client.catalog().UploadPack(&context_, &response_);
  }

  // Sends `bytes` in pieces, at least one; `fill` puts each into its request.
  // False: the server takes no more, and Finish says why.
  template <typename Fill>
  bool Send(std::string_view bytes, Fill fill) {
    size_t begin = 0;
    do {
      v1::UploadPackRequest request;
      request.set_name(name_);
      fill(std::string(bytes.substr(begin, kPieceBytes)), request);
      if (!writer_->Write(request)) return false;
      begin += kPieceBytes;
    } while (begin < bytes.size());
    return true;
  }

  absl::StatusOr<v1::OfferedPack> Finish() {
    writer_->WritesDone();
    absl::Status status = Client::ToStatus(writer_->Finish());
    if (!status.ok()) return status;
    return std::move(*response_.mutable_pack());
  }

  // Gives it up.
  absl::Status Abandon(absl::Status status) {
    context_.TryCancel();
    static_cast<void>(writer_->Finish());
    return status;
  }

 private:
  const std::string name_;
  grpc::ClientContext context_;
  v1::UploadPackResponse response_;
  std::unique_ptr<grpc::ClientWriter<v1::UploadPackRequest>> writer_;
};

// Paths within the folder, of what `reprise pack build` takes: neither what is
// hidden nor the pack's own tests.
absl::StatusOr<std::vector<std::string>> FilesOf(
    const filesystem::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  filesystem::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != filesystem::recursive_directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_tests = entry.depth() == 0 && name == "tests";
    std::error_code vanished;
    if (name.starts_with('.') || is_tests) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file(vanished)) {
      files.push_back(
          entry->path().lexically_relative(folder).generic_string());
    }
  }
  if (error) return absl::ErrnoToStatus(error.value(), folder.string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

absl::StatusOr<v1::OfferedPack> UploadPack(Client& client,
                                           const std::string& name,
                                           const std::string& path) {
  std::error_code ignored;
  if (!filesystem::is_directory(path, ignored)) {
    const auto archive = ReadFile(path);
    if (!archive.ok()) return archive.status();
    return UploadPackArchive(client, name, *archive);
  }
  const auto files = FilesOf(path);
  if (!files.ok()) return files.status();
  Upload upload(client, name);
  for (const std::string& file : *files) {
    const auto bytes = ReadFile(filesystem::path(path) / file);
    if (!bytes.ok()) return upload.Abandon(bytes.status());
    const bool goes_on = upload.Send(
        *bytes, [&](std::string piece, v1::UploadPackRequest& request) {
          request.set_path(file);
          request.set_data(std::move(piece));
        });
    if (!goes_on) break;
  }
  return upload.Finish();
}

absl::StatusOr<v1::OfferedPack> UploadPackArchive(Client& client,
                                                  const std::string& name,
                                                  std::string_view archive) {
  Upload upload(client, name);
  upload.Send(archive, [](std::string piece, v1::UploadPackRequest& request) {
    request.set_archive(std::move(piece));
  });
  return upload.Finish();
}

absl::Status DeletePack(Client& client, const std::string& name,
                        const std::string& digest) {
  grpc::ClientContext context;
  client.Prepare(context);
  v1::DeletePackRequest request;
  request.set_pack(name);
  request.set_digest(digest);
  v1::DeletePackResponse response;
  return Client::ToStatus(
      client.catalog().DeletePack(&context, request, &response));
}

}  // namespace reprise::client
