package settings

import (
	"slices"
	"strings"
)

// Devices returns the kinds of devices that a role can use in addition to the screen. The drop-ins in systemd/rights have the same
// names.
func Devices(role string) []string {
	if role == Client {
		return []string{"backlight", "cec", "ddc", "touch"}
	}
	return []string{"backlight", "cec", "ddc", "gpio", "panel", "touch"}
}

// setUse sets the kinds of devices that the wall may use.
func (s *Settings) setUse(v string) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(v, ",", " ")))
	switch {
	case slices.Equal(words, []string{"all"}):
		s.Use = nil
		return true
	case slices.Equal(words, []string{"none"}):
		s.Use = []string{}
		return true
	case slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(Devices(Dashboard), w) }):
		return false
	}
	s.Use = words
	return true
}

// Rights returns the kinds of devices that the unit of the role may use.
func (s Settings) Rights() []string {
	return slices.DeleteFunc(Devices(s.Role), func(d string) bool { return s.Use != nil && !slices.Contains(s.Use, d) })
}

// SensorRule returns the udev rule that assigns the light sensor to the kernel's driver, or nil. The device tree does not contain the
// sensor, so the kernel needs this rule. The sensor is connected to the I2C bus on the pins 3 and 5 of a Raspberry Pi.
func (s Settings) SensorRule() []byte {
	if s.LightSensor == "" {
		return nil
	}
	return []byte(`ACTION=="add", SUBSYSTEM=="i2c", KERNEL=="i2c-1", ATTR{new_device}="` + s.LightSensor + "\"\n")
}
