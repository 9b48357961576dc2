/* From the URL of a remote to the page of a commit. */
#include "jobs/reported/reporting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void leads_to(const char *remote, const char *page)
{
	struct pn_buf url = {0};

	pn_reporting_url(&url, remote);
	assert_string_equal(pn_buf_text(&url), page);
	pn_buf_release(&url);
}

static void remotes_of_the_web_have_pages(void **state)
{
	(void)state;
	leads_to("https://github.com/a/b.git",
		 "https://github.com/a/b/commit/");
	leads_to("https://github.com/a/b", "https://github.com/a/b/commit/");
	leads_to("http://example.com:8080/a/",
		 "https://example.com:8080/a/commit/");
	leads_to("git@github.com:a/b.git", "https://github.com/a/b/commit/");
	leads_to("ssh://git@example.com:2222/a/b.git",
		 "https://example.com/a/b/commit/");
	leads_to("git@gitlab.com:a/b.git", "https://gitlab.com/a/b/-/commit/");
	leads_to("https://bitbucket.org/a/b.git",
		 "https://bitbucket.org/a/b/commits/");
}

static void secrets_do_not_show(void **state)
{
	(void)state;
	leads_to("https://user:token@example.com/a/b.git",
		 "https://example.com/a/b/commit/");
}

static void others_have_none(void **state)
{
	(void)state;
	leads_to("/srv/git/a.git", "");
	leads_to("../a", "");
	leads_to("file:///srv/git/a.git", "");
	leads_to("ext::sh -c x", "");
	leads_to("javascript:alert(1)", "");
	leads_to("https://example.com/\"><script>", "");
	leads_to("https://example.com", "");
	leads_to("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remotes_of_the_web_have_pages),
		cmocka_unit_test(secrets_do_not_show),
		cmocka_unit_test(others_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
