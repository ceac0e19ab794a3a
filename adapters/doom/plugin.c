/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* Doom as a plug-in. The engine has one game in global variables; each
 * simulation gets a copy of this library of its own, loaded from a file in
 * memory, so that any number live side by side, on as many threads, and share
 * nothing. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/doom/engine.h"
#include "reprise/simulation.h"

struct reprise_simulation {
  int file;      /* the copy, in memory */
  void* library; /* of dlopen */
  const struct doom_engine* engine;
};

/* The bytes of this library, read when it is loaded: where it lies may be said
 * relative to a folder that is left later. */
static void* image;
static size_t image_size;

static int32_t fail(reprise_error* error, const char* what, const char* why) {
  snprintf(error->text, error->capacity, "%s: %s", what, why);
  return REPRISE_RESOURCE_EXHAUSTED;
}

static void read_image(void) {
  Dl_info self;
  struct stat status;
  FILE* file;
  if (dladdr((void*)&read_image, &self) == 0) return;
  file = fopen(self.dli_fname, "rb");
  if (file == NULL) return;
  if (fstat(fileno(file), &status) == 0) {
    image = malloc((size_t)status.st_size);
    if (image != NULL) {
      image_size = fread(image, 1, (size_t)status.st_size, file);
    }
  }
  fclose(file);
}

static int write_image(int file) {
  size_t written = 0;
  while (written < image_size) {
    const ssize_t count =
        write(file, (const char*)image + written, image_size - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    written += (size_t)count;
  }
  return 1;
}

static void destroy(reprise_simulation* simulation) {
  if (simulation->engine != NULL) simulation->engine->destroy();
  if (simulation->library != NULL) dlclose(simulation->library);
  if (simulation->file >= 0) close(simulation->file);
  free(simulation);
}

/* The file stays open as long as the copy is loaded: its name is that of its
 * descriptor, and no two copies may have one name. */
static int32_t load_copy(reprise_simulation* simulation, reprise_error* error) {
  char path[64];
  if (image_size == 0) return fail(error, "the library", "it can't be read");
  simulation->file = memfd_create("reprise_doom", MFD_CLOEXEC);
  if (simulation->file < 0 || !write_image(simulation->file)) {
    return fail(error, "a copy of the library", strerror(errno));
  }
  snprintf(path, sizeof(path), "/proc/self/fd/%d", simulation->file);
  simulation->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (simulation->library == NULL) {
    return fail(error, "a copy of the library", dlerror());
  }
  simulation->engine =
      (const struct doom_engine*)dlsym(simulation->library, "doom_engine");
  if (simulation->engine == NULL) {
    return fail(error, "a copy of the library", dlerror());
  }
  return REPRISE_OK;
}

static int32_t create(const reprise_create_arguments* arguments,
                      reprise_simulation** simulation, reprise_error* error) {
  int32_t code;
  reprise_simulation* const result =
      (reprise_simulation*)calloc(1, sizeof(*result));
  if (result == NULL) return fail(error, "a simulation", strerror(ENOMEM));
  result->file = -1;
  code = load_copy(result, error);
  if (code == REPRISE_OK) code = result->engine->create(arguments, error);
  if (code != REPRISE_OK) {
    destroy(result);
    return code;
  }
  *simulation = result;
  return REPRISE_OK;
}

static void info(const reprise_simulation* simulation, reprise_info* info) {
  simulation->engine->info(info);
}

static int32_t step(reprise_simulation* simulation,
                    const reprise_step_arguments* arguments,
                    reprise_error* error) {
  return simulation->engine->step(arguments, error);
}

static void rows(reprise_simulation* simulation, uint32_t table,
                 reprise_rows* rows) {
  simulation->engine->rows(table, rows);
}

static int32_t restore(reprise_simulation* simulation,
                       const reprise_list* tables, reprise_error* error) {
  return simulation->engine->restore(tables, error);
}

static void outcome(const reprise_simulation* simulation,
                    reprise_outcome* outcome) {
  simulation->engine->outcome(outcome);
}

static void frame(const reprise_simulation* simulation,
                  const reprise_frame_arguments* arguments) {
  simulation->engine->frame(arguments);
}

static void object_name(const reprise_simulation* simulation, uint64_t object,
                        char* name, uint32_t capacity) {
  simulation->engine->object_name(object, name, capacity);
}

static const reprise_plugin plugin = {sizeof(reprise_plugin),
                                      REPRISE_INTERFACE_VERSION,
                                      "doom",
                                      create,
                                      destroy,
                                      info,
                                      step,
                                      rows,
                                      restore,
                                      outcome,
                                      frame,
                                      object_name};

REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void) {
  if (image == NULL) read_image();
  return &plugin;
}
