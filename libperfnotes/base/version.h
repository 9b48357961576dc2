/* Which libperfnotes a program runs with. */
#ifndef PN_BASE_VERSION_H
#define PN_BASE_VERSION_H

/* Of the library that is loaded: "0.2.0". */
const char *pn_version(void);

#endif
