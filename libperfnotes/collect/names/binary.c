/* Files of code that was mapped, as long as they still are what was mapped. */
#define _GNU_SOURCE /* memfd_create */
#include "collect/names/binary.h"

#include "base/file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define VDSO_MAX (1 << 20) /* bytes; it has two pages */

/* The kernel's code in every process, ours too; one kernel, one image. */
static int open_vdso(void)
{
	unsigned long address = getauxval(AT_SYSINFO_EHDR);
	const unsigned char *image;
	size_t size;
	GElf_Ehdr head;
	int fd;

	if (!address)
		return -1;
	memcpy(&image, &address, sizeof(image));
	memcpy(&head, image, sizeof(head));
	size = head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
	if (size > VDSO_MAX)
		return -1;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && pn_file_write_all(fd, image, size)) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool same_build_id(Elf *elf, const char *want)
{
	static const char digits[] = "0123456789abcdef";
	const void *bytes;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &bytes), i;

	if (!want)
		return true;
	if (len <= 0)
		return !*want;
	if (strlen(want) != (size_t)len * 2)
		return false;
	for (i = 0; i < len; i++) {
		unsigned char byte = ((const unsigned char *)bytes)[i];

		if (want[2 * i] != digits[byte >> 4] ||
		    want[2 * i + 1] != digits[byte & 15])
			return false;
	}
	return true;
}

/* A device or a pipe of that name would wait for us. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

int pn_binary_open(const char *path, const char *build_id)
{
	int fd = strcmp(path, "[vdso]") ? open_file(path) : open_vdso();
	bool good;
	Elf *elf;

	if (fd < 0)
		return -1;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	good = elf && elf_kind(elf) == ELF_K_ELF &&
	       same_build_id(elf, build_id);
	elf_end(elf);
	if (good)
		return fd;
	close(fd);
	return -1;
}
