package config

// HomeAssistant is where a Home Assistant is, and who asks it.
type HomeAssistant struct {
	// Its address, such as http://homeassistant.local:8123.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // the address came from a secret
	// A long-lived access token: your profile there, at the bottom. Better a secret.
	Token string `yaml:"token" required:"true"`
}

// MQTT is a broker, and this wall as a device there.
type MQTT struct {
	// Address of the broker, such as mqtt://broker.lan, or mqtts://broker.lan with TLS.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // the address came from a secret
	// Who connects.
	Username string `yaml:"username"`
	// The password; better a secret.
	Password string `yaml:"password"`
	// File of certificates (PEM) that the broker's may be signed by, beside those of the system.
	CAFile string `yaml:"ca_file"`
	// What tells this wall from others on the broker: letters, digits, - and _; made from the machine's id without it.
	ID string `yaml:"id"`
	// What the wall is called in Home Assistant; the machine's name without it.
	Name string `yaml:"name"`
	// Whether the wall appears in Home Assistant by itself.
	Discovery bool `yaml:"discovery" default:"true"`
}
