################################################################################
#
# dashboard-client
#
################################################################################

DASHBOARD_CLIENT_VERSION = local
DASHBOARD_CLIENT_SITE = $(BR2_EXTERNAL_DASHBOARD_PATH)/..
DASHBOARD_CLIENT_SITE_METHOD = local
DASHBOARD_CLIENT_GOMOD = dashboard
DASHBOARD_CLIENT_BUILD_TARGETS = cmd/dashboard-client
DASHBOARD_CLIENT_GO_ENV = CGO_ENABLED=0
DASHBOARD_CLIENT_LDFLAGS = -s -w -X main.version=$(DASHBOARD_PROGRAM_VERSION)

define DASHBOARD_CLIENT_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 0755 $(@D)/bin/dashboard-client $(TARGET_DIR)/usr/bin/dashboard-client
endef

define DASHBOARD_CLIENT_INSTALL_INIT_SYSTEMD
	$(INSTALL) -D -m 0644 $(@D)/systemd/dashboard-client.service \
		$(TARGET_DIR)/usr/lib/systemd/system/dashboard-client.service
endef

$(eval $(golang-package))
