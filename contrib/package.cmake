# A package for Debian: cpack -G DEB in the build folder.
set(CPACK_PACKAGE_NAME git-perf)
set(CPACK_PACKAGE_CONTACT "the git-perf authors <git-perf@localhost>")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "${PROJECT_DESCRIPTION}
 Profiles of many profilers are stored as git objects, listed in git notes,
 and travel with push and fetch.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION vcs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS git)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS man-db)
set(CPACK_GENERATOR DEB)
include(CPack)
