package config

// HomeAssistant contains the address of a Home Assistant and its access token.
type HomeAssistant struct {
	// Address of Home Assistant, such as http://homeassistant.local:8123.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // the address came from a secret
	// Long-lived access token, from Security in your Home Assistant profile. Use a secret.
	Token string `yaml:"token" required:"true"`
}

// MQTT sets a broker, and this wall as a device there.
type MQTT struct {
	// Address of the broker, such as mqtt://broker.lan, or mqtts://broker.lan with TLS.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // the address came from a secret
	// User of the broker.
	Username string `yaml:"username"`
	// Password. Use a secret.
	Password string `yaml:"password"`
	// PEM file of additional certificate authorities.
	CAFile string `yaml:"ca_file"`
	// Identifier of this wall on the broker: letters, digits, - and _. Default: derived from the machine's id.
	ID string `yaml:"id"`
	// Name of the wall in Home Assistant. Default: the machine's name.
	Name string `yaml:"name"`
	// Whether the wall registers automatically in Home Assistant.
	Discovery bool `yaml:"discovery" default:"true"`
}
