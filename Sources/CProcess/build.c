#define _GNU_SOURCE
#include "CProcess.h"

#include <stdint.h>
#include <string.h>

#if defined(__APPLE__)
#include <dlfcn.h>
#include <mach-o/loader.h>

// The linker's number for the image that holds this function.
const unsigned char *palimpsest_build(int *length) {
  Dl_info image;
  *length = 0;
  if (!dladdr((const void *)palimpsest_build, &image)) return 0;
  const struct mach_header_64 *header = image.dli_fbase;
  const struct load_command *command = (const struct load_command *)(header + 1);
  for (uint32_t i = 0; i < header->ncmds; i += 1) {
    if (command->cmd == LC_UUID) {
      *length = 16;
      return ((const struct uuid_command *)command)->uuid;
    }
    command = (const struct load_command *)((const char *)command + command->cmdsize);
  }
  return 0;
}

#elif defined(__linux__)
#include <elf.h>
#include <link.h>

typedef struct {
  const unsigned char *bytes;
  int length;
} build;

// The build number among the notes of a segment.
static void find_note(const char *notes, size_t size, build *found) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)notes;
    const size_t name = (note->n_namesz + 3u) & ~3u, content = (note->n_descsz + 3u) & ~3u;
    if (size < sizeof *note + name + content) return;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(note + 1, "GNU", 4) == 0) {
      found->bytes = (const unsigned char *)(note + 1) + name;
      found->length = (int)note->n_descsz;
      return;
    }
    notes += sizeof *note + name + content, size -= sizeof *note + name + content;
  }
}

// Whether an image holds the code of this file.
static int holds_this(const struct dl_phdr_info *image) {
  const uintptr_t here = (uintptr_t)palimpsest_build;
  for (int i = 0; i < image->dlpi_phnum; i += 1) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && here - (image->dlpi_addr + part->p_vaddr) < part->p_memsz) return 1;
  }
  return 0;
}

static int look(struct dl_phdr_info *image, size_t size, void *found) {
  (void)size;
  if (!holds_this(image)) return 0;
  for (int i = 0; i < image->dlpi_phnum; i += 1) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[i];
    if (part->p_type == PT_NOTE) find_note((const char *)(image->dlpi_addr + part->p_vaddr), part->p_memsz, found);
  }
  return 1;
}

const unsigned char *palimpsest_build(int *length) {
  build found = {0, 0};
  dl_iterate_phdr(look, &found);
  *length = found.length;
  return found.bytes;
}

#else
const unsigned char *palimpsest_build(int *length) {
  *length = 0;
  return 0;
}
#endif
