/* Three targets. Each event is made into one line for each that listens, and
 * written at once, so that lines of several processes do not mix. */
#include "base/trace2.h"

#include "base/buf.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ; /* POSIX has it in no header */

#define PREFIX "GIT_TRACE2"
#define SID "GIT_TRACE2_PARENT_SID"
#define SOURCE_WIDTH 29 /* of file and line, as wide as git's */
#define NONE INT64_C(-1)
#define NS_PER_S 1e9

enum target { NORMAL, PERF, EVENT, TARGETS };

static const char *const variables[TARGETS] = {
	[NORMAL] = "GIT_TRACE2",
	[PERF] = "GIT_TRACE2_PERF",
	[EVENT] = "GIT_TRACE2_EVENT",
};

/* One event; what is NULL or NONE it does not have. */
struct event {
	const char *name;
	struct pn_trace2_place place;
	const char *const *argv;
	const char *category, *label; /* of a region */
	const char *key, *value;      /* a member of its own */
	const char *kind;	      /* of a child */
	bool told_when;		      /* git tells this one's t_abs */
	int64_t now_ns, took_ns, pid, code;
};

static struct event event(const char *name, struct pn_trace2_place place)
{
	struct event e = {.name = name, .place = place};

	e.now_ns = pn_time_now_ns();
	e.took_ns = e.pid = e.code = NONE;
	return e;
}

static const char *listener(enum target target)
{
	const char *value = getenv(variables[target]);

	if (!value || !*value || !strcmp(value, "0") || !strcmp(value, "false"))
		return NULL;
	return value;
}

/* The last part of a session id is the innermost process. */
static const char *own_sid(void)
{
	const char *sid = getenv(SID), *last = sid ? strrchr(sid, '/') : NULL;

	return last ? last + 1 : sid ? sid : "";
}

/* One look at the environment for all targets: mostly there is none, and this
 * is asked for each profile of a batch, where a call for each variable counts.
 */
static bool is_wanted(void)
{
	char **variable;

	for (variable = environ; variable && *variable; variable++)
		if (**variable == *PREFIX &&
		    !strncmp(*variable, PREFIX, sizeof(PREFIX) - 1))
			return true;
	return false;
}

/* A library in another program has told no beginning, nor has a fork. */
static bool is_heard(void)
{
	const char *pid;

	if (!is_wanted())
		return false;
	if (!listener(NORMAL) && !listener(PERF) && !listener(EVENT))
		return false;
	pid = strrchr(own_sid(), 'P');
	return pid && strtoul(pid + 1, NULL, 16) == (unsigned long)getpid();
}

/* How deep git would say that we are: parts of the session id before ours. */
static unsigned int depth(void)
{
	const char *at = getenv(SID);
	unsigned int n = 0;

	for (; at && (at = strchr(at, '/')); at++)
		n++;
	return n;
}

/* When we began stands at the front of our id: 20261122T125932.886145Z. */
static double since_start_s(int64_t now_ns)
{
	const char *s = own_sid();
	char text[PN_TIME_TEXT];
	int64_t begun_ns;

	if (strlen(s) < 23)
		return 0;
	snprintf(text, sizeof(text), "%.4s-%.2s-%.2sT%.2s:%.2s:%.2s.%.6s000Z",
		 s, s + 4, s + 6, s + 9, s + 11, s + 13, s + 16);
	if (pn_time_parse(&begun_ns, text, strlen(text)))
		return 0;
	return (double)(now_ns - begun_ns) / NS_PER_S;
}

static const char *source_of(struct pn_trace2_place place)
{
	const char *layer = strstr(place.file, "libperfnotes/");
	const char *cmd = strstr(place.file, "cmd/");

	return layer ? layer + strlen("libperfnotes/") : cmd ? cmd : place.file;
}

static void add_words(struct pn_buf *out, const char *const *argv)
{
	size_t i;

	for (i = 0; argv && argv[i]; i++) {
		if (i)
			pn_buf_add_byte(out, ' ');
		pn_escape_shell(out, argv[i]);
	}
}

/* What an event is about, in words: after its name, or in perf's last column */
static void add_message(struct pn_buf *out, const struct event *e, bool columns)
{
	if (e->label)
		pn_buf_printf(out, "label:%s", e->label);
	if (e->pid != NONE)
		pn_buf_printf(out, columns ? "[ch%lld]" : "[%lld]",
			      (long long)e->pid);
	if (e->kind && columns)
		pn_buf_printf(out, " class:%s argv:[", e->kind);
	else if (e->kind)
		pn_buf_add_byte(out, ' ');
	add_words(out, e->argv);
	if (e->kind && columns)
		pn_buf_add_byte(out, ']');
	if (e->pid != NONE && e->code != NONE)
		pn_buf_printf(out, " pid:%lld ", (long long)e->pid);
	if (e->code != NONE)
		pn_buf_printf(out, "code:%lld", (long long)e->code);
	if (e->value)
		pn_buf_add_text(out, e->value);
}

