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
check 'nothing but headers is in the folder of headers' is \
	"$(find "$prefix/include" -type f ! -name '*.h')" ''

if [ -d "$build/share/man/man1" ]; then
	check 'every page is there' is "$(ls "$prefix/share/man/man1")" \
		"$(cd "$root/cmd/man" && ls git-perf*.adoc |
			sed 's/adoc$/1/' | sort)"
	if command -v man >/dev/null; then
		check 'help opens the installed page' \
			exits 0 git perf help help
		check 'the page that help opens is a manual page' \
			mentions out '^NAME'
		check "git opens the installed page of git perf" exits 0 env \
			MANPATH="$prefix/share/man:" git perf --help
		check 'the page that git opens is a manual page' \
			mentions out '^NAME'
	fi
fi

if command -v cpack >/dev/null && command -v dpkg-deb >/dev/null &&
	command -v dpkg-shlibdeps >/dev/null; then
	check 'cpack makes a Debian package' exits 0 cpack -G DEB \
		--config "$build/CPackConfig.cmake" -B "$scratch/deb"
	dpkg-deb -c "$scratch"/deb/*.deb >"$scratch/contents"
	check 'the package holds the program' \
		mentions contents ' ./usr/bin/git-perf$'
	check 'the package holds the library' \
		mentions contents ' ./usr/lib/.*libperfnotes.a$'
	check 'the package depends on git and libc' is "$(dpkg-deb \
		-f "$scratch"/deb/*.deb Depends |
		grep -Eo '(^| )(git|libc6)\>' | tr -d '\n')" 'git libc6'
fi

if [ "$(uname -m)" = x86_64 ]; then
	must mv "$prefix" "$scratch/moved place"
	check 'a moved installation finds what it preloads' exits 128 \
		"$scratch/moved place/bin/git-perf" collect -c sample \
		-O delay=1000 -- true
	check 'a moved installation loads what it preloads' \
		mentions err "^fatal: no sample was taken of 'true'"
fi
