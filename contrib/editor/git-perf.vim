" What lines cost, beside them: git perf annotate in Vim (9.0.0067 or later).
"
"   :GitPerf [<options>]   show it, as :GitPerf --against=HEAD~1
"   :GitPerf!              no longer
"
" Copy this file to ~/.vim/plugin. Before each line stand the shares of the
" profile that it costs itself and with all that is called there; with
" --against its own share, and by how many points that has changed. Lines that
" were edited since the profile was taken have none. Shown anew when the file
" is written.
"
" b:git_perf_costs has what is shown, by line. g:git_perf_command is what is
" run, "git perf" unless it is set; GitPerf and GitPerfHot are the colours.

if exists('g:loaded_git_perf') || !has('textprop')
	finish
endif
let g:loaded_git_perf = 1

highlight default link GitPerf Comment
highlight default link GitPerfHot WarningMsg
let s:hot = 5.0 " per cent of the profile from which on a line is hot
let s:blank = repeat(' ', 15)

function! s:Type(name) abort
	if empty(prop_type_get(a:name, {'bufnr': bufnr()}))
		call prop_type_add(a:name, {'bufnr': bufnr(), 'highlight': a:name})
	endif
endfunction

function! s:Hide() abort
	for name in ['GitPerf', 'GitPerfHot']
		if !empty(prop_type_get(name, {'bufnr': bufnr()}))
			call prop_remove({'type': name, 'all': v:true})
		endif
	endfor
	augroup git_perf
		autocmd! * <buffer>
	augroup END
endfunction

" The lines of git perf, [] where it failed: why is said.
function! s:Ask(options) abort
	let command = get(g:, 'git_perf_command', 'git perf') .
		\ ' annotate --porcelain --contents=- ' . a:options . ' -- ' .
		\ shellescape(expand('%:t'))
	let end = &fileformat ==# 'dos' ? "\r\n" : "\n"
	let text = join(getline(1, '$'), end) . (&endofline ? end : '')
	let folder = chdir(expand('%:p:h'))
	try
		let lines = split(system(command, text), "\n")
		let failed = v:shell_error
	finally
		call chdir(folder)
	endtry
	let head = index(lines, 'git-perf-annotate 1')
	if failed || head < 0
		echohl ErrorMsg | echomsg get(lines, -1, 'git perf failed') | echohl None
		return []
	endif
	return lines[head :]
endfunction

function! s:Share(value, all) abort
	return a:all == 0 ? 0.0 : 100.0 * str2float(a:value) / a:all
endfunction

" What is printed before each line that costs, by its number, and its own
" share.
function! s:Costs(lines, head) abort
	let all = str2float(get(a:head, 'all', '0'))
	let old = str2float(get(a:head, 'old-all', '0'))
	let costs = {}
	for line in a:lines
		let part = split(line, "\t", 1)
		if len(part) == 6
			let self = s:Share(part[2], all)
			let text = printf('%6.2f%% %+6.2f ', self,
				\ self - s:Share(part[4], old))
		elseif len(part) == 3
			let self = s:Share(part[1], all)
			let text = printf('%6.2f%%%6.1f%% ', self, s:Share(part[2], all))
		else
			continue
		endif
		let costs[part[0]] = [text, self]
	endfor
	return costs
endfunction

function! s:Show(options) abort
	let lines = s:Ask(a:options)
	if empty(lines)
		return
	endif
	let head = {}
	let empty = index(lines, '', 0)
	for line in empty < 0 ? lines : lines[: empty - 1]
		let head[matchstr(line, '^\S*')] = matchstr(line, ' \zs.*')
	endfor
	let costs = s:Costs(empty < 0 ? [] : lines[empty + 1 :], head)
	call s:Hide()
	call s:Type('GitPerf')
	call s:Type('GitPerfHot')
	for number in range(1, line('$'))
		let [text, self] = get(costs, number, [s:blank, 0.0])
		call prop_add(number, 1, {'text': text,
			\ 'type': self >= s:hot ? 'GitPerfHot' : 'GitPerf'})
	endfor
	let b:git_perf_options = a:options
	let b:git_perf_costs = map(costs, {_, cost -> cost[0]})
	augroup git_perf
		autocmd! * <buffer>
		autocmd BufWritePost <buffer> call s:Show(b:git_perf_options)
	augroup END
	echo printf('%s of %s %s at %.10s', get(head, 'file', ''),
		\ get(head, 'all', ''), get(head, 'type', ''),
		\ get(head, 'commit', ''))
endfunction

command! -bang -nargs=* GitPerf if <bang>0 | call s:Hide() | else | call s:Show(<q-args>) | endif
