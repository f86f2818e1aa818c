#!/bin/sh
# Changes the root file system before it is packed. The first argument is
# TARGET_DIR.
set -eu

# The appliance mounts the first partition with the group ID 44, so the group
# video must have this ID.
sed -i 's/^video:x:[0-9]*:/video:x:44:/' "$1/etc/group"

# Do not enable the units of the roles, because settings.txt determines at the
# start which unit runs.
rm -f "$1/etc/systemd/system/multi-user.target.wants/dashboard.service" \
	"$1/etc/systemd/system/multi-user.target.wants/dashboard-client.service"