static void add_source(struct pn_buf *out, const struct event *e)
{
	char text[PN_TIME_TEXT];
	size_t begun;

	pn_time_write(text, e->now_ns);
	pn_buf_printf(out, "%.15s ", text + 11);
	begun = out->len;
	pn_buf_printf(out, "%s:%d ", source_of(e->place), e->place.line);
	while (out->len - begun < SOURCE_WIDTH)
		pn_buf_add_byte(out, ' ');
}

/* For people; regions are not told there, as git does not tell them. */
static void add_normal(struct pn_buf *out, const struct event *e)
{
	if (e->category)
		return;
	add_source(out, e);
	pn_buf_printf(out, "     %s ", e->name);
	if (e->code != NONE && e->pid == NONE)
		pn_buf_printf(out, "elapsed:%.6f ", since_start_s(e->now_ns));
	add_message(out, e, false);
}

static void add_time(struct pn_buf *out, bool known, double seconds)
{
	if (known)
		pn_buf_printf(out, "%9.6f | ", seconds);
	else
		pn_buf_add_text(out, "          | ");
}

static void add_columns(struct pn_buf *out, const struct event *e)
{
	add_source(out, e);
	pn_buf_printf(out, "| d%u | %-24s | %-12s | %-3s | ", depth(), "main",
		      e->name, "");
	add_time(out, e->told_when || e->category || e->kind,
		 since_start_s(e->now_ns));
	add_time(out, e->took_ns != NONE, (double)e->took_ns / NS_PER_S);
	pn_buf_printf(out, "%-12.12s | ", e->category ? e->category : "");
	add_message(out, e, true);
}

static void member_seconds(struct pn_json_writer *w, const char *key, double s)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6f", s < 0 ? 0 : s);
	pn_json_key(w, key);
	pn_json_raw(w, text, strlen(text));
}

static void add_child(struct pn_json_writer *w, const struct event *e)
{
	pn_json_member_int(w, "child_id", e->pid);
	if (!e->kind)
		pn_json_member_int(w, "pid", e->pid);
	pn_json_member(w, "child_class", e->kind);
	if (e->kind) {
		pn_json_key(w, "use_shell");
		pn_json_bool(w, false);
	}
}

static void add_object(struct pn_buf *out, const struct event *e)
{
	struct pn_json_writer w;
	char text[PN_TIME_TEXT], time[32];
	size_t i;

	pn_time_write(text, e->now_ns);
	snprintf(time, sizeof(time), "%.26sZ", text);
	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member(&w, "event", e->name);
	pn_json_member(&w, "sid", getenv(SID));
	pn_json_member(&w, "thread", "main");
	pn_json_member(&w, "time", time);
	pn_json_member(&w, "file", source_of(e->place));
	pn_json_member_int(&w, "line", e->place.line);
	if (e->told_when)
		member_seconds(&w, "t_abs", since_start_s(e->now_ns));
	if (e->pid != NONE)
		add_child(&w, e);
	if (e->took_ns != NONE)
		member_seconds(&w, "t_rel", (double)e->took_ns / NS_PER_S);
	if (e->category)
		pn_json_member_int(&w, "nesting", 1);
	pn_json_member(&w, "category", e->category);
	pn_json_member(&w, "label", e->label);
	if (e->argv) {
		pn_json_key(&w, "argv");
		pn_json_open(&w, '[');
		for (i = 0; e->argv[i]; i++)
			pn_json_string(&w, e->argv[i]);
		pn_json_close(&w, ']');
	}
	if (e->code != NONE)
		pn_json_member_int(&w, "code", e->code);
	if (e->key)
		pn_json_member(&w, e->key, e->value);
	if (!strcmp(e->name, "version"))
		pn_json_member(&w, "evt", "3");
	pn_json_close(&w, '}');
}

/* -1: nowhere. A folder gets a file of this process's own. */
static int open_listener(const char *where)
{
	struct pn_buf path = {0};
	struct stat st;
	int fd;

	if (!strcmp(where, "1") || !strcmp(where, "true"))
		return dup(2);
	if (*where >= '2' && *where <= '9' && !where[1])
		return dup(*where - '0');
	if (*where != '/')
		return -1;
	pn_buf_add_text(&path, where);
	if (!stat(where, &st) && S_ISDIR(st.st_mode))
		pn_buf_printf(&path, "/%s", own_sid());
	fd = open(pn_buf_text(&path), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
		  0666);
	pn_buf_release(&path);
	return fd;
}

