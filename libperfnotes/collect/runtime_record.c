/* Reading records: everything is copied before it is looked at, and no number
 * in them is believed. */
#include "collect/runtime_record.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int pn_runtime_record_parse(struct pn_runtime_record *out, const void *bytes,
			    size_t len, const char *name, struct pn_error *err)
{
	struct pn_runtime_record r = {.bytes = bytes, .len = len};

	if (len >= PN_RUNTIME_HEAD)
		memcpy(&r.head, bytes, sizeof(r.head));
	if (r.head.magic != PN_RUNTIME_MAGIC)
		return pn_error_set(err, PN_EINVAL,
				    "'%s' is no record of a profiled program",
				    name);
	r.head.program[sizeof(r.head.program) - 1] = '\0';
	*out = r;
	return 0;
}

int pn_runtime_record_open(struct pn_runtime_record *out, const char *path,
			   struct pn_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), code;
	void *bytes = MAP_FAILED;
	struct stat st = {0};

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0)
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED,
			     fd, 0);
	if (fd < 0 || (bytes == MAP_FAILED && st.st_size > 0)) {
		code = pn_error_system(err, "cannot read '%s'", path);
		if (fd >= 0)
			close(fd);
		return code;
	}
	close(fd);
	code = pn_runtime_record_parse(out, bytes, (size_t)st.st_size, path,
				       err);
	if (!code)
		out->mapped = true;
	else if (bytes != MAP_FAILED)
		munmap(bytes, (size_t)st.st_size);
	return code;
}

void pn_runtime_record_release(struct pn_runtime_record *record)
{
	if (record->mapped)
		munmap((void *)record->bytes, record->len);
	*record = (struct pn_runtime_record){0};
}

/* Bytes from `at` to the end of its segment or of the file. */
static size_t segment_left(const struct pn_runtime_record *r, size_t at)
{
	size_t used = (at - PN_RUNTIME_HEAD) % PN_RUNTIME_SEGMENT;
	size_t left = PN_RUNTIME_SEGMENT - used;

	return left < r->len - at ? left : r->len - at;
}

bool pn_runtime_record_next(struct pn_runtime_part *out,
			    struct pn_runtime_record *r)
{
	struct pn_runtime_chunk chunk;
	size_t left;

	if (!r->at)
		r->at = PN_RUNTIME_HEAD;
	while (r->at < r->len) {
		left = segment_left(r, r->at);
		chunk.size = 0;
		if (left >= sizeof(chunk))
			memcpy(&chunk, r->bytes + r->at, sizeof(chunk));
		if (chunk.size < sizeof(chunk) || chunk.size > left ||
		    chunk.size % 8) {
			r->at += left; /* the segment ends here */
			continue;
		}
		/* what the writer wrote before it set the size */
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		memcpy(&chunk, r->bytes + r->at, sizeof(chunk));
		if (chunk.size < sizeof(chunk) || chunk.size > left)
			return false;
		out->kind = chunk.kind;
		out->bytes = r->bytes + r->at + sizeof(chunk);
		out->len = chunk.size - sizeof(chunk);
		r->at += chunk.size;
		return true;
	}
	return false;
}

bool pn_runtime_record_mapping(struct pn_runtime_mapping *out,
			       const char **path,
			       const struct pn_runtime_part *part)
{
	struct pn_runtime_mapping m;

	if (part->kind != PN_RUNTIME_MAPPING || part->len <= sizeof(m) ||
	    !memchr(part->bytes + sizeof(m), '\0', part->len - sizeof(m)))
		return false;
	memcpy(&m, part->bytes, sizeof(m));
	if (m.start >= m.limit || m.build_id_len > sizeof(m.build_id) ||
	    (m.address != PN_RUNTIME_NO_ADDRESS &&
	     m.address > UINT64_MAX - (m.limit - m.start)))
		return false;
	*out = m;
	*path = (const char *)part->bytes + sizeof(m);
	return true;
}
