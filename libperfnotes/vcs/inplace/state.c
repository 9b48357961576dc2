/* A run in place on the disk: written in whole files, read again by whoever
 * comes after a crash. */
#include "vcs/inplace/state.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "vcs/git.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define VERSION "git-perf in place 1"
#define SMALL_MAX 4096
#define ORPHAN_WAIT_S 60 /* a checkout of a large tree */
#define ORPHAN_TERM 50	 /* tries of 20 ms until builds are told to end */
#define ORPHAN_KILL 200	 /* and until they are made to */
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

char *pn_inplace_path(const struct pn_inplace *run, const char *name)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/%s", run->state, name);
	return pn_buf_detach(&path);
}

char *pn_inplace_aside(const struct pn_inplace *run, const char *path)
{
	struct pn_buf full = {0};

	if (run->elsewhere)
		pn_buf_printf(&full, "%s/" PN_PLAN_OWN "aside-%s/aside",
			      run->root, run->id);
	else
		pn_buf_printf(&full, "%s/aside", run->state);
	if (*path)
		pn_buf_printf(&full, "/%s", path);
	return pn_buf_detach(&full);
}

void pn_inplace_free_stuck(struct pn_inplace *run)
{
	size_t i;

	for (i = 0; i < run->stuck_count; i++) {
		free(run->stuck[i].full);
		free(run->stuck[i].why);
	}
	free(run->stuck);
	run->stuck = NULL;
	run->stuck_count = run->stuck_cap = 0;
}

void pn_inplace_free(struct pn_inplace *run)
{
	if (!run)
		return;
	if (run->lock >= 0) {
		/* whatever a build left running has it, too */
		flock(run->lock, LOCK_UN);
		close(run->lock);
	}
	free(run->state);
	free(run->leftovers);
	pn_plan_release(&run->plan);
	pn_listing_release(&run->tree);
	pn_buf_release(&run->notes);
	pn_inplace_free_stuck(run);
	free(run);
}

