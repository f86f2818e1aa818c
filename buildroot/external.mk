include $(sort $(wildcard $(BR2_EXTERNAL_DASHBOARD_PATH)/package/*/*.mk))
