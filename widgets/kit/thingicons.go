package kit

// DomainIcons are Home Assistant's icons of each domain: either one icon, or the icons for "off" and for "on".
var DomainIcons = [][2]string{
	{"alarm_control_panel", "mdi:shield"}, {"automation", "mdi:robot"}, {"binary_sensor", "mdi:radiobox-blank|mdi:checkbox-marked-circle"},
	{"button", "mdi:gesture-tap-button"}, {"calendar", "mdi:calendar"}, {"camera", "mdi:video"}, {"climate", "mdi:thermostat"},
	{"cover", "mdi:window-closed|mdi:window-open"}, {"device_tracker", "mdi:account-arrow-right|mdi:account"}, {"event", "mdi:eye-check"},
	{"fan", "mdi:fan-off|mdi:fan"}, {"humidifier", "mdi:air-humidifier"}, {"image", "mdi:image"}, {"input_boolean", "mdi:toggle-switch-off-outline|mdi:toggle-switch-outline"},
	{"input_datetime", "mdi:calendar-clock"}, {"input_number", "mdi:ray-vertex"}, {"input_select", "mdi:format-list-bulleted"},
	{"input_text", "mdi:form-textbox"}, {"light", "mdi:lightbulb-outline|mdi:lightbulb"}, {"lock", "mdi:lock|mdi:lock-open-variant"},
	{"media_player", "mdi:cast|mdi:cast-connected"}, {"number", "mdi:ray-vertex"}, {"person", "mdi:account-arrow-right|mdi:account"},
	{"plant", "mdi:flower"}, {"scene", "mdi:palette"}, {"script", "mdi:script-text"}, {"select", "mdi:format-list-bulleted"},
	{"sensor", "mdi:eye"}, {"sun", "mdi:white-balance-sunny"}, {"switch", "mdi:toggle-switch-off-outline|mdi:toggle-switch-outline"},
	{"timer", "mdi:timer-outline"}, {"todo", "mdi:clipboard-list"}, {"update", "mdi:package|mdi:package-up"}, {"vacuum", "mdi:robot-vacuum"},
	{"valve", "mdi:pipe-valve"}, {"water_heater", "mdi:water-boiler"}, {"weather", "mdi:weather-partly-cloudy"}, {"zone", "mdi:map-marker-radius"},
}

// ClassIcons are Home Assistant's icons of the device classes in each domain.
var ClassIcons = map[string][][2]string{
	"binary_sensor": {
		{"battery", "mdi:battery|mdi:battery-outline"}, {"connectivity", "mdi:close-network-outline|mdi:check-network-outline"},
		{"door", "mdi:door-closed|mdi:door-open"}, {"garage_door", "mdi:garage|mdi:garage-open"}, {"gas", "mdi:check-circle|mdi:alert-circle"},
		{"light", "mdi:brightness-5|mdi:brightness-7"}, {"lock", "mdi:lock|mdi:lock-open"}, {"moisture", "mdi:water-off|mdi:water"},
		{"motion", "mdi:motion-sensor-off|mdi:motion-sensor"}, {"occupancy", "mdi:home-outline|mdi:home"}, {"opening", "mdi:square|mdi:square-outline"},
		{"plug", "mdi:power-plug-off|mdi:power-plug"}, {"power", "mdi:power-plug-off|mdi:power-plug"}, {"presence", "mdi:home-outline|mdi:home"},
		{"problem", "mdi:check-circle|mdi:alert-circle"}, {"smoke", "mdi:smoke-detector-variant|mdi:smoke-detector-variant-alert"},
		{"sound", "mdi:music-note-off|mdi:music-note"}, {"tamper", "mdi:check-circle|mdi:alert-circle"}, {"vibration", "mdi:crop-portrait|mdi:vibrate"},
		{"window", "mdi:window-closed|mdi:window-open"},
	},
	"cover": {
		{"awning", "mdi:window-closed|mdi:window-open"}, {"blind", "mdi:blinds-horizontal-closed|mdi:blinds-horizontal"},
		{"curtain", "mdi:curtains-closed|mdi:curtains"}, {"door", "mdi:door-closed|mdi:door-open"}, {"garage", "mdi:garage|mdi:garage-open"},
		{"gate", "mdi:gate|mdi:gate-open"}, {"shade", "mdi:roller-shade-closed|mdi:roller-shade"}, {"shutter", "mdi:window-shutter|mdi:window-shutter-open"},
		{"window", "mdi:window-closed|mdi:window-open"},
	},
	"media_player": {{"tv", "mdi:television-off|mdi:television"}, {"speaker", "mdi:speaker"}, {"receiver", "mdi:audio-video"}},
	"sensor": {
		{"apparent_power", "mdi:flash"}, {"aqi", "mdi:air-filter"}, {"atmospheric_pressure", "mdi:thermometer-lines"}, {"battery", "mdi:battery"},
		{"carbon_dioxide", "mdi:molecule-co2"}, {"carbon_monoxide", "mdi:molecule-co"}, {"current", "mdi:current-ac"}, {"date", "mdi:calendar"},
		{"distance", "mdi:arrow-left-right"}, {"duration", "mdi:progress-clock"}, {"energy", "mdi:lightning-bolt"}, {"frequency", "mdi:sine-wave"},
		{"gas", "mdi:meter-gas"}, {"humidity", "mdi:water-percent"}, {"illuminance", "mdi:brightness-5"}, {"moisture", "mdi:water-percent"},
		{"monetary", "mdi:cash"}, {"pm25", "mdi:molecule"}, {"power", "mdi:flash"}, {"power_factor", "mdi:angle-acute"},
		{"precipitation", "mdi:weather-rainy"}, {"precipitation_intensity", "mdi:weather-pouring"}, {"pressure", "mdi:gauge"},
		{"signal_strength", "mdi:wifi"}, {"sound_pressure", "mdi:ear-hearing"}, {"speed", "mdi:speedometer"}, {"temperature", "mdi:thermometer"},
		{"timestamp", "mdi:clock"}, {"voltage", "mdi:sine-wave"}, {"volume", "mdi:car-coolant-level"}, {"water", "mdi:water"},
		{"weight", "mdi:weight"}, {"wind_speed", "mdi:weather-windy"},
	},
	"switch": {{"outlet", "mdi:power-plug-off|mdi:power-plug"}},
}
