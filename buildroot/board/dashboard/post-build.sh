#!/bin/sh
# The root file system before it is packed: TARGET_DIR is the first argument.
set -eu

# Files of the first partition belong to the group video, which the appliance
# mounts as 44.
sed -i 's/^video:x:[0-9]*:/video:x:44:/' "$1/etc/group"

# Units of the roles are chosen at the start, by settings.txt.
rm -f "$1/etc/systemd/system/multi-user.target.wants/dashboard.service" \
	"$1/etc/systemd/system/multi-user.target.wants/dashboard-client.service"
