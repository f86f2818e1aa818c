################################################################################
#
# dashboard-appliance
#
################################################################################

DASHBOARD_APPLIANCE_VERSION = local
DASHBOARD_APPLIANCE_SITE = $(BR2_EXTERNAL_DASHBOARD_PATH)/..
DASHBOARD_APPLIANCE_SITE_METHOD = local
DASHBOARD_APPLIANCE_DEPENDENCIES = systemd
DASHBOARD_APPLIANCE_GOMOD = dashboard
DASHBOARD_APPLIANCE_BUILD_TARGETS = cmd/appliance
DASHBOARD_APPLIANCE_GO_ENV = CGO_ENABLED=0
# The time when the image is made. The appliance never sets its clock to an
# earlier time.
DASHBOARD_APPLIANCE_LDFLAGS = -s -w -X dashboard/appliance.built=$(or $(SOURCE_DATE_EPOCH),$(shell date +%s))

define DASHBOARD_APPLIANCE_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 0755 $(@D)/bin/appliance $(TARGET_DIR)/usr/lib/dashboard/appliance
	mkdir -p $(TARGET_DIR)/boot
endef

# The settings of systemd are the same as in the Debian image. The accounts are
# Buildroot's own accounts.
define DASHBOARD_APPLIANCE_INSTALL_INIT_SYSTEMD
	mkdir -p $(TARGET_DIR)/etc/systemd
	cp -r $(@D)/image/root/etc/systemd/. $(TARGET_DIR)/etc/systemd/
	mkdir -p $(TARGET_DIR)/etc/systemd/system/multi-user.target.wants
	ln -sf ../appliance-keep.service \
		$(TARGET_DIR)/etc/systemd/system/multi-user.target.wants/appliance-keep.service
	for unit in getty@.service serial-getty@.service systemd-logind.service; do \
		ln -sf /dev/null $(TARGET_DIR)/etc/systemd/system/$$unit || exit 1; \
	done
endef

$(eval $(golang-package))
