# Loading shared libraries is most of what a short command takes: libcrypto alone
# has 400 kB to relocate, and libgit2.so brings all that its transports need,
# which git-perf never uses. So the program takes them from archives where those
# are there, as Debian's are (libgit2 built on mbed TLS: start.c stands in for
# its transports); the library does not.
option(PERF_STATIC "link libraries into the program where that works" ON)
set(archives)
# take_archives(NAME "LIBRARY..." "FUNCTION..." [SOURCE [DEFINITION]]): puts them
# before those that were taken, where a program that needs the functions, of
# that source besides, can be linked to all
function(take_archives name libraries functions)
	set(found)
	foreach(library IN LISTS libraries)
		find_library(ARCHIVE_${library} lib${library}.a)
		mark_as_advanced(ARCHIVE_${library})
		if(NOT ARCHIVE_${library})
			return()
		endif()
		list(APPEND found ${ARCHIVE_${library}})
	endforeach()
	list(APPEND found ${archives})
	set(probe ${CMAKE_BINARY_DIR}/archives_${name}.c)
	list(JOIN functions "(), " declared)
	list(JOIN functions "() + " called)
	file(WRITE ${probe} "int ${declared}();\n"
		"int main() { return ${called}(); }\n")
	try_compile(ARCHIVES_OF_${name} ${CMAKE_BINARY_DIR}/archives_${name}
		SOURCES ${probe} ${ARGV3} COMPILE_DEFINITIONS ${ARGV4}
		LINK_LIBRARIES ${found} m ${CMAKE_DL_LIBS})
	if(ARCHIVES_OF_${name})
		set(archives ${found} PARENT_SCOPE)
		target_compile_definitions(git-perf PRIVATE ${ARGV4})
	endif()
endfunction()
if(PERF_STATIC AND NOT PERF_SANITIZE AND NOT PERF_FUZZ)
	take_archives(base "expat;zstd;crypto;z;deflate;pcre2-8"
		"XML_Parse;ZSTD_decompressStream;SHA1_Init;inflate;libdeflate_zlib_compress;pcre2_compile_8")
endif()
if(archives)
	take_archives(elf "dw;elf;lzma;bz2" "dwfl_begin")
	take_archives(git2 "git2;http_parser;mbedcrypto" "git_libgit2_init"
		${CMAKE_SOURCE_DIR}/libperfnotes/vcs/start.c
		-DPERF_STATIC_GIT2)
	# cJSON has no archive there: it is loaded when it is needed.
	find_library(CJSON_SHARED cjson)
	mark_as_advanced(CJSON_SHARED)
	get_filename_component(cjson ${CJSON_SHARED} REALPATH)
	if(cjson MATCHES "/(libcjson\\.so\\.[0-9]+)[^/]*$")
		target_sources(git-perf PRIVATE
			../libperfnotes/codec/bench/late.c)
		target_compile_definitions(git-perf PRIVATE
			PERF_CJSON="${CMAKE_MATCH_1}")
	endif()
	target_link_libraries(git-perf PRIVATE ${archives})
	target_link_options(git-perf PRIVATE -Wl,--as-needed)
endif()
