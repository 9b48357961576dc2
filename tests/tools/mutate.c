/*
 * What hostile bytes may do to a decoder: nothing. Damages real inputs of one
 * format in many ways; each ends in a profile or in one clear line, in
 * bounded time and memory.
 *
 *	mutate <format> <count> <times> <file or folder>...
 *
 * <times>: how many bytes of memory a byte of input may take, above 64 MB.
 * Paths that are not there are passed over, with a word; of a long input the
 * begin is taken. A format that writes gets what it writes of inputs that are
 * of another format, and of some of its own. Equal calls do the same; an input
 * that breaks something is left in mutate-<format>-<number>.
 */
#include "base/alloc.h"
#include "codec/rows.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SEED_MAX_BYTES (256u << 10) /* so that 1,000 take seconds */
#define MEMORY_BASE ((size_t)64 << 20)
/* Of address space, which is more than what is used: so that a runaway ends
 * before the machine does. */
#define SPACE_BASE ((size_t)1 << 30)
#if defined(__has_feature) /* clang, and gcc from 14 on */
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif
#ifdef SANITIZED
#define CPU_SECONDS 20
#define MEMORY_COUNTS false /* most of it is the sanitizer's */
#else
#define CPU_SECONDS 2
#define MEMORY_COUNTS true
#endif

struct seeds {
	struct pn_buf *items;
	size_t count, cap;
};

static uint64_t state;