static void tell(enum target target, const struct event *e)
{
	static void (*const forms[TARGETS])(struct pn_buf * out,
					    const struct event *e) = {
		[NORMAL] = add_normal,
		[PERF] = add_columns,
		[EVENT] = add_object,
	};
	const char *where = listener(target);
	struct pn_buf line = {0}, safe = {0};
	int fd;

	if (!where)
		return;
	forms[target](&line, e);
	if (line.len) {
		/* JSON is escaped already; arguments may hold anything */
		if (target != EVENT)
			pn_escape_terminal(&safe, line.data, line.len);
		else
			pn_buf_add(&safe, line.data, line.len);
		pn_buf_add_byte(&safe, '\n');
		fd = open_listener(where);
		if (fd >= 0) {
			if (write(fd, safe.data, safe.len) < 0)
				errno = 0; /* nobody can be told */
			close(fd);
		}
	}
	pn_buf_release(&line);
	pn_buf_release(&safe);
}

static void tell_all(const struct event *e)
{
	int saved = errno;
	int i;

	for (i = 0; i < TARGETS; i++)
		tell((enum target)i, e);
	errno = saved;
}

/* <parent's>/<time>-H<host>-P<pid>, the form of git's tr2_sid.c. */
static void set_sid(void)
{
	const char *parent = getenv(SID);
	char text[PN_TIME_TEXT], host[256] = "";
	struct pn_buf sid = {0};
	unsigned char hash[32];

	gethostname(host, sizeof(host) - 1);
	pn_hash_sha256(hash, host, strlen(host));
	pn_time_write(text, pn_time_now_ns());
	if (parent && *parent)
		pn_buf_printf(&sid, "%s/", parent);
	pn_buf_printf(&sid, "%.4s%.2s%.2sT%.2s%.2s%.2s.%.6sZ", text, text + 5,
		      text + 8, text + 11, text + 14, text + 17, text + 20);
	pn_buf_printf(&sid, "-H%02x%02x%02x%02x-P%08lx", hash[0], hash[1],
		      hash[2], hash[3], (unsigned long)getpid());
	setenv(SID, pn_buf_text(&sid), 1);
	pn_buf_release(&sid);
}

void pn_trace2_start(struct pn_trace2_place place, const char *version,
		     const char *const *argv)
{
	struct event e;

	if (!listener(NORMAL) && !listener(PERF) && !listener(EVENT))
		return;
	set_sid();
	e = event("version", place);
	e.key = "exe";
	e.value = version;
	tell_all(&e);
	e = event("start", place);
	e.told_when = true;
	e.argv = argv;
	tell_all(&e);
}

void pn_trace2_command(struct pn_trace2_place place, const char *name)
{
	struct event e;

	if (!is_heard())
		return;
	e = event("cmd_name", place);
	e.key = "name";
	e.value = name;
	tell_all(&e);
}

void pn_trace2_error(struct pn_trace2_place place, const char *message)
{
	struct event e;

	if (!is_heard())
		return;
	e = event("error", place);
	e.key = "msg";
	e.value = message;
	tell_all(&e);
}

void pn_trace2_exit(struct pn_trace2_place place, int code)
{
	static const char *const names[] = {"exit", "atexit"};
	struct event e;
	int i;

	if (!is_heard())
		return;
	for (i = 0; i < 2; i++) {
		e = event(names[i], place);
		e.told_when = true;
		e.code = code;
		tell_all(&e);
	}
}

struct pn_trace2_region pn_trace2_enter(struct pn_trace2_place place,
					const char *category, const char *label)
{
	struct pn_trace2_region region = {category, label, 0};
	struct event e;

	if (!is_heard())
		return region;
	e = event("region_enter", place);
	e.category = category;
	e.label = label;
	tell_all(&e);
	region.begun_ns = pn_time_monotonic_ns();
	return region;
}

void pn_trace2_leave(struct pn_trace2_place place,
		     const struct pn_trace2_region *region)
{
	struct event e;

	if (!region->begun_ns)
		return;
	e = event("region_leave", place);
	e.category = region->category;
	e.label = region->label;
	e.took_ns = pn_time_monotonic_ns() - region->begun_ns;
	tell_all(&e);
}

int64_t pn_trace2_child_start(struct pn_trace2_place place,
			      const char *const *argv, pid_t pid)
{
	struct event e;

	if (!is_heard())
		return 0;
	e = event("child_start", place);
	e.kind = "?"; /* as git has it where it does not say */
	e.argv = argv;
	e.pid = pid;
	tell_all(&e);
	return pn_time_monotonic_ns();
}

void pn_trace2_child_exit(struct pn_trace2_place place, pid_t pid, int status,
			  int64_t begun_ns)
{
	struct event e;

	if (!begun_ns)
		return;
	e = event("child_exit", place);
	e.pid = pid;
	e.code = status;
	e.took_ns = pn_time_monotonic_ns() - begun_ns;
	tell_all(&e);
}
