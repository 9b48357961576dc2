# Packages, in the build folder: `cpack -G DEB` makes Debian's, split as Debian
# splits them, `cpack --config CPackSourceConfig.cmake` the source archive.
# Debian's folders and libraries are those of
#	cmake -DCMAKE_INSTALL_PREFIX=/usr -DPERF_STATIC=OFF
set(CPACK_PACKAGE_NAME git-perf)
set(CPACK_PACKAGE_CONTACT "the git-perf authors <git-perf@localhost.localdomain>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL git-perf libperfnotes-dev)
if(TARGET perfnotes_shared)
	list(APPEND CPACK_COMPONENTS_ALL libperfnotes0)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(what "\n Profiles of many profilers are stored as git objects, listed in git notes, and\n travel with push and fetch.\n .\n")

set(CPACK_DEBIAN_GIT-PERF_PACKAGE_NAME git-perf)
set(CPACK_DEBIAN_GIT-PERF_PACKAGE_SECTION vcs)
set(CPACK_DEBIAN_GIT-PERF_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_GIT-PERF_PACKAGE_DEPENDS git)
set(CPACK_DEBIAN_GIT-PERF_PACKAGE_RECOMMENDS man-db)
set(CPACK_DEBIAN_GIT-PERF_DESCRIPTION "${PROJECT_DESCRIPTION}${what} This package has the command, its manual pages and completions.")

set(CPACK_DEBIAN_LIBPERFNOTES0_PACKAGE_NAME libperfnotes0)
set(CPACK_DEBIAN_LIBPERFNOTES0_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBPERFNOTES0_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBPERFNOTES0_PACKAGE_DEPENDS git)
set(CPACK_DEBIAN_LIBPERFNOTES0_DESCRIPTION "${PROJECT_DESCRIPTION} - library${what} This package has the library that other programs are linked to.")

set(CPACK_DEBIAN_LIBPERFNOTES-DEV_PACKAGE_NAME libperfnotes-dev)
set(CPACK_DEBIAN_LIBPERFNOTES-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBPERFNOTES-DEV_PACKAGE_DEPENDS
	"libperfnotes0 (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_LIBPERFNOTES-DEV_DESCRIPTION "${PROJECT_DESCRIPTION} - development files${what} This package has headers and what pkg-config and CMake look for, and what\n programs that are measured by git-perf may be compiled with.")

# What Debian wants beside the files, which is put in before they are packed.
string(TIMESTAMP PERF_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(debian/changelog.in debian/changelog @ONLY)
configure_file(debian/fill.cmake.in debian/fill.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_BINARY_DIR}/debian/fill.cmake)

# Neither history nor what was built.
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME git-perf-${PROJECT_VERSION})
string(REGEX REPLACE "([][.*+?^$()|\\])" "\\\\\\1" here ${CMAKE_SOURCE_DIR})
set(CPACK_SOURCE_IGNORE_FILES "^${here}/\\.git(/|$)" "^${here}/build(-[^/]*)?/"
	"\\.o$")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