/* SplitMix64: Steele, Lea & Flood, OOPSLA 2014. */
static uint64_t next_random(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static size_t below(size_t n)
{
	return n ? (size_t)(next_random() % n) : 0;
}

static void add_seed(struct seeds *seeds, const void *bytes, size_t len)
{
	if (!len)
		return;
	seeds->items = pn_grow(seeds->items, &seeds->cap, seeds->count + 1,
			       sizeof(*seeds->items));
	memset(&seeds->items[seeds->count], 0, sizeof(*seeds->items));
	pn_buf_add(&seeds->items[seeds->count++], bytes, len);
}

/* A format that is told what to look for gets this. */
#define PATTERN                                                                \
	"pattern\t(?<name>[A-Za-z][\\w ./-]*?)[ :=]+(?<value>[\\d.eE+-]+) *"   \
	"(?<unit>\\w*)\n"

static int read_as(struct pn_profile *out, const struct pn_codec *codec,
		   const void *bytes, size_t len, struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code = pn_reader_memory(&in, bytes, len, "x", 0, err);

	pn_profile_init(out);
	if (!code && !strcmp(codec->name, "regex"))
		pn_reader_set_hint(in, PATTERN);
	if (!code)
		code = pn_codec_read(out, codec, NULL, in, err);
	pn_reader_free(in);
	return code;
}

/* Unpacked: damaged gzip ends before the decoder sees it. */
static void add_unpacked(struct seeds *seeds, struct pn_reader *in)
{
	const unsigned char *bytes;
	struct pn_error err;
	size_t have;

	if (pn_reader_peek(&bytes, &have, in, SEED_MAX_BYTES, &err))
		printf("passed over %s: %s\n", pn_reader_name(in), err.message);
	else
		add_seed(seeds, bytes,
			 have < SEED_MAX_BYTES ? have : SEED_MAX_BYTES);
}

/* What the format writes of a profile. */
static void add_written(struct seeds *seeds, const struct pn_codec *codec,
			const struct pn_profile *p)
{
	struct pn_reader *in = NULL;
	struct pn_buf out = {0};

	if (!codec->write(&out, p, NULL) &&
	    !pn_reader_memory(&in, out.data, out.len, "x", 0, NULL))
		add_unpacked(seeds, in);
	pn_reader_free(in);
	pn_buf_release(&out);
}

static void add_converted(struct seeds *seeds, const struct pn_codec *codec,
			  struct pn_reader *in)
{
	struct pn_profile p;
	struct pn_error err;

	pn_profile_init(&p);
	if (pn_codec_read(&p, NULL, NULL, in, &err)) {
		printf("passed over: %s\n", err.message);
		return;
	}
	add_written(seeds, codec, &p);
	pn_profile_release(&p);
}

static void add_file(struct seeds *seeds, const struct pn_codec *codec,
		     const char *path)
{
	const struct pn_codec *is = NULL;
	struct pn_reader *in = NULL;
	struct pn_error err;

	if (pn_reader_open(&in, path, 0, &err)) {
		printf("passed over %s: %s\n", path, err.message);
		return;
	}
	if (codec->write && !pn_codec_sniff(&is, in, NULL) && is != codec)
		add_converted(seeds, codec, in);
	else
		add_unpacked(seeds, in);
	pn_reader_free(in);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the order of their names: equal calls do the same. */
static void add_folder(struct seeds *seeds, const struct pn_codec *codec,
		       const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char **names = NULL;
	size_t count = 0, cap = 0, i;

	while (dir && (entry = readdir(dir))) {
		struct pn_buf full = {0};

		if (*entry->d_name == '.')
			continue;
		pn_buf_printf(&full, "%s/%s", path, entry->d_name);
		names = pn_grow(names, &cap, count + 1, sizeof(*names));
		names[count++] = pn_buf_detach(&full);
	}
	if (dir)
		closedir(dir);
	if (count)
		qsort(names, count, sizeof(*names), by_name);
	for (i = 0; i < count; i++) {
		add_file(seeds, codec, names[i]);
		free(names[i]);
	}
	free(names);
}

static void add_path(struct seeds *seeds, const struct pn_codec *codec,
		     const char *path)
{
	struct stat st;

	if (stat(path, &st))
		printf("passed over %s: it is not there\n", path);
	else if (S_ISDIR(st.st_mode))
		add_folder(seeds, codec, path);
	else
		add_file(seeds, codec, path);
}

/* Inputs that need no file: stacks and a call graph as the format has them. */
static void add_own(struct seeds *seeds, const struct pn_codec *codec)
{
	static const char stacks[] = "main;parse;next 17\nmain;parse 4\n"
				     "main;read [k];x 3\nmain 1\n";
	static const char calls[] =
		"events: Ir Dr\nob=(1) /bin/a\nfl=(1) a.c\nfn=(1) main\n1 5 2\n"
		"cfn=(2) f\ncalls=3 7\n2 40 9\n\nfn=(2)\n7 30 8\n+1 10 1\n";
	static const struct {
		const struct pn_codec *codec;
		const char *text;
	} from[] = {{&pn_codec_collapsed, stacks},
		    {&pn_codec_callgrind, calls}};
	struct pn_profile p;
	struct pn_error err;
	size_t i;

	for (i = 0; codec->write && i < sizeof(from) / sizeof(*from); i++) {
		if (read_as(&p, from[i].codec, from[i].text,
			    strlen(from[i].text), &err)) {
			printf("%s\n", err.message);
			exit(1);
		}
		add_written(seeds, codec, &p);
		pn_profile_release(&p);
	}
}

static void insert(struct pn_buf *b, size_t at, const void *bytes, size_t len)
{
	struct pn_buf both = {0};

	pn_buf_add(&both, b->data, at);
	pn_buf_add(&both, bytes, len);
	pn_buf_add(&both, b->data + at, b->len - at);
	pn_buf_release(b);
	*b = both;
}

static void cut(struct pn_buf *b, size_t at, size_t len)
{
	memmove(b->data + at, b->data + at + len, b->len - at - len);
	b->len -= len;
}

/* Numbers and marks that have hurt decoders before. */
static void insert_word(struct pn_buf *b)
{
	static const char *const words[] = {"18446744073709551615",
					    "-1",
					    "9223372036854775807",
					    "0x7fffffffffffffff",
					    "1e999",
					    "\xff\xff\xff\xff\x0f",
					    "\x00",
					    "\n",
					    "\r\n",
					    "\t",
					    "(",
					    "[[[[[[[[[[[[[[[[",
					    "{\"a\":",
					    "\"",
					    "\\u0000",
					    "%s%n",
					    ";",
					    "\xc0\x80"};
	const char *word = words[below(sizeof(words) / sizeof(*words))];

	insert(b, below(b->len + 1), word, *word ? strlen(word) : 1);
}

/* A piece of one input into another, up to 64 times in a row. */
static void splice(struct pn_buf *b, const struct seeds *seeds)
{
	const struct pn_buf *from = &seeds->items[below(seeds->count)];
	size_t at = below(from->len), len = below(from->len - at) + 1;
	size_t to = below(b->len + 1), times = below(4) ? 1 : below(64) + 1;

	if (len * times > SEED_MAX_BYTES)
		len = below(64) + 1;
	if (len > from->len - at)
		len = from->len - at;
	while (times--)
		insert(b, to, from->data + at, len);
}

/* Replace the digits around a place by other ones. */
static void change_number(struct pn_buf *b)
{
	size_t at = below(b->len), i;

	for (i = 0; i < b->len && (b->data[at] < '0' || b->data[at] > '9'); i++)
		at = (at + 1) % b->len;
	for (i = below(20) + 1;
	     i && at < b->len && b->data[at] >= '0' && b->data[at] <= '9'; i--)
		b->data[at++] = (unsigned char)('0' + below(10));
}

static void damage(struct pn_buf *b, const struct seeds *seeds)
{
	size_t at = below(b->len), len;

	switch (below(8)) {
	case 0:
		b->data[at] ^= (unsigned char)(1u << below(8));
		break;
	case 1:
		b->data[at] = (unsigned char)below(256);
		break;
	case 2:
		len = below(below(8) ? 16 : b->len) + 1;
		cut(b, at, len < b->len - at ? len : b->len - at);
		break;
	case 3:
		b->len = at;
		break;
	case 4:
		splice(b, seeds);
		break;
	case 5:
		change_number(b);
		break;
	default:
		insert_word(b);
	}
}

static void mutate(struct pn_buf *out, const struct seeds *seeds)
{
	const struct pn_buf *from = &seeds->items[below(seeds->count)];
	size_t times = below(3) + 1;

	pn_buf_add(out, from->data, from->len);
	while (times-- && out->len)
		damage(out, seeds);
}

static bool takes_more(size_t memory)
{
	struct rusage usage;

	return MEMORY_COUNTS && !getrusage(RUSAGE_SELF, &usage) &&
	       (size_t)usage.ru_maxrss * 1024 > memory;
}

#define REFUSED 10 /* with one clear line */

/* In a process of its own: 0 or REFUSED when all is well. */
static int judge(const struct pn_codec *codec, const struct pn_buf *bytes,
		 size_t memory)
{
	struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS};
	struct rlimit core = {0, 0};
	struct rlimit space = {SPACE_BASE + 4 * memory,
			       SPACE_BASE + 4 * memory};
	struct pn_profile p;
	struct pn_error err = {0};
	const char *at;
	int code;

	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
	if (MEMORY_COUNTS)
		setrlimit(RLIMIT_AS, &space);
	code = read_as(&p, codec, bytes->data, bytes->len, &err);
	if (takes_more(memory))
		return 5;
	if (!code)
		return pn_profile_check(&p, NULL) ? 2 : 0;
	if (code >= 0 || err.code != code ||
	    strncmp(err.message, "cannot read 'x': ", 17))
		return 3;
	for (at = err.message; *at; at++)
		if (*at == '\n' || *at == '\r')
			return 4;
	return REFUSED;
}

static const char *say(int status)
{
	static char text[64];

	if (WIFSIGNALED(status)) {
		snprintf(text, sizeof(text), "%s",
			 WTERMSIG(status) == SIGXCPU ||
					 WTERMSIG(status) == SIGKILL
				 ? "it takes too long"
				 : strsignal(WTERMSIG(status)));
		return text;
	}
	switch (WEXITSTATUS(status)) {
	case 2:
		return "the profile is not valid";
	case 3:
		return "it fails without a message";
	case 4:
		return "the message is not one line";
	case 5:
		return "it takes too much memory";
	default:
		return "the decoder ended the program";
	}
}

/* Whether all is well; counts what was refused. */
static bool try(size_t *refused, const struct pn_codec *codec,
		const struct pn_buf *bytes, size_t number, size_t memory)
{
	const char *why;
	char path[128];
	FILE *file;
	int status;
	pid_t child = fork();

	if (!child)
		_exit(judge(codec, bytes, memory));
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("mutate");
		exit(1);
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == REFUSED)
		++*refused;
	if (!status || (WIFEXITED(status) && WEXITSTATUS(status) == REFUSED))
		return true;
	why = say(status);
	snprintf(path, sizeof(path), "mutate-%s-%zu", codec->name, number);
	file = fopen(path, "wb");
	if (file) {
		fwrite(bytes->data, 1, bytes->len, file);
		fclose(file);
	}
	printf("%s, input %zu: %s: see %s\n", codec->name, number, why, path);
	return false;
}

