/* The standard error of a measured command. */
#include "collect/said.h"

#include "base/process/process.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL_BYTES 8192
#define TAIL_LINES 20
#define CUT_BYTES (4u << 20)
#define LOOK_NS 100000000 /* a fast writer fills some 100 MB in that time */

void pn_said_init(struct pn_said *said)
{
	int fd;

	*said = (struct pn_said){.file = tmpfile()};
	if (!said->file)
		return;
	fd = fileno(said->file);
	/* each run begins in front, wherever the one before it ended */
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_APPEND);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
}

int pn_said_begin(struct pn_said *said)
{
	struct stat st;
	int fd;

	if (!said || !said->file)
		return -1;
	fd = fileno(said->file);
	if (fstat(fd, &st))
		return -1;
	said->silenced |= st.st_size > PN_SAID_MAX;
	if (st.st_size && ftruncate(fd, 0))
		return -1;
	return said->silenced ? -1 : fd;
}

/* It is appended to: who writes goes on in front. */
static void cut(struct pn_said *said)
{
	struct stat st;
	int fd = fileno(said->file);

	if (fstat(fd, &st) || st.st_size <= CUT_BYTES)
		return;
	said->silenced = !ftruncate(fd, 0);
}

bool pn_said_wait(struct pn_said *said, struct pn_process_run *run,
		  int64_t pause_ns)
{
	int64_t left_ns = pause_ns, step_ns;

	if (!said || !said->file)
		return pn_process_measure_wait(run, pause_ns);
	for (;;) {
		step_ns = pause_ns && left_ns < LOOK_NS ? left_ns : LOOK_NS;
		if (pn_process_measure_wait(run, step_ns))
			return true;
		cut(said);
		left_ns -= step_ns;
		if (pause_ns && left_ns <= 0)
			return false;
	}
}

void pn_said_tail(struct pn_buf *out, FILE *file)
{
	char text[TAIL_BYTES + 1];
	size_t n, lines = 0, at;
	long size;

	if (fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 ||
	    fseek(file, size > TAIL_BYTES ? size - TAIL_BYTES : 0, SEEK_SET))
		return;
	n = fread(text, 1, TAIL_BYTES, file);
	for (at = n; at > 0; at--)
		if (text[at - 1] == '\n' && at < n && ++lines == TAIL_LINES)
			break;
	pn_buf_add(out, text + at, n - at);
}

void pn_said_text(struct pn_buf *out, const struct pn_said *said)
{
	if (said->file)
		pn_said_tail(out, said->file);
}

void pn_said_release(struct pn_said *said)
{
	if (said->file)
		fclose(said->file);
	*said = (struct pn_said){0};
}
