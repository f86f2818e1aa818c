package viewer

import (
	"net/url"
	"strings"

	"dashboard/appliance/about"
	"dashboard/client"
)

// selfNotice returns a text for the screen if the service in client.yaml is the appliance on which
// this client runs. Such an appliance runs no service. In all other cases it returns nil.
func selfNotice(service string, f about.Facts) *client.Notice {
	u, err := url.Parse(service)
	if err != nil || f.Role != "client" {
		return nil
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	switch host {
	case f.Name, f.Name + ".local", "localhost", "127.0.0.1", "::1":
		return &client.Notice{
			Title:  "This board is " + host + " itself",
			Detail: "server.url in client.yaml names the board that draws; without it one is looked for",
		}
	}
	return nil
}
