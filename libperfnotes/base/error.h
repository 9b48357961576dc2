/*
 * The error of a call: a code for programs, one line for people.
 *
 * A function that can fail returns 0 or one of these negative codes and fills
 * the pn_error that it was given. Messages follow git: lower case, no full
 * stop, what failed first, the subject in 'single quotes', then what would
 * have been right.
 */
#ifndef PN_BASE_ERROR_H
#define PN_BASE_ERROR_H

enum pn_code {
	PN_OK = 0,
	PN_EIO = -1,	    /* the system refused: read, write, fork, ... */
	PN_EINVAL = -2,	    /* bytes or text that are not what they claim */
	PN_ENOTFOUND = -3,  /* the named thing does not exist */
	PN_EAMBIGUOUS = -4, /* the name fits more than one thing */
	PN_ERANGE = -5,	    /* a value or a count outside of what is allowed */
	PN_ELIMIT = -6,	    /* larger than a named limit */
	PN_ECONFLICT = -7,  /* another writer was first; may be tried again */
	PN_ELOCKED = -8,    /* a lock file is in the way */
	PN_EREFUSED = -9,   /* a repository or input we decline, with why */
	PN_EFORMAT = -10,   /* no known format recognises the input */
	PN_ESTOPPED = -11,  /* somebody asked for the end */
	PN_ETIMEOUT = -12   /* took longer than it was given */
};

#define PN_ERROR_MAX 1024 /* bytes of a message, with its NUL */

struct pn_error {
	int code;
	char message[PN_ERROR_MAX];
};

/* Fill `err` (may be NULL) and return `code`. An overlong text is cut. */
int pn_error_set(struct pn_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* As pn_error_set with PN_EIO; ": " and the text of errno are appended. */
int pn_error_system(struct pn_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Put "context: " before the message of `err`; returns err's code. */
int pn_error_context(struct pn_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#ifdef __clang_analyzer__
/* It sees one file at a time and would follow paths on which these return 0. */
#define pn_error_set(err, code, ...)                                           \
	(pn_error_set(err, code, __VA_ARGS__), (code))
#define pn_error_system(...) (pn_error_system(__VA_ARGS__), PN_EIO)
#define pn_error_context(...) (pn_error_context(__VA_ARGS__), PN_EIO)
#endif

#endif