void pn_inplace_note(struct pn_inplace *run, const char *format, ...)
{
	char text[PN_ERROR_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pn_buf_printf(&run->notes, "%s\n", text);
}

/* Which start of this machine it is: process numbers begin anew. */
static void boot_id(char out[64])
{
	struct pn_buf text = {0};
	size_t len;

	out[0] = '\0';
	if (!pn_file_read(&text, BOOT_ID, SMALL_MAX, NULL)) {
		len = strcspn(pn_buf_text(&text), "\n");
		snprintf(out, 64, "%.*s", len < 63 ? (int)len : 63,
			 pn_buf_text(&text));
	}
	pn_buf_release(&text);
}

/* "<pid> <boot id>" */
static long read_owner(const char *text)
{
	char boot[64];
	long pid = 0;

	for (; *text >= '0' && *text <= '9' && pid < 100000000; text++)
		pid = pid * 10 + (*text - '0');
	boot_id(boot);
	if (pid <= 0 || *text != ' ' || strcmp(text + 1, boot))
		return 0;
	return kill((pid_t)pid, 0) && errno == ESRCH ? 0 : pid;
}

/* 0, EWOULDBLOCK when another process has it, or another errno. */
static int take(int fd)
{
	int failed;

	do
		failed = flock(fd, LOCK_EX | LOCK_NB) ? errno : 0;
	while (failed == EINTR);
	return failed;
}

static int write_owner(int fd, const char *path, struct pn_error *err)
{
	struct pn_buf text = {0};
	char boot[64];
	int failed;

	boot_id(boot);
	pn_buf_printf(&text, "%ld %s", (long)getpid(), boot);
	failed = ftruncate(fd, 0) || pn_file_write_all(fd, text.data, text.len);
	pn_buf_release(&text);
	return failed ? pn_error_system(err, "cannot write '%s'", path) : 0;
}

static long lock_owner(int fd)
{
	char text[128];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return read_owner(text);
}

/* Whether a process keeps the lock, and does not wait for it as we do: Linux
 * tells in proc(5), fdinfo. */
static bool holds(const char *pid, const char *fd, const struct stat *lock)
{
	struct pn_buf path = {0}, text = {0};
	struct stat st;
	bool found;

	pn_buf_printf(&path, "/proc/%s/fd/%s", pid, fd);
	found = !stat(pn_buf_text(&path), &st) && st.st_dev == lock->st_dev &&
		st.st_ino == lock->st_ino;
	pn_buf_clear(&path);
	pn_buf_printf(&path, "/proc/%s/fdinfo/%s", pid, fd);
	found = found &&
		!pn_file_read(&text, pn_buf_text(&path), SMALL_MAX, NULL) &&
		strstr(pn_buf_text(&text), "FLOCK");
	pn_buf_release(&path);
	pn_buf_release(&text);
	return found;
}

static bool is_orphan(const char *pid, const struct stat *lock)
{
	struct dirent *entry;
	struct pn_buf dir = {0};
	bool found = false;
	DIR *stream;

	pn_buf_printf(&dir, "/proc/%s/fd", pid);
	stream = opendir(pn_buf_text(&dir));
	while (stream && !found && (entry = readdir(stream)))
		found = entry->d_name[0] != '.' &&
			holds(pid, entry->d_name, lock);
	if (stream)
		closedir(stream);
	pn_buf_release(&dir);
	return found;
}

/* Where the system has no /proc the user has to do it. */
static void end_orphans(int fd, int signal_number)
{
	struct dirent *entry;
	struct stat lock;
	DIR *stream = opendir("/proc");

	while (stream && !fstat(fd, &lock) && (entry = readdir(stream))) {
		const char *at = entry->d_name;
		long pid = 0;

		for (; *at >= '0' && *at <= '9'; at++)
			pid = pid * 10 + (*at - '0');
		if (*at || pid <= 1 || pid == (long)getpid() ||
		    !is_orphan(entry->d_name, &lock))
			continue;
		/* what is measured is a group of its own */
		if (getpgid((pid_t)pid) == (pid_t)pid)
			pid = -pid;
		kill((pid_t)pid, signal_number);
	}
	if (stream)
		closedir(stream);
}

/* The lock is inherited by git and by what is measured: while a process of a
 * dead run is still at work, nobody else may begin. git ends by itself; others
 * are told to after a while, then made to. */
static int wait_for_lock(int fd, const char *path, struct pn_error *err)
{
	const struct timespec pause = {0, 20000000};
	long tries, owner;
	int failed;

	for (tries = 0; (failed = take(fd)); tries++) {
		errno = failed;
		if (failed != EWOULDBLOCK)
			return pn_error_system(err, "cannot lock '%s'", path);
		owner = lock_owner(fd);
		if (owner)
			return pn_error_set(err, PN_EREFUSED,
					    "a run in place is going on in "
					    "process %ld",
					    owner);
		if (tries > ORPHAN_WAIT_S * 50)
			return pn_error_set(err, PN_ELOCKED,
					    "a process of an interrupted run "
					    "is still at work (it holds '%s')",
					    path);
		if (tries == ORPHAN_TERM || tries == ORPHAN_KILL)
			end_orphans(fd,
				    tries == ORPHAN_TERM ? SIGTERM : SIGKILL);
		nanosleep(&pause, NULL);
	}
	return 0;
}

int pn_inplace_lock(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s/perf", run->repo->git_dir);
	code = pn_file_make_dirs(pn_buf_text(&path), err);
	if (code)
		goto out;
	pn_buf_add_text(&path, "/inplace.lock");
	/* not closed by exec: git and what is measured keep it */
	run->lock = open(pn_buf_text(&path), O_RDWR | O_CREAT, 0666);
	if (run->lock < 0)
		code = pn_error_system(err, "cannot lock '%s'",
				       pn_buf_text(&path));
	if (!code)
		code = wait_for_lock(run->lock, pn_buf_text(&path), err);
	if (!code)
		code = write_owner(run->lock, pn_buf_text(&path), err);
out:
	pn_buf_release(&path);
	return code;
}

int pn_inplace_put(const struct pn_inplace *run, const char *name,
		   const char *text, struct pn_error *err)
{
	char *path = pn_inplace_path(run, name);
	int code = pn_file_write(path, text, strlen(text), true, err);

	free(path);
	return code;
}

/* Head, then the records of the plan, then "end": a file that is cut is
 * recognised. */
int pn_inplace_save(const struct pn_inplace *run, struct pn_error *err)
{
	char *path = pn_inplace_path(run, PN_INPLACE_PLAN);
	char hex[PN_OID_HEX + 1];
	struct pn_buf text = {0};
	int code;

	pn_oid_hex(hex, &run->home);
	pn_buf_printf(&text, "%s%c%s%c%s%c%d%c%d%c", VERSION, 0, run->id, 0,
		      hex, 0, run->elsewhere, 0, run->has_index, 0);
	pn_plan_write(&text, &run->plan);
	pn_buf_add(&text, "end", 4);
	code = pn_file_write(path, text.data, text.len, true, err);
	pn_buf_release(&text);
	free(path);
	return code;
}

static const char *next_text(const char **at, const char *end)
{
	const char *text = *at;

	if (text >= end)
		return "";
	*at += strlen(text) + 1;
	return text;
}

static int parse_head(struct pn_inplace *run, const char **at, const char *end)
{
	const char *version = next_text(at, end), *id = next_text(at, end);
	const char *home = next_text(at, end);

	if (strcmp(version, VERSION) || strlen(id) != 16 ||
	    strspn(id, "0123456789abcdef") != 16 ||
	    strlen(home) != PN_OID_HEX || pn_oid_parse(&run->home, home))
		return PN_EINVAL;
	memcpy(run->id, id, 17);
	run->elsewhere = !strcmp(next_text(at, end), "1");
	run->has_index = !strcmp(next_text(at, end), "1");
	return 0;
}

/* A commit's id in a file of the state; zero when there is none. */
static int read_id(struct pn_oid *out, const struct pn_inplace *run,
		   const char *name, struct pn_error *err)
{
	char *path = pn_inplace_path(run, name);
	struct pn_buf text = {0};
	int code = pn_file_read(&text, path, SMALL_MAX, err);

	memset(out, 0, sizeof(*out));
	if (!code && text.len >= PN_OID_HEX &&
	    pn_oid_parse(out, pn_buf_text(&text)))
		memset(out, 0, sizeof(*out));
	pn_buf_release(&text);
	free(path);
	return code == PN_ENOTFOUND ? 0 : code;
}

int pn_inplace_put_replaced(const struct pn_inplace *run, struct pn_error *err)
{
	static const char *const words[] = {"none", "index", "HEAD",
					    "index HEAD"};

	return pn_inplace_put(
		run, PN_INPLACE_REPLACED,
		words[run->index_replaced + 2 * run->head_replaced], err);
}

/* Version 0.1.0 had no such file, and replaced both. */
static int load_replaced(struct pn_inplace *run, struct pn_error *err)
{
	char *path = pn_inplace_path(run, PN_INPLACE_REPLACED);
	struct pn_buf text = {0};
	int code = pn_file_read(&text, path, PN_INPLACE_FILE_MAX, err);
	bool old = code == PN_ENOTFOUND;

	run->index_replaced = old || strstr(pn_buf_text(&text), "index");
	run->head_replaced = old || strstr(pn_buf_text(&text), "HEAD");
	pn_buf_release(&text);
	free(path);
	return old ? 0 : code;
}

int pn_inplace_load(struct pn_inplace *run, struct pn_error *err)
{
	char *path = pn_inplace_path(run, PN_INPLACE_PLAN);
	struct pn_buf text = {0};
	const char *at, *end;
	int code = pn_file_read(&text, path, PN_INPLACE_FILE_MAX, err);

	at = pn_buf_text(&text);
	end = at + text.len;
	if (!code && (text.len < 4 || memcmp(end - 4, "end", 4)))
		code = PN_EINVAL;
	if (!code)
		code = parse_head(run, &at, end);
	if (code == PN_EINVAL)
		code = pn_error_set(err, PN_EINVAL,
				    "'%s' is not a plan of this version", path);
	if (!code)
		code = pn_plan_parse(&run->plan, at, end - 4, err);
	if (!code)
		code = read_id(&run->current, run, PN_INPLACE_CURRENT, err);
	if (!code)
		code = read_id(&run->next, run, PN_INPLACE_NEXT, err);
	if (!code)
		code = read_id(&run->safety, run, PN_INPLACE_SAFETY, err);
	if (!code)
		code = load_replaced(run, err);
	pn_buf_release(&text);
	free(path);
	return code;
}

/* 1 when a commit was checked out, or was to be; 0 or an error. */
static int has_stepped(const struct pn_inplace *run, struct pn_error *err)
{
	static const char *const names[] = {PN_INPLACE_NEXT, PN_INPLACE_CURRENT,
					    "detached"};
	struct stat st;
	size_t i;
	int found = 0;

	for (i = 0; !found && i < sizeof(names) / sizeof(*names); i++) {
		char *path = pn_inplace_path(run, names[i]);

		found = pn_file_look(&st, path, err);
		free(path);
	}
	return found;
}

int pn_inplace_phase(enum pn_inplace_phase *out, const struct pn_inplace *run,
		     struct pn_error *err)
{
	char *path = pn_inplace_path(run, PN_INPLACE_PHASE);
	enum pn_inplace_phase phase = PN_PHASE_MOVING;
	struct pn_buf text = {0};
	int code = pn_file_read(&text, path, SMALL_MAX, err);

	if (!code)
		phase = !strcmp(pn_buf_text(&text), "putback")
				? PN_PHASE_PUT_BACK
			: !strcmp(pn_buf_text(&text), "left") ? PN_PHASE_LEFT
							      : PN_PHASE_ASIDE;
	pn_buf_release(&text);
	free(path);
	/* who has checked something out has set all aside before */
	if (code == PN_ENOTFOUND) {
		code = has_stepped(run, err);
		phase = code > 0 ? PN_PHASE_ASIDE : PN_PHASE_MOVING;
	}
	if (code < 0)
		return code;
	*out = phase;
	return 0;
}

int pn_inplace_rename(struct pn_inplace *run, const char *name,
		      struct pn_error *err)
{
	struct pn_buf to = {0}, dir = {0};
	int code = 0;

	pn_buf_printf(&dir, "%s/perf", run->repo->git_dir);
	pn_buf_printf(&to, "%s/%s", pn_buf_text(&dir), name);
	if (rename(run->state, pn_buf_text(&to)))
		code = pn_error_system(err, "cannot rename '%s'", run->state);
	if (!code) {
		free(run->state);
		run->state = pn_buf_detach(&to);
		code = pn_file_sync_names(pn_buf_text(&dir), err);
	}
	pn_buf_release(&to);
	pn_buf_release(&dir);
	return code;
}

bool pn_inplace_has(const struct pn_repo *repo, const char *name)
{
	struct pn_buf path = {0};
	struct stat st;
	bool found;

	pn_buf_printf(&path, "%s/perf/%s", repo->git_dir, name);
	/* what cannot be told may be there */
	found = pn_file_look(&st, pn_buf_text(&path), NULL) != 0;
	pn_buf_release(&path);
	return found;
}

bool pn_inplace_is_open(long *process, struct pn_repo *repo)
{
	struct pn_buf path = {0};
	int fd;

	*process = 0;
	if (!pn_inplace_has(repo, "state") &&
	    !pn_inplace_has(repo, "state.tmp") &&
	    !pn_inplace_has(repo, "state.done"))
		return false;
	pn_buf_printf(&path, "%s/perf/inplace.lock", repo->git_dir);
	fd = open(pn_buf_text(&path), O_RDWR | O_CLOEXEC);
	if (fd >= 0 && take(fd) == EWOULDBLOCK)
		*process = lock_owner(fd);
	if (fd >= 0)
		close(fd);
	pn_buf_release(&path);
	return true;
}
