#!/bin/sh
# What `cmake --install` and `cpack -G DEB` put where.
. "$(dirname "$0")/lib.sh"

build=${PERF_BUILD:-$root/build}
prefix=$scratch/prefix
need cmake

check 'installation works' \
	exits 0 cmake --install "$build" --prefix "$prefix"
PATH=$prefix/bin:$PATH
check 'git finds the installed program' exits 0 git perf --version
check 'bash finds its completion' test -s \
	"$prefix/share/bash-completion/completions/git-perf"
check 'zsh finds its completion' test -s \
	"$prefix/share/zsh/site-functions/_git-perf"
check 'fish finds its completion' test -s \
	"$prefix/share/fish/vendor_completions.d/git-perf.fish"
check 'every header is there' is \
	"$(cd "$prefix/include/perfnotes" && find . -name '*.h' | sort)" \
	"$(cd "$root/libperfnotes" && find . -name '*.h' | sort)"
check 'and nothing else' is \
	"$(find "$prefix/include" -type f ! -name '*.h')" ''

if [ -d "$build/share/man/man1" ]; then
	check 'every page is there' is "$(ls "$prefix/share/man/man1")" \
		"$(cd "$root/cmd/man" && ls git-perf*.adoc |
			sed 's/adoc$/1/' | sort)"
	if command -v man >/dev/null; then
		check 'help opens the installed page' \
			exits 0 git perf help help
		check 'not the options' mentions out '^NAME'
		check "and so does git's own help" exits 0 env \
			MANPATH="$prefix/share/man:" git perf --help
		check 'of the program' mentions out '^NAME'
	fi
fi

if command -v cpack >/dev/null && command -v dpkg-deb >/dev/null &&
	command -v dpkg-shlibdeps >/dev/null; then
	check 'a Debian package is made' exits 0 cpack -G DEB \
		--config "$build/CPackConfig.cmake" -B "$scratch/deb"
	dpkg-deb -c "$scratch"/deb/*.deb >"$scratch/contents"
	check 'with the program' mentions contents ' ./usr/bin/git-perf$'
	check 'with the library' \
		mentions contents ' ./usr/lib/.*libperfnotes.a$'
	check 'it depends on git and on libraries' is "$(dpkg-deb \
		-f "$scratch"/deb/*.deb Depends |
		grep -Eo '(^| )(git|libc6)\>' | tr -d '\n')" 'git libc6'
fi

if [ "$(uname -m)" = x86_64 ]; then
	must mv "$prefix" "$scratch/moved place"
	check 'what is preloaded is found where the program went' exits 128 \
		"$scratch/moved place/bin/git-perf" collect -c sample \
		-O delay=1000 -- true
	check 'and loaded' mentions err "^fatal: no sample was taken of 'true'"
fi
