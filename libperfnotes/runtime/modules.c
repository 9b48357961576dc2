/*
 * /proc/self/maps, as proc(5) describes it, and the little of an ELF file
 * (elf(5)) that lies in memory: program headers, the note with the build id,
 * and the table of functions of .eh_frame_hdr (Linux Standard Base 5.0, 10.6).
 */
#define _GNU_SOURCE /* struct iovec, process_vm_readv's number */
#include "runtime/modules.h"

#include "runtime/record.h"
#include "runtime/sys.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MAX_HEADERS 32 /* program headers; ld writes about 13 */
#define MAX_NOTES 4096 /* bytes of notes to search for the build id */
#define MAX_PROBES 32  /* functions whose first instructions we look at */
#define LINE (PATH_MAX + 128) /* of the maps */

struct table {
	size_t count;
	struct pn_module modules[PN_MODULES_MAX];
	uint64_t hashes[PN_MODULES_MAX]; /* of a mapping's line in the maps */
};

/* Readers use the current one while a scan fills the other. A reader that is
 * overtaken by two scans sees a table in motion: never more than a wrong
 * answer, from which no walk reads memory that it must not. */
static struct table tables[2];
static _Atomic(struct table *) current = &tables[0];
static atomic_flag scanning = ATOMIC_FLAG_INIT;

/* One line of the maps. */
struct area {
	uint64_t start, limit, offset;
	bool readable, executable;
	char *path; /* "" when there is none */
};

/* The scan of a file of the kernel, line by line. */
struct maps {
	long fd;
	size_t used, len;
	char bytes[2 * LINE];
};

bool pn_modules_peek(void *to, uint64_t from, size_t size)
{
	struct iovec local = {to, size}, remote = {NULL, size};
	long pid = pn_sys(SYS_getpid);

	memcpy(&remote.iov_base, &from, sizeof(from));

	return pn_sys(SYS_process_vm_readv, pid, &local, 1UL, &remote, 1UL,
		      0UL) == (long)size;
}

/* The next line, its end replaced by NUL; NULL at the end. */
static char *next_line(struct maps *m)
{
	char *line, *end;
	long got;

	for (;;) {
		line = m->bytes + m->used;
		end = memchr(line, '\n', m->len - m->used);
		if (end) {
			*end = '\0';
			m->used = (size_t)(end + 1 - m->bytes);
			return line;
		}
		memmove(m->bytes, line, m->len - m->used);
		m->len -= m->used;
		m->used = 0;
		if (m->len == sizeof(m->bytes))
			return NULL;
		got = pn_sys(SYS_read, m->fd, m->bytes + m->len,
			     sizeof(m->bytes) - m->len);
		if (got <= 0)
			return NULL;
		m->len += (size_t)got;
	}
}

static char *parse_hex(uint64_t *out, char *at)
{
	uint64_t value = 0;
	int digit;

	for (;; at++) {
		if (*at >= '0' && *at <= '9')
			digit = *at - '0';
		else if (*at >= 'a' && *at <= 'f')
			digit = *at - 'a' + 10;
		else
			break;
		value = value << 4 | (uint64_t)digit;
	}
	*out = value;
	return at;
}

/* start-limit rwxp offset dev inode      path */
static bool parse_line(struct area *out, char *line)
{
	char *at = parse_hex(&out->start, line);
	int i;

	if (*at++ != '-')
		return false;
	at = parse_hex(&out->limit, at);
	if (*at++ != ' ' || strlen(at) < 5)
		return false;
	out->readable = at[0] == 'r';
	out->executable = at[2] == 'x';
	at = parse_hex(&out->offset, at + 5);
	for (i = 0; i < 2 && *at == ' '; i++)
		at += 1 + strcspn(at + 1, " ");
	at += strspn(at, " ");
	out->path = at;
	return out->limit > out->start;
}

static uint64_t hash_area(const struct area *a)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	const char *at;

	hash = (hash ^ a->start) * UINT64_C(0x100000001b3);
	hash = (hash ^ a->limit) * UINT64_C(0x100000001b3);
	hash = (hash ^ a->offset) * UINT64_C(0x100000001b3);
	for (at = a->path; *at; at++)
		hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	return hash;
}

/* What of an ELF file is in memory. */
struct image {
	uint64_t bias; /* to add to addresses of the file */
	Elf64_Phdr headers[MAX_HEADERS];
	size_t count;
};

