/* Options that a collector or a postprocessor knows of its own (-O). */
#ifndef PN_MODEL_OPTION_H
#define PN_MODEL_OPTION_H

/* A list of them ends with a zeroed one. */
struct pn_option {
	const char *key;      /* "frequency", "method" */
	const char *argument; /* "<hz>", "full|interval"; NULL: a flag, whose
			       * value is "" */
	const char *summary;  /* a few words, with the default */
};

/* What has such options: a row of a list of collectors or postprocessors. */
struct pn_with_options {
	const char *name, *summary;
	const struct pn_option *options; /* NULL: none */
};

#endif
