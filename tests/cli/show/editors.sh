#!/bin/sh
# The modes for Vim and Emacs, without a terminal: costs beside the lines that
# are being edited. Of 40 in all line 2 costs 10, line 3 costs 20.
. "$(dirname "$0")/../lib.sh"
vim=$(command -v vim) && "$vim" --version | grep -q +textprop || vim=
emacs=$(command -v emacs) || emacs=
[ -n "$vim$emacs" ] || skip 'neither vim with text properties nor emacs'
[ -n "$vim" ] || echo 'no vim with text properties: its mode is not tried'
[ -n "$emacs" ] || echo 'no emacs: its mode is not tried'
editor=$root/contrib/editor

mkdir 'a b'
printf '%s\n' one two three four >"a b/it's.c"
must git add .
commit first
printf '%s\n' '# callgrind format' 'events: Ir' "fl=a b/it's.c" fn=f '2 10' \
	'3 20' fl=other.c fn=g '1 10' >../first.callgrind
must git perf add --name=cost ../first.callgrind 2>"$err"
must git commit -q --allow-empty -m second
sed 's/^2 10/2 2/' ../first.callgrind >../second.callgrind
must git perf add --name=cost ../second.callgrind 2>"$err"

# in_vim LINE...: commands, one of which writes to the file `seen`.
in_vim()
{
	printf '%s\n' "$@" 'qa!' >../commands.vim
	rm -f ../seen
	"$vim" -es -N -u NONE -i NONE -S "$editor/git-perf.vim" \
		-S ../commands.vim >../said 2>&1
	sed 's/ *$//' ../seen
}
seen="call writefile(map(sort(items(b:git_perf_costs)), 'v:val[0] . v:val[1]'), '$scratch/seen')"
kinds="call writefile([join(map(prop_list(3), 'v:val.type'))], '$scratch/seen')"
if [ -n "$vim" ]; then
	# the profile of HEAD has 32: 2, 20 and 10
	check 'vim shows what each line costs' is \
		"$(in_vim "edit a\\ b/it's.c" GitPerf "$seen")" \
		'2  6.25%   6.2%
3 62.50%  62.5%'
	check 'vim shows costs of what is edited, not saved' is \
		"$(in_vim "edit a\\ b/it's.c" "call append(0, ['new'])" GitPerf "$seen")" \
		'3  6.25%   6.2%
4 62.50%  62.5%'
	check 'vim shows how that changed' is \
		"$(in_vim "edit a\\ b/it's.c" 'GitPerf --against=HEAD~' "$seen")" \
		'2  6.25% -18.75
3 62.50% +12.50'
	check 'vim marks hot lines' is \
		"$(in_vim "edit a\\ b/it's.c" GitPerf "$kinds")" GitPerfHot
	check 'vim shows nothing when told so' is \
		"$(in_vim "edit a\\ b/it's.c" GitPerf 'GitPerf!' "$kinds")" ''
	check 'vim shows nothing where there is no profile' is \
		"$(in_vim "edit a\\ b/it's.c" 'silent! GitPerf --rev=nix' "$kinds")" ''
fi

# in_emacs FORM...: what they print.
in_emacs()
{
	printf '%s\n' "(require 'git-perf)" "(find-file \"a b/it's.c\")" \
		'(defun seen () (dolist (o (sort (overlays-in (point-min)
			(point-max)) (lambda (a b) (< (overlay-start a)
			(overlay-start b))))) (princ (format "%s%s\n"
			(line-number-at-pos (overlay-start o))
			(overlay-get o (quote before-string))))))' \
		"$@" >../forms.el
	"$emacs" --batch -Q -L "$editor" -l ../forms.el 2>../said |
		sed -n '/%/s/ *$//p'
}
if [ -n "$emacs" ]; then
	check 'emacs shows what each line costs' is \
		"$(in_emacs '(git-perf-mode 1) (seen)')" \
		'2  6.25%   6.2%
3 62.50%  62.5%'
	check 'emacs shows costs of what is edited, not saved' is \
		"$(in_emacs '(insert "new\n") (git-perf-mode 1) (seen)')" \
		'3  6.25%   6.2%
4 62.50%  62.5%'
	check 'emacs shows how that changed' is \
		"$(in_emacs '(git-perf-against "HEAD~") (seen)')" \
		'2  6.25% -18.75
3 62.50% +12.50'
	check 'emacs shows nothing when told so' is \
		"$(in_emacs '(git-perf-mode 1) (git-perf-mode 0) (seen)')" ''
	check 'emacs says what is wrong' is "$(in_emacs '(condition-case err
		(git-perf-against "nix") (error (princ
		(concat "% " (error-message-string err)))))' | cut -c1-29)" \
		"% fatal: no such commit 'nix'"
fi