/* `start` is where the file's first page is mapped. */
static bool read_image(struct image *out, uint64_t start)
{
	Elf64_Ehdr elf;
	size_t i;

	if (!pn_modules_peek(&elf, start, sizeof(elf)) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) ||
	    elf.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf.e_phentsize != sizeof(Elf64_Phdr) ||
	    elf.e_phnum > MAX_HEADERS ||
	    !pn_modules_peek(out->headers, start + elf.e_phoff,
			     elf.e_phnum * sizeof(Elf64_Phdr)))
		return false;
	out->count = elf.e_phnum;
	for (i = 0; i < out->count; i++) {
		const Elf64_Phdr *h = &out->headers[i];

		if (h->p_type == PT_LOAD && !(h->p_offset & ~UINT64_C(4095))) {
			out->bias = start - (h->p_vaddr & ~UINT64_C(4095));
			return true;
		}
	}
	return false;
}

/* Of the notes in `bytes`; whether it was found. */
static bool parse_notes(struct pn_runtime_mapping *out,
			const unsigned char *bytes, size_t size)
{
	size_t name, desc, next = 0;
	Elf64_Nhdr note;

	while (next < size && size - next >= sizeof(note)) {
		memcpy(&note, bytes + next, sizeof(note));
		name = next + sizeof(note);
		desc = name + (((size_t)note.n_namesz + 3) & ~(size_t)3);
		next = desc + (((size_t)note.n_descsz + 3) & ~(size_t)3);
		if (next > size)
			return false;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp(bytes + name, ELF_NOTE_GNU, 4) ||
		    note.n_descsz > PN_RUNTIME_MAX_BUILD_ID)
			continue;
		memcpy(out->build_id, bytes + desc, note.n_descsz);
		out->build_id_len = (uint8_t)note.n_descsz;
		return true;
	}
	return false;
}

static void find_build_id(struct pn_runtime_mapping *out,
			  const struct image *image)
{
	static unsigned char notes[MAX_NOTES]; /* as in scan_lines */
	size_t i, size;

	for (i = 0; i < image->count; i++) {
		const Elf64_Phdr *h = &image->headers[i];

		size = h->p_memsz < MAX_NOTES ? h->p_memsz : MAX_NOTES;
		if (h->p_type == PT_NOTE &&
		    pn_modules_peek(notes, image->bias + h->p_vaddr, size) &&
		    parse_notes(out, notes, size))
			return;
	}
}

/* Where .eh_frame_hdr counts its functions with a table that can be searched:
 * its entries are pairs of 32-bit offsets, of a function and of its unwinding
 * information. 0: there is none. */
static uint64_t find_functions(uint64_t *base, uint32_t *count,
			       const struct image *image)
{
	struct {
		uint8_t version, pointer, how_many, table;
		int32_t frames;
		uint32_t count;
	} hdr;
	size_t i;

	for (i = 0; i < image->count; i++) {
		if (image->headers[i].p_type != PT_GNU_EH_FRAME)
			continue;
		*base = image->bias + image->headers[i].p_vaddr;
		/* 4-byte values: from here, absolute, from the table */
		if (!pn_modules_peek(&hdr, *base, sizeof(hdr)) ||
		    hdr.version != 1 || hdr.pointer != 0x1b ||
		    hdr.how_many != 0x03 || hdr.table != 0x3b)
			return 0;
		*count = hdr.count;
		return *base + sizeof(hdr);
	}
	return 0;
}

/* Whether a function begins as one that keeps a frame pointer. */
static bool sets_frame_pointer(uint64_t function)
{
#if defined(__x86_64__)
	static const unsigned char push_mov[] = {0x55, 0x48, 0x89, 0xe5};
	static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	unsigned char code[8];
	size_t at;

	if (!pn_modules_peek(code, function, sizeof(code)))
		return false;
	at = memcmp(code, endbr, sizeof(endbr)) ? 0 : sizeof(endbr);
	return !memcmp(code + at, push_mov, sizeof(push_mov));
#else
	(void)function;
	return true; /* the procedure call standards of others ask for it */
#endif
}

/* A function's start; 0 when it cannot be read. */
static uint64_t function_at(const struct pn_module *m, uint32_t i)
{
	int32_t entry[2];

	if (!pn_modules_peek(entry, m->table + i * sizeof(entry),
			     sizeof(entry)))
		return 0;
	return m->base + (uint64_t)(int64_t)entry[0];
}

