#!/bin/sh
# What `cmake --install` and `cpack -G DEB` put where.
. "$(dirname "$0")/../lib.sh"

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
check 'fish finds what leads from git to it' test -s \
	"$prefix/share/fish/vendor_conf.d/git-perf.fish"
check 'the public headers are there, and no other' is \
	"$(cd "$prefix/include/perfnotes" && find . -name '*.h' | sort)" \
	"$( (echo ./perfnotes.h && sed -n 's|^#include "\(.*\)"$|./\1|p' \
		"$root/libperfnotes/perfnotes.h") | sort)"
check 'the header for measured programs is installed beside the others' \
	is "$(cd "$prefix/include" && ls)" "git-perf.h
perfnotes"
check 'the archive of the program is not installed' \
	is "$(find "$prefix" -name libperfnotes.a)" ''
check 'nothing but headers is in the folder of headers' is \
	"$(find "$prefix/include" -type f ! -name '*.h')" ''

if [ -d "$build/share/man/man1" ]; then
	# Each page's first line says which section it is of.
	pages()
	{
		grep -rhx "= [a-z-]*($1)" "$root/cmd/man" |
			sed "s/^= //;s/($1)/.$1/" | sort
	}
	check 'every page of a command is there' \
		is "$(ls "$prefix/share/man/man1")" "$(pages 1)"
	check 'every page of a file or format is there' \
		is "$(ls "$prefix/share/man/man5")" "$(pages 5)"
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

# What a Debian package holds: $1 is the package, $2 a regular expression.
holds()
{
	dpkg-deb -c "$scratch/deb/$1"_*.deb | grep -Eq " $2\$"
}

if command -v cpack >/dev/null && command -v dpkg-deb >/dev/null &&
	command -v dpkg-shlibdeps >/dev/null; then
	check 'cpack makes Debian packages' exits 0 cpack -G DEB \
		--config "$build/CPackConfig.cmake" -B "$scratch/deb"
	check 'cpack makes three packages' is "$(cd "$scratch/deb" &&
		ls ./*.deb | sed 's|^./||; s|_.*||' | tr '\n' ' ')" \
		'git-perf libperfnotes-dev libperfnotes0 '
	check 'git-perf holds the program' holds git-perf ./usr/bin/git-perf
	check 'git-perf holds no header' not holds git-perf '.*\.h'
	check 'git-perf holds no library' not holds git-perf '.*/libperf.*'
	check 'libperfnotes0 holds the library' holds libperfnotes0 \
		'./usr/lib/.*/?libperfnotes.so.0 -> libperfnotes.so.0.[0-9.]+'
	check 'libperfnotes0 holds no header' not holds libperfnotes0 '.*\.h'
	for file in '/perfnotes\.h' '/git-perf\.h' '/perfnotes\.pc' \
		'/perfnotes-config\.cmake' '/examples/top\.c' \
		'/libperfnotes\.so -> libperfnotes.so.0'; do
		check "libperfnotes-dev holds $file" \
			holds libperfnotes-dev "./usr/.*$file"
	done
	for package in git-perf libperfnotes0 libperfnotes-dev; do
		check "$package holds a copyright" holds $package \
			"./usr/share/doc/$package/copyright"
		check "$package holds Debian's changelog" holds $package \
			"./usr/share/doc/$package/changelog.Debian.gz"
	done
	check 'git-perf depends on git and libc' is "$(dpkg-deb \
		-f "$scratch"/deb/git-perf_*.deb Depends |
		grep -Eo '(^| )(git|libc6)\>' | tr -d '\n')" 'git libc6'
	check 'libperfnotes-dev depends on this very library' is "$(dpkg-deb \
		-f "$scratch"/deb/libperfnotes-dev_*.deb Depends)" \
		"libperfnotes0 (= $(dpkg-deb -f \
			"$scratch"/deb/libperfnotes0_*.deb Version))"
fi

if [ "$(uname -m)" = x86_64 ]; then
	must mv "$prefix" "$scratch/moved place"
	check 'a moved installation finds what it preloads' exits 128 \
		"$scratch/moved place/bin/git-perf" collect -c sample \
		-O delay=1000 -- true
	check 'a moved installation loads what it preloads' \
		mentions err "^fatal: no sample was taken of 'true'"
fi
