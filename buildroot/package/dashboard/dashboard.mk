################################################################################
#
# dashboard
#
################################################################################

# The source is the checkout that contains this tree. Run "make vendor" there
# first. It copies the modules into vendor/, so that the build needs no network.
DASHBOARD_VERSION = local
DASHBOARD_SITE = $(BR2_EXTERNAL_DASHBOARD_PATH)/..
DASHBOARD_SITE_METHOD = local
DASHBOARD_GOMOD = dashboard
DASHBOARD_BUILD_TARGETS = cmd/dashboard
DASHBOARD_GO_ENV = CGO_ENABLED=0

# The version that "dashboard --version" prints. The other packages use it too.
DASHBOARD_PROGRAM_VERSION = $(or $(shell git -C $(DASHBOARD_SITE) describe --tags --always --dirty 2>/dev/null),unknown)
DASHBOARD_LDFLAGS = -s -w -X main.version=$(DASHBOARD_PROGRAM_VERSION)

define DASHBOARD_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 0755 $(@D)/bin/dashboard $(TARGET_DIR)/usr/bin/dashboard
	mkdir -p $(TARGET_DIR)/etc/dashboard
	cp -r $(@D)/cmd/dashboard/demo/. $(TARGET_DIR)/etc/dashboard/
endef

define DASHBOARD_INSTALL_INIT_SYSTEMD
	for unit in dashboard.service dashboard-reload.service dashboard-reload.timer; do \
		$(INSTALL) -D -m 0644 $(@D)/systemd/$$unit \
			$(TARGET_DIR)/usr/lib/systemd/system/$$unit || exit 1; \
	done
endef

$(eval $(golang-package))
