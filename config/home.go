package config

// HomeAssistant is where a Home Assistant is, and who asks it.
type HomeAssistant struct {
	URL       string `yaml:"url" required:"true" doc:"Its address, such as http://homeassistant.local:8123."`
	URLSecret bool   `secret:"url"` // the address came from a secret
	Token     string `yaml:"token" required:"true" doc:"A long-lived access token: your profile there, at the bottom. Better a secret."`
}
