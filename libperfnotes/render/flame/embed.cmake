# What pages hold of script and style, as C: the files one after the other.
# Included where the library is made: only there files that are not there yet
# can be named.
function(perf_embed name)
	list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/render/flame/
		OUTPUT_VARIABLE from)
	set(to ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
	set(script ${CMAKE_CURRENT_SOURCE_DIR}/render/flame/to_c.cmake)
	add_custom_command(OUTPUT ${to} VERBATIM DEPENDS ${from} ${script}
		COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DFROM=${from}"
			-DTO=${to} -P ${script})
	target_sources(perfnotes PRIVATE ${to})
endfunction()
perf_embed(pn_flame_script trees.js flame.js)
perf_embed(pn_flame_style flame.css)
perf_embed(pn_page_script page.js)
perf_embed(pn_page_style page.css)
