// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/testing_picture.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "replays/rendering/png.h"

namespace reprise::replays {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void KeepPicture(const std::string& name, const Picture& picture) {
  const char* const folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  const std::string path =
      std::string(folder == nullptr ? testing::TempDir() : folder) + "/" + name;
  const absl::StatusOr<std::string> bytes = EncodePng(picture);
  ASSERT_TRUE(bytes.ok());
  std::ofstream(path, std::ios::binary) << *bytes;
  ADD_FAILURE() << "see " << path;
}

}  // namespace

void ExpectGoldenPicture(const std::string& path, const Picture& picture) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const absl::StatusOr<Picture> golden = DecodePng(ReadFile(path));
  if (golden.ok() && *golden == picture) return;
  KeepPicture(name, picture);
  ASSERT_TRUE(golden.ok()) << golden.status();
  ASSERT_EQ(golden->width(), picture.width());
  ASSERT_EQ(golden->height(), picture.height());
  const PictureDifference difference = ComparePictures(*golden, picture);
  KeepPicture("difference_" + name, difference.shown);
  ADD_FAILURE() << difference.pixels << " pixels differ by up to "
                << int{difference.largest};
}

}  // namespace reprise::replays
