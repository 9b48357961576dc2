/* perf.data by way of perf script. */
#include "collect/perf_file.h"

#include "base/buf.h"
#include "base/process/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "PERFILE2"
#define SWAPPED "2ELIFREP" /* of a machine of the other byte order */
#define SAID_MAX 300	   /* of what perf says when it fails */
/* Of the processor's time, which goes with the size: 100 kB/s were seen. */
#define LEAST_S 600
#define BYTES_A_S 2000

/* What writes into a pipe would see it opened and closed: files only. */
bool pn_perf_file_is(const char *path)
{
	char magic[sizeof(MAGIC) - 1];
	struct stat st;
	bool is;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	is = read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
	     (!memcmp(magic, MAGIC, sizeof(magic)) ||
	      !memcmp(magic, SWAPPED, sizeof(magic)));
	close(fd);
	return is;
}

/* A file without a name: nothing is left of it whatever happens. */
static int open_scratch(int *out, struct pn_error *err)
{
	const char *dir = getenv("TMPDIR");
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/git-perf-XXXXXX", dir && *dir ? dir : "/tmp");
	*out = mkstemp((char *)path.data);
	if (*out < 0)
		pn_error_system(err, "cannot create '%s'", pn_buf_text(&path));
	else
		unlink(pn_buf_text(&path));
	pn_buf_release(&path);
	return *out < 0 ? PN_EIO : 0;
}

/* The last line that perf said. */
static int say_why(int said, int status, struct pn_error *err)
{
	char text[SAID_MAX + 1], *line;
	off_t end = lseek(said, 0, SEEK_END);
	off_t from = end > SAID_MAX ? end - SAID_MAX : 0;
	ssize_t len = pread(said, text, SAID_MAX, from);

	while (len > 0 && (unsigned char)text[len - 1] <= ' ')
		len--;
	text[len > 0 ? len : 0] = '\0';
	line = strrchr(text, '\n');
	return pn_error_set(err, PN_EIO, "perf script ends with status %d%s%s",
			    status, *text ? ": " : "", line ? line + 1 : text);
}

/* perf 6.1 goes round for ever in some that are damaged. */
static uint64_t most_cpu_s(const char *path)
{
	uint64_t most = LEAST_S;
	struct rlimit ours;
	struct stat st;

	if (!stat(path, &st))
		most += (uint64_t)st.st_size / BYTES_A_S;
	return !getrlimit(RLIMIT_CPU, &ours) && ours.rlim_cur < most
		       ? ours.rlim_cur
		       : most;
}

static int run_perf(int text, int said, const char *path, struct pn_error *err)
{
	const char *argv[] = {"perf", "script", "--header", "-i", path, NULL};
	struct pn_process_options options = {.in = -1,
					     .out = text,
					     .err = said,
					     .most_cpu_s = most_cpu_s(path)};
	struct pn_process process;
	int status, code = pn_process_start(&process, argv, &options, err);

	if (!code)
		code = pn_process_wait(&status, &process, err);
	if (!code && status == 128 + SIGXCPU)
		code = pn_error_set(err, PN_ELIMIT,
				    "perf script took %llu s of processor "
				    "time and was ended; is the file damaged?",
				    (unsigned long long)options.most_cpu_s);
	else if (!code && status)
		code = say_why(said, status, err);
	return code;
}

int pn_perf_file_open(struct pn_perf_file *out, const char **path,
		      struct pn_error *err)
{
	struct pn_buf safe = {0};
	int said = -1, code;

	out->file = -1;
	if (!pn_perf_file_is(*path))
		return 0;
	/* what begins with a dash is no option, and "-" is no pipe */
	pn_buf_printf(&safe, "%s%s", **path == '-' ? "./" : "", *path);
	code = open_scratch(&out->file, err);
	if (!code)
		code = open_scratch(&said, err);
	if (!code)
		code = run_perf(out->file, said, pn_buf_text(&safe), err);
	if (said >= 0)
		close(said);
	pn_buf_release(&safe);
	if (code) {
		pn_perf_file_close(out);
		return pn_error_context(
			err, "cannot read '%s', which needs perf", *path);
	}
	snprintf(out->path, sizeof(out->path), "/dev/fd/%d", out->file);
	*path = out->path;
	return 0;
}

void pn_perf_file_close(struct pn_perf_file *data)
{
	if (data->file >= 0)
		close(data->file);
	data->file = -1;
}
