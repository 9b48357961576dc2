/* Writing a record: segments of a file, each mapped by one thread. */
#define _GNU_SOURCE /* environ, O_CLOEXEC */
#include "runtime/output.h"

#include "runtime/record.h"
#include "runtime/sys.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MAX_NAMES 1000 /* records of one pid: each exec leaves one */
#define MODE 0600

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE
#endif

static char folder[PATH_MAX];
static char path[PATH_MAX];
static struct pn_runtime_head *head; /* NULL: there is no record */
static atomic_uint_least64_t file_bytes;

static size_t add_text(char *to, size_t at, const char *text)
{
	while (*text && at < PATH_MAX - 1)
		to[at++] = *text++;
	to[at] = '\0';
	return at;
}

static size_t add_number(char *to, size_t at, unsigned long number)
{
	char digits[24];
	size_t n = sizeof(digits) - 1;

	digits[n] = '\0';
	do {
		digits[--n] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return add_text(to, at, digits + n);
}

void pn_output_prepare(void)
{
	const char *given = getenv(PN_RUNTIME_FOLDER);

	/* names of a record have room behind the folder's */
	if (given && *given == '/' && strlen(given) < PATH_MAX - 128)
		add_text(folder, 0, given);
}

/* A file of a name that nobody has; its fd, or negative. */
static int create(const char *runtime, unsigned long pid)
{
	unsigned long n;
	size_t at;
	long fd = -1;

	if (!*folder)
		pn_output_prepare();
	if (!*folder)
		return -1;
	for (n = 0; n < MAX_NAMES; n++) {
		at = add_text(path, 0, folder);
		at = add_text(path, at, "/");
		at = add_text(path, at, runtime);
		at = add_text(path, at, ".");
		at = add_number(path, at, pid);
		at = add_text(path, at, ".");
		add_number(path, at, n);
		fd = pn_sys(SYS_openat, AT_FDCWD, path,
			    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
		if (fd != -EEXIST)
			break;
	}
	return (int)fd;
}

/* Whether the file has so many bytes on the disk now: writing to a mapping of
 * a full disk would kill the program. */
static bool extend(int fd, uint64_t from, uint64_t size)
{
	static const unsigned char zeros[4096];
	struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
	long got;
	uint64_t at;

	pn_sys(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit);
	if (from + size > limit.rlim_cur)
		return false;
	got = pn_sys(SYS_fallocate, fd, 0, (long)from, (long)size);
	if (got != -EOPNOTSUPP && got != -ENOSYS)
		return !got;
	for (at = from; at < from + size; at += sizeof(zeros))
		if (pn_sys(SYS_pwrite64, fd, zeros, sizeof(zeros), (long)at) !=
		    (long)sizeof(zeros))
			return false;
	return true;
}

static void *map_part(int fd, uint64_t from, size_t size)
{
	return extend(fd, from, size) ? pn_sys_map(size, fd, from) : NULL;
}

static void fill_head(struct pn_runtime_head *h, unsigned long pid)
{
	h->machine = MACHINE;
	h->pid = (uint32_t)pid;
	h->parent = (uint32_t)pn_sys(SYS_getppid);
	h->begin_ns = pn_sys_time_ns(CLOCK_REALTIME);
	pn_sys(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", h->program,
	       sizeof(h->program) - 1);
	h->magic = PN_RUNTIME_MAGIC;
}

bool pn_output_open(const char *runtime)
{
	unsigned long pid = (unsigned long)pn_sys(SYS_getpid);
	int fd = create(runtime, pid);

	/* in the child of a fork this still is the parent's */
	if (head)
		pn_sys(SYS_munmap, head, (size_t)PN_RUNTIME_HEAD);
	head = NULL;
	if (fd < 0)
		return false;
	head = map_part(fd, 0, PN_RUNTIME_HEAD);
	pn_sys(SYS_close, fd);
	if (!head)
		return false;
	atomic_store(&file_bytes, PN_RUNTIME_HEAD);
	fill_head(head, pid);
	return true;
}

bool pn_output_is_open(void)
{
	return head != NULL;
}

void pn_output_set_base(uint64_t start, uint64_t limit)
{
	if (!head)
		return;
	head->base_start = start;
	head->base_limit = limit;
}

void pn_output_close(void)
{
	if (head)
		head->end_ns = pn_sys_time_ns(CLOCK_REALTIME);
}

/* Another segment for this stream in place of the one that is full. */
static bool next_segment(struct pn_stream *stream)
{
	uint64_t from = atomic_fetch_add(&file_bytes, PN_RUNTIME_SEGMENT);
	void *segment;
	long fd;

	fd = pn_sys(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	segment = map_part((int)fd, from, PN_RUNTIME_SEGMENT);
	pn_sys(SYS_close, fd);
	if (!segment)
		return false;
	if (stream->segment && !stream->keep)
		pn_sys(SYS_munmap, stream->segment, (size_t)PN_RUNTIME_SEGMENT);
	stream->segment = segment;
	stream->used = 0;
	return true;
}

static size_t chunk_size(size_t size)
{
	return (sizeof(struct pn_runtime_chunk) + size + 7) & ~(size_t)7;
}

void *pn_stream_begin(struct pn_stream *stream, uint32_t kind, size_t size)
{
	struct pn_runtime_chunk *chunk;

	if (!head || size > PN_RUNTIME_SEGMENT - sizeof(*chunk))
		return NULL;
	if ((!stream->segment ||
	     chunk_size(size) > PN_RUNTIME_SEGMENT - stream->used) &&
	    !next_segment(stream)) {
		__atomic_fetch_add(&head->lost, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	chunk = (void *)(stream->segment + stream->used);
	chunk->kind = kind;
	return chunk + 1;
}

void pn_stream_end(struct pn_stream *stream, size_t size)
{
	struct pn_runtime_chunk *chunk =
		(void *)(stream->segment + stream->used);

	stream->used += chunk_size(size);
	__atomic_store_n(&chunk->size, (uint32_t)chunk_size(size),
			 __ATOMIC_RELEASE);
}
