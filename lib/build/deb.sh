# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Packages of this and of other architectures of Debian, from the sources that apt
# is configured with here, without a change to what apt knows.

# Runs apt-get or apt-cache for that architecture; "" is this one.
deb_apt() # ARCH get|cache WORD...
{
	deb_arch=$1 deb_tool=apt-$2
	shift 2
	if [ "${deb_arch:-$(dpkg --print-architecture)}" = "$(dpkg --print-architecture)" ]; then
		"$deb_tool" -qq -o APT::Sandbox::User=root "$@"
		return
	fi
	deb_dir=${XDG_CACHE_HOME:-$HOME/.cache}/selftests/apt-$deb_arch
	mkdir -p "$deb_dir/lists/partial" "$deb_dir/cache/archives/partial" ||
		return 1
	deb_options="-qq -o APT::Sandbox::User=root
		-o APT::Architecture=$deb_arch -o APT::Architectures=$deb_arch
		-o Dir::State::lists=$deb_dir/lists -o Dir::Cache=$deb_dir/cache"
	# shellcheck disable=SC2086 # words
	[ -n "$(find "$deb_dir/lists" -name '*Packages*' -mmin -720)" ] ||
		apt-get $deb_options update >/dev/null 2>&1
	# shellcheck disable=SC2086 # words
	"$deb_tool" $deb_options "$@"
}
