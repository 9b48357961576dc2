/*
 * Facts of the machine: proc(5), the kernel's admin-guide/pm/cpufreq.rst and
 * os-release(5), where they exist; uname and sysconf elsewhere.
 */
#include "collect/facts/environment.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define FACT_FILE_MAX (16u << 20) /* /proc/cpuinfo of 4096 cores has 6 MB */

/* Blanks of any kind become one; none at the ends. */
static void copy_fact(char *out, size_t size, const char *text, size_t len)
{
	size_t used = 0, i;

	for (i = 0; i < len && used + 2 < size; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c > ' ' && c != 127) {
			out[used++] = (char)c;
			continue;
		}
		if (used && out[used - 1] != ' ')
			out[used++] = ' ';
	}
	while (used && out[used - 1] == ' ')
		used--;
	out[used] = '\0';
}

static bool read_fact(struct pn_buf *out, const char *root, const char *path)
{
	struct pn_buf name = {0};
	int code;

	pn_buf_clear(out);
	pn_buf_printf(&name, "%s%s", root, path);
	code = pn_file_read(out, pn_buf_text(&name), FACT_FILE_MAX, NULL);
	pn_buf_release(&name);
	return !code && out->len;
}

/* The value of the first line "<key> <blanks> <mark> value". */
static bool find_value(char *out, size_t size, const char *text,
		       const char *key, char mark)
{
	size_t key_len = strlen(key);

	while (*text) {
		size_t len = strcspn(text, "\n"), at = key_len;

		if (!strncmp(text, key, key_len)) {
			while (at < len && isblank((unsigned char)text[at]))
				at++;
			if (at < len && text[at] == mark) {
				copy_fact(out, size, text + at + 1,
					  len - at - 1);
				return *out != '\0';
			}
		}
		text += len + (text[len] == '\n');
	}
	return false;
}

/* ARM names no model: the board's, or else the numbers of the core. */
static void read_arm_cpu(struct pn_environment *out, const char *root,
			 const char *cpuinfo)
{
	static const char board[] = "/proc/device-tree/model";
	char implementer[32], part[32];
	struct pn_buf text = {0};

	if (read_fact(&text, root, board)) {
		copy_fact(out->cpu, sizeof(out->cpu), pn_buf_text(&text),
			  strlen(pn_buf_text(&text)));
	} else if (find_value(implementer, sizeof(implementer), cpuinfo,
			      "CPU implementer", ':') &&
		   find_value(part, sizeof(part), cpuinfo, "CPU part", ':')) {
		snprintf(out->cpu, sizeof(out->cpu), "ARM %s part %s",
			 implementer, part);
	}
	pn_buf_release(&text);
}

static void read_cpu(struct pn_environment *out, const char *root)
{
	/* x86 and some ARM, MIPS, s390, RISC-V, POWER */
	static const char *const keys[] = {"model name", "cpu model",
					   "vendor_id",	 "uarch",
					   "Hardware",	 "cpu"};
	struct pn_buf text = {0};
	size_t i;

	read_fact(&text, root, "/proc/cpuinfo");
	for (i = 0; i < sizeof(keys) / sizeof(*keys) && !*out->cpu; i++)
		find_value(out->cpu, sizeof(out->cpu), pn_buf_text(&text),
			   keys[i], ':');
	if (!*out->cpu)
		read_arm_cpu(out, root, pn_buf_text(&text));
	pn_buf_release(&text);
}

static void read_memory(struct pn_environment *out, const char *root)
{
	long pages, page_size;
	struct pn_buf text = {0};
	char value[64];

	if (read_fact(&text, root, "/proc/meminfo") &&
	    find_value(value, sizeof(value), pn_buf_text(&text), "MemTotal",
		       ':') &&
	    pn_number_uint(&out->memory_bytes, value, strcspn(value, " "))) {
		out->memory_bytes *= 1024;
	} else {
		pages = sysconf(_SC_PHYS_PAGES);
		page_size = sysconf(_SC_PAGESIZE);
		if (pages > 0 && page_size > 0)
			out->memory_bytes =
				(uint64_t)pages * (uint64_t)page_size;
	}
	pn_buf_release(&text);
}

static void read_system(struct pn_environment *out, const char *root)
{
	struct pn_buf text = {0};
	struct utsname name;
	size_t len;

	if (uname(&name) < 0)
		memset(&name, 0, sizeof(name));
	copy_fact(out->kernel, sizeof(out->kernel), name.release,
		  strlen(name.release));
	copy_fact(out->arch, sizeof(out->arch), name.machine,
		  strlen(name.machine));
	copy_fact(out->os, sizeof(out->os), name.sysname, strlen(name.sysname));
	if (read_fact(&text, root, "/etc/os-release") &&
	    find_value(out->os, sizeof(out->os), pn_buf_text(&text),
		       "PRETTY_NAME", '=')) {
		len = strlen(out->os);
		if (len > 1 && (*out->os == '"' || *out->os == '\'') &&
		    out->os[len - 1] == *out->os) {
			memmove(out->os, out->os + 1, len - 2);
			out->os[len - 2] = '\0';
		}
	}
	pn_buf_release(&text);
}

void pn_environment_read(struct pn_environment *out, const char *machine,
			 const char *root)
{
	static const char governor[] =
		"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
	struct pn_environment env = {0};
	struct pn_buf text = {0};
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (machine)
		copy_fact(env.machine, sizeof(env.machine), machine,
			  strlen(machine));
	env.cores = cores > 0 ? (uint64_t)cores : 0;
	read_system(&env, root);
	read_cpu(&env, root);
	read_memory(&env, root);
	if (read_fact(&text, root, governor))
		copy_fact(env.governor, sizeof(env.governor),
			  pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	*out = env;
}

void pn_environment_fingerprint(char out[PN_FINGERPRINT_MAX],
				const struct pn_environment *environment)
{
	unsigned char hash[32];
	struct pn_buf text = {0};
	size_t i;

	if (*environment->machine) {
		memcpy(out, environment->machine, PN_FINGERPRINT_MAX);
		return;
	}
	pn_buf_printf(&text, "%s\n%" PRIu64 "\n%s\n", environment->cpu,
		      environment->cores, environment->arch);
	pn_hash_sha256(hash, text.data, text.len);
	pn_buf_release(&text);
	for (i = 0; i < PN_FINGERPRINT_HEX / 2; i++)
		snprintf(out + 2 * i, 3, "%02x", hash[i]);
}

static void set_fact(struct pn_profile *profile, const char *key,
		     const char *value)
{
	if (*value)
		pn_profile_set_environment(profile, key, value);
}

static void set_count(struct pn_profile *profile, const char *key,
		      uint64_t count)
{
	char text[24];

	if (!count)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, count);
	pn_profile_set_environment(profile, key, text);
}

void pn_environment_apply(struct pn_profile *profile,
			  const struct pn_environment *environment)
{
	char fingerprint[PN_FINGERPRINT_MAX];

	pn_environment_fingerprint(fingerprint, environment);
	pn_profile_set_environment(profile, "env", fingerprint);
	set_fact(profile, "machine", environment->machine);
	set_fact(profile, "cpu", environment->cpu);
	set_count(profile, "cores", environment->cores);
	set_count(profile, "memory", environment->memory_bytes);
	set_fact(profile, "kernel", environment->kernel);
	set_fact(profile, "os", environment->os);
	set_fact(profile, "arch", environment->arch);
	set_fact(profile, "governor", environment->governor);
}
