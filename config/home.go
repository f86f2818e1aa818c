package config

// HomeAssistant is where a Home Assistant is, and who asks it.
type HomeAssistant struct {
	URL       string `yaml:"url" required:"true" doc:"Its address, such as http://homeassistant.local:8123."`
	URLSecret bool   `secret:"url"` // the address came from a secret
	Token     string `yaml:"token" required:"true" doc:"A long-lived access token: your profile there, at the bottom. Better a secret."`
}

// MQTT is a broker, and this wall as a device there.
type MQTT struct {
	URL       string `yaml:"url" required:"true" doc:"Address of the broker, such as mqtt://broker.lan, or mqtts://broker.lan with TLS."`
	URLSecret bool   `secret:"url"` // the address came from a secret
	Username  string `yaml:"username" doc:"Who connects."`
	Password  string `yaml:"password" doc:"The password; better a secret."`
	CAFile    string `yaml:"ca_file" doc:"File of certificates (PEM) that the broker's may be signed by, beside those of the system."`
	ID        string `yaml:"id" doc:"What tells this wall from others on the broker: letters, digits, - and _; made from the machine's id without it."`
	Name      string `yaml:"name" doc:"What the wall is called in Home Assistant; the machine's name without it."`
	Discovery bool   `yaml:"discovery" default:"true" doc:"Whether the wall appears in Home Assistant by itself."`
}
