/*
 * Part of the program, not of the library: cJSON, loaded when the first
 * document is read. Few commands read one, and to load a library with each
 * start takes a tenth of the time of the shortest ones; of all that the program
 * uses, cJSON alone comes without an archive (cmd/archives.cmake).
 */
#pragma GCC visibility push(hidden) /* cJSON itself is not to find these */
#include <cjson/cJSON.h>
#pragma GCC visibility pop

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static void *find(const char *name)
{
	void *library = dlopen(PERF_CJSON, RTLD_NOW | RTLD_LOCAL);

	return library ? dlsym(library, name) : NULL;
}

cJSON *cJSON_ParseWithLength(const char *text, size_t len)
{
	cJSON *(*parse)(const char *, size_t) = NULL;
	void *found = find("cJSON_ParseWithLength");

	memcpy(&parse, &found, sizeof(parse));
	return parse ? parse(text, len) : NULL;
}

void cJSON_Delete(cJSON *json)
{
	void (*release)(cJSON *) = NULL;
	void *found = json ? find("cJSON_Delete") : NULL;

	memcpy(&release, &found, sizeof(release));
	if (release)
		release(json);
}
