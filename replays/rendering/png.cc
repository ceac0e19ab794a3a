// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/png.h"

#include <png.h>

#include <cstddef>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::replays {
namespace {

// Whatever happens, libpng lets go of what it has.
class PngImage {
 public:
  PngImage() { image.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&image); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;

  png_image image = {};
};

}  // namespace

absl::StatusOr<std::string> EncodePng(const Picture& picture) {
  PngImage png;
  png.image.width = picture.width();
  png.image.height = picture.height();
  png.image.format = PNG_FORMAT_RGB;
  const std::vector<uint8_t>& pixels = picture.bytes();
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png.image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&png.image, bytes.data(), &size, 0,
                                pixels.data(), 0, nullptr) == 0) {
    return absl::InternalError(fmt::format("libpng: {}", png.image.message));
  }
  bytes.resize(size);
  return bytes;
}

absl::StatusOr<Picture> DecodePng(std::string_view bytes) {
  PngImage png;
  if (png_image_begin_read_from_memory(&png.image, bytes.data(),
                                       bytes.size()) == 0) {
    return absl::InvalidArgumentError(
        fmt::format("libpng: {}", png.image.message));
  }
  const uint32_t width = png.image.width;
  const uint32_t height = png.image.height;
  if (width > Picture::kSizeMax || height > Picture::kSizeMax) {
    return absl::InvalidArgumentError(
        fmt::format("a picture of {}x{} is too large", width, height));
  }
  png.image.format = PNG_FORMAT_RGB;
  Picture picture(width, height);
  if (png_image_finish_read(&png.image, nullptr, picture.mutable_bytes().data(),
                            0, nullptr) == 0) {
    return absl::InvalidArgumentError(
        fmt::format("libpng: {}", png.image.message));
  }
  return picture;
}

}  // namespace reprise::replays
