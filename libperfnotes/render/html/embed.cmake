# What pages hold of script and style, as C: the files one after the other.
# Included where the library is made: only there files that are not there yet
# can be named.
function(perf_embed name)
	set(to ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
	set(script ${CMAKE_CURRENT_SOURCE_DIR}/render/html/to_c.cmake)
	add_custom_command(OUTPUT ${to} VERBATIM DEPENDS ${ARGN} ${script}
		COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DFROM=${ARGN}"
			-DTO=${to} -P ${script})
	target_sources(perfnotes PRIVATE ${to})
endfunction()
set(render ${CMAKE_CURRENT_SOURCE_DIR}/render)
perf_embed(pn_flame_script ${render}/flame/trees.js ${render}/flame/layout.js
	${render}/flame/paint.js ${render}/flame/sketch.js
	${render}/flame/flame.js)
perf_embed(pn_flame_style ${render}/flame/flame.css)
perf_embed(pn_page_script ${render}/flame/page.js)
perf_embed(pn_page_style ${render}/flame/page.css)
perf_embed(pn_plot_style ${render}/resources/plot.css)
perf_embed(pn_report_script ${render}/report/report.js)
perf_embed(pn_history_script ${render}/report/history.js)
perf_embed(pn_profiles_script ${render}/report/profiles.js)
perf_embed(pn_report_style ${render}/report/report.css)

# Charts that can be zoomed. Debian: libjs-dygraphs; elsewhere the folder of its
# files. OFF: charts are pictures. The pages have its licence; maps of its source
# would only be looked for.
set(PERF_DYGRAPHS /usr/share/javascript/dygraphs CACHE STRING
	"folder of dygraph.min.js and dygraph.min.css, or OFF")
set(parts script style licence)
foreach(part ${parts})
	set(dygraphs_${part} "")
endforeach()
if(PERF_DYGRAPHS)
	find_file(dygraphs_licence_file NAMES LICENSE.txt copyright NO_CACHE
		PATHS ${PERF_DYGRAPHS} /usr/share/doc/libjs-dygraphs
		NO_DEFAULT_PATH)
	if(NOT EXISTS ${PERF_DYGRAPHS}/dygraph.min.js OR
	   NOT EXISTS ${PERF_DYGRAPHS}/dygraph.min.css OR
	   NOT dygraphs_licence_file)
		message(FATAL_ERROR "dygraphs is not in ${PERF_DYGRAPHS}: "
			"install libjs-dygraphs, or say where its "
			"dygraph.min.js, dygraph.min.css and LICENSE.txt are "
			"with -DPERF_DYGRAPHS=<folder>, or do without charts "
			"that can be zoomed with -DPERF_DYGRAPHS=OFF")
	endif()
	file(READ ${PERF_DYGRAPHS}/dygraph.min.js dygraphs_script)
	file(READ ${PERF_DYGRAPHS}/dygraph.min.css dygraphs_style)
	file(READ ${dygraphs_licence_file} dygraphs_licence)
endif()
foreach(part ${parts})
	string(REGEX REPLACE "/[/*]# sourceMappingURL=[^\n]*" "" text
		"${dygraphs_${part}}")
	set(file ${CMAKE_CURRENT_BINARY_DIR}/dygraphs_${part}.txt)
	file(CONFIGURE OUTPUT ${file} CONTENT "@text@" @ONLY)
	perf_embed(pn_dygraphs_${part} ${file})
endforeach()
