/* A page that samplers look at with each of their ticks. */
#include "collect/sample/control.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/number.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_S 1e9
#define MIN_NS (NS_PER_S / PN_SAMPLER_MAX_HZ)
#define MAX_NS 3600e9 /* an hour between two ticks */

static struct pn_runtime_control *map(int fd)
{
	void *at = mmap(NULL, sizeof(struct pn_runtime_control),
			PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

int pn_sampler_control_make(struct pn_runtime_control **out, const char *folder,
			    const struct pn_runtime_control *settings,
			    struct pn_error *err)
{
	struct pn_runtime_control *control = NULL;
	struct pn_buf path = {0};
	int fd, code = 0;

	pn_buf_printf(&path, "%s/%s", folder, PN_RUNTIME_CONTROL);
	fd = open(pn_buf_text(&path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
		  0600);
	if (fd >= 0 && !ftruncate(fd, sizeof(*control)))
		control = map(fd);
	if (control) {
		*control = *settings;
		control->collector = (uint32_t)getpid();
		control->parent = (uint32_t)getppid();
		control->magic = PN_RUNTIME_CONTROL_MAGIC;
		*out = control;
	} else {
		code = pn_error_system(err, "cannot make '%s'",
				       pn_buf_text(&path));
	}
	if (fd >= 0)
		close(fd);
	pn_buf_release(&path);
	return code;
}

void pn_sampler_control_release(struct pn_runtime_control *control)
{
	if (control)
		munmap(control, sizeof(*control));
}

/* NULL when it is none of ours, or its collector is gone. */
static struct pn_runtime_control *open_control(const char *path)
{
	struct pn_runtime_control *control = NULL;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    st.st_size == (off_t)sizeof(*control))
		control = map(fd);
	close(fd);
	if (control && (control->magic != PN_RUNTIME_CONTROL_MAGIC ||
			kill((pid_t)control->collector, 0))) {
		pn_sampler_control_release(control);
		control = NULL;
	}
	return control;
}

/* The next one in the folder that is wanted; NULL at the end. */
static struct pn_runtime_control *next_control(DIR *dir, const char *below,
					       int64_t pid)
{
	struct pn_runtime_control *control;
	struct pn_buf path = {0};
	struct dirent *entry;

	while ((entry = readdir(dir))) {
		if (strncmp(entry->d_name, "git-perf-", 9))
			continue;
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/%s/%s", below, entry->d_name,
			      PN_RUNTIME_CONTROL);
		control = open_control(pn_buf_text(&path));
		if (control && (!pid || control->collector == pid ||
				control->parent == pid)) {
			pn_buf_release(&path);
			return control;
		}
		pn_sampler_control_release(control);
	}
	pn_buf_release(&path);
	return NULL;
}

int pn_sampler_control_find(struct pn_runtime_control **out, int64_t pid,
			    struct pn_error *err)
{
	struct pn_runtime_control *found, *other;
	const char *below = getenv("TMPDIR");
	int code = 0;
	DIR *dir;

	if (!below || *below != '/')
		below = "/tmp";
	dir = opendir(below);
	if (!dir)
		return pn_error_system(err, "cannot read '%s'", below);
	found = next_control(dir, below, pid);
	other = found ? next_control(dir, below, pid) : NULL;
	closedir(dir);
	if (!found && pid)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no sampler of process %ld runs now",
				    (long)pid);
	else if (!found)
		code = pn_error_set(err, PN_ENOTFOUND, "no sampler runs now");
	else if (other)
		code = pn_error_set(err, PN_EAMBIGUOUS,
				    "several samplers run: of process %lu, of "
				    "process %lu, ...; say which",
				    (unsigned long)found->collector,
				    (unsigned long)other->collector);
	pn_sampler_control_release(other);
	if (code)
		pn_sampler_control_release(found);
	else
		*out = found;
	return code;
}