bool pn_modules_sets_pointer(const struct pn_module *m, uint64_t address)
{
	uint32_t low = 0, high = m->count, middle;

	if (!m->table)
		return m->frame_pointers;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (function_at(m, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && sets_frame_pointer(function_at(m, low - 1));
}

/* A quarter of the functions do: compilers leave them out where nothing is
 * called, and the start files of C have none; of code without them it is one
 * in some twenty. */
static void probe(struct pn_module *m, const struct image *image)
{
	uint32_t step, i, seen = 0, found = 0;

	m->frame_pointers = true;
	m->table = image ? find_functions(&m->base, &m->count, image) : 0;
	if (!m->table)
		return;
	step = m->count > MAX_PROBES ? m->count / MAX_PROBES : 1;
	for (i = 0; i < m->count && seen < MAX_PROBES; i += step, seen++)
		found += sets_frame_pointer(function_at(m, i));
	m->frame_pointers = found && found * 4 >= seen;
}

static void describe(struct pn_runtime_mapping *out, const struct area *a,
		     const struct image *image)
{
	size_t i;

	out->time_ns = pn_sys_time_ns(CLOCK_MONOTONIC);
	out->start = a->start;
	out->limit = a->limit;
	out->offset = a->offset;
	out->address = PN_RUNTIME_NO_ADDRESS;
	if (!image)
		return;
	find_build_id(out, image);
	for (i = 0; i < image->count; i++) {
		const Elf64_Phdr *h = &image->headers[i];

		if (h->p_type == PT_LOAD &&
		    a->start >= image->bias + (h->p_vaddr & ~UINT64_C(4095)) &&
		    a->start < image->bias + h->p_vaddr + h->p_memsz)
			out->address = a->start - image->bias;
	}
}

static bool write_mapping(struct pn_stream *stream,
			  const struct pn_runtime_mapping *mapping,
			  const char *file)
{
	size_t len = strlen(file) + 1;
	unsigned char *to = pn_stream_begin(stream, PN_RUNTIME_MAPPING,
					    sizeof(*mapping) + len);

	if (!to)
		return false;
	memcpy(to, mapping, sizeof(*mapping));
	memcpy(to + sizeof(*mapping), file, len);
	pn_stream_end(stream, sizeof(*mapping) + len);
	return true;
}

/* Into the new table; a mapping that the old one has is not written again. */
static void take(struct table *to, const struct table *old,
		 const struct area *a, const struct image *image,
		 struct pn_stream *stream)
{
	struct pn_runtime_mapping mapping = {0};
	uint64_t hash = hash_area(a);
	size_t n = to->count, i;

	if (n == PN_MODULES_MAX)
		return;
	for (i = 0; i < old->count && old->hashes[i] != hash; i++)
		;
	if (i < old->count) {
		to->modules[n] = old->modules[i];
	} else {
		describe(&mapping, a, image);
		to->modules[n] =
			(struct pn_module){.start = a->start,
					   .limit = a->limit,
					   .from_file = *a->path == '/'};
		probe(&to->modules[n], image);
		mapping.frame_pointers = to->modules[n].frame_pointers;
		if (!write_mapping(stream, &mapping, a->path))
			hash = 0; /* try again with the next scan */
	}
	to->hashes[n] = hash;
	to->count = n + 1;
}

static void scan_lines(struct table *to, const struct table *old,
		       struct maps *maps, struct pn_stream *stream)
{
	static struct image image; /* too large for a signal's stack */
	static char file[LINE];	   /* that the image is of */
	bool has_image = false;
	struct area a;
	char *line;

	*file = '\0';
	while ((line = next_line(maps))) {
		if (!parse_line(&a, line) || strlen(a.path) >= LINE)
			continue;
		if (strcmp(file, a.path) || (!a.offset && a.readable)) {
			memcpy(file, a.path, strlen(a.path) + 1);
			has_image =
				!a.offset && a.readable &&
				(*a.path == '/' || !strcmp(a.path, "[vdso]")) &&
				read_image(&image, a.start);
		}
		if (a.executable)
			take(to, old, &a, has_image ? &image : NULL, stream);
	}
}

void pn_modules_scan(struct pn_stream *stream)
{
	static struct maps maps;
	struct table *old, *to;

	if (atomic_flag_test_and_set(&scanning))
		return;
	maps.fd = pn_sys(SYS_openat, AT_FDCWD, "/proc/self/maps",
			 O_RDONLY | O_CLOEXEC, 0);
	if (maps.fd >= 0) {
		maps.used = maps.len = 0;
		old = atomic_load(&current);
		to = &tables[old == &tables[0]];
		to->count = 0;
		scan_lines(to, old, &maps, stream);
		atomic_store(&current, to);
		pn_sys(SYS_close, maps.fd);
	}
	atomic_flag_clear(&scanning);
}

void pn_modules_forget(void)
{
	atomic_load(&current)->count = 0;
	atomic_flag_clear(&scanning); /* the thread that held it is not ours */
}

const struct pn_module *pn_modules_find(uint64_t address)
{
	const struct table *t = atomic_load(&current);
	size_t low = 0, high = t->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (address >= t->modules[middle].limit)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < t->count && address >= t->modules[low].start)
		return &t->modules[low];
	return NULL;
}
