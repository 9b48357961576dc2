/*
 * What Java's agents wrote in the older formats: frames are numbers, and a
 * list behind the samples says what each of them is.
 * pprof's legacy profiles.
 */
#ifndef PN_GPERFTOOLS_JAVA_H
#define PN_GPERFTOOLS_JAVA_H

#include "codec/frames.h"

struct pn_java_name {
	uint64_t number;
	struct pn_frame frame;
	size_t order;
};

/* Java's heap or locks: those of C++ and Go begin with the same line. */
bool pn_java_is_text(const char *text, size_t len);

/* A zeroed struct is empty. */
struct pn_java_names {
	struct pn_java_name *rows;
	size_t count, cap;
};

/* "0x0000003 com.example.f (source.java:3)"; other lines are passed over. */
void pn_java_names_line(struct pn_java_names *names, struct pn_profile *p,
			const char *text, size_t len);
/* Behind the last line, before the first question. */
void pn_java_names_sort(struct pn_java_names *names);
/* What was said of this number last; an empty frame when nothing was. */
struct pn_frame pn_java_names_find(const struct pn_java_names *names,
				   uint64_t number);
void pn_java_names_release(struct pn_java_names *names);

#endif