static int set_interval(struct pn_runtime_control *control, bool hertz,
			const char *value, struct pn_error *err)
{
	double number, ns;

	if (!pn_number_double(&number, value, strlen(value)) || !(number > 0))
		number = 0;
	ns = hertz ? NS_PER_S / number : NS_PER_S * number;
	if (!(number > 0) || !(ns >= MIN_NS) || !(ns <= MAX_NS))
		return pn_error_set(
			err, PN_EINVAL,
			hertz ? "bad frequency '%s', need Hz up to %d, as in "
				"frequency=100"
			      : "bad delay '%s', need seconds, at least 1/%d, "
				"as in delay=0.01",
			value, PN_SAMPLER_MAX_HZ);
	control->interval_ns = (int64_t)(ns + 0.5);
	return 0;
}

static int set_threads(struct pn_runtime_control *control, const char *value,
		       struct pn_error *err)
{
	uint32_t ids[PN_RUNTIME_MAX_TRACKED], count = 0;
	const char *at = value, *end;
	int64_t id;

	if (!strcmp(value, "all") || !strcmp(value, "main")) {
		control->threads = *value == 'a' ? PN_RUNTIME_ALL_THREADS
						 : PN_RUNTIME_MAIN_THREAD;
		return 0;
	}
	for (;; at = end + 1) {
		end = at + strcspn(at, ",");
		if (count == PN_RUNTIME_MAX_TRACKED ||
		    !pn_number_int(&id, at, (size_t)(end - at)) || id < 1 ||
		    id > UINT32_MAX)
			return pn_error_set(err, PN_EINVAL,
					    "bad threads '%s', need all, main, "
					    "or up to %d thread ids with "
					    "commas between them",
					    value, PN_RUNTIME_MAX_TRACKED);
		ids[count++] = (uint32_t)id;
		if (!*end)
			break;
	}
	memcpy(control->tracked, ids, count * sizeof(*ids));
	control->tracked_count = count;
	control->threads = PN_RUNTIME_TRACKED;
	return 0;
}

int pn_sampler_control_set(struct pn_runtime_control *control, const char *key,
			   const char *value, struct pn_error *err)
{
	int code;

	if (!strcmp(key, "frequency") || !strcmp(key, "delay"))
		code = set_interval(control, *key == 'f', value, err);
	else if (!strcmp(key, "threads"))
		code = set_threads(control, value, err);
	else
		code = pn_error_set(
			err, PN_EINVAL,
			"a sampler cannot be told '%s'; there are "
			"pause, resume, stop, snapshot, "
			"frequency=<hz>, delay=<s>, threads=<which>",
			key);
	if (!code)
		__atomic_fetch_add(&control->generation, 1, __ATOMIC_RELEASE);
	return code;
}

/* A resume without a pause is refused. */
static int resume(struct pn_runtime_control *control, struct pn_error *err)
{
	uint32_t paused = __atomic_load_n(&control->paused, __ATOMIC_RELAXED);

	while (paused && !__atomic_compare_exchange_n(
				 &control->paused, &paused, paused - 1, false,
				 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	if (paused)
		return 0;
	return pn_error_set(err, PN_EREFUSED, "the sampler is not paused");
}

int pn_sampler_control_tell(struct pn_runtime_control *control,
			    const char *message, struct pn_error *err)
{
	const char *equals = strchr(message, '=');
	char *key;
	int code;

	if (!strcmp(message, "resume"))
		return resume(control, err);
	if (!strcmp(message, "pause")) {
		__atomic_fetch_add(&control->paused, 1, __ATOMIC_RELAXED);
		return 0;
	}
	if (!strcmp(message, "snapshot")) {
		__atomic_fetch_add(&control->snapshots, 1, __ATOMIC_RELAXED);
		return 0;
	}
	if (!strcmp(message, "stop")) {
		__atomic_store_n(&control->stopped, 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&control->generation, 1, __ATOMIC_RELEASE);
		return 0;
	}
	key = equals ? pn_strndup(message, (size_t)(equals - message))
		     : pn_strdup(message);
	code = pn_sampler_control_set(control, key, equals ? equals + 1 : "",
				      err);
	free(key);
	return code;
}