int main(int argc, char **argv)
{
	const struct pn_codec *codec;
	struct seeds seeds = {0};
	size_t i, count, times, failed = 0, refused = 0;
	struct pn_error err;

	codec = argc > 3 ? pn_codec_find(argv[1], &err) : NULL;
	if (!codec) {
		printf("usage: mutate <format> <count> <times> <path>...\n");
		return 129;
	}
	count = strtoul(argv[2], NULL, 10);
	times = strtoul(argv[3], NULL, 10);
	for (i = 4; i < (size_t)argc; i++)
		add_path(&seeds, codec, argv[i]);
	add_own(&seeds, codec);
	if (!seeds.count) {
		printf("%s: no input to begin with\n", codec->name);
		return 1;
	}
	setvbuf(stdout, NULL, _IONBF, 0);
	for (i = 0; i < count; i++) {
		struct pn_buf bytes = {0};

		state = i;
		mutate(&bytes, &seeds);
		failed += !try(&refused, codec, &bytes, i,
			       MEMORY_BASE + times * bytes.len);
		pn_buf_release(&bytes);
	}
	printf("%s: %zu inputs made of %zu, %zu refused, %zu failed\n",
	       codec->name, count, seeds.count, refused, failed);
	for (i = 0; i < seeds.count; i++)
		pn_buf_release(&seeds.items[i]);
	free(seeds.items);
	return failed ? 1 : 0;
}
