// Package note makes the content of the note on an appliance. The note shows the address, the network and the problems.
package note

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"strings"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/internal/qrcode"
	"dashboard/wall/address"
)

// A Machine is the state of an appliance that the note describes.
type Machine struct {
	Facts      about.Facts
	Wrong      []string
	Tolerated  []string // errors in the files of a wall that was loaded despite these errors
	Interfaces []address.Interface
	Starting   bool // true soon after the start, when drivers may still find missing devices
	TimeSet    bool
	Listen     string // host and port of the server, or ""
	Token      string // control token, or "" if the note must not show it
	Mistake    bool   // true if the banner of the wall shows an error in the files
}

// Of returns the content of the note about an appliance.
func Of(m Machine) startscreen.Content {
	c := startscreen.Content{Name: cmp.Or(m.Facts.Name, "dashboard"), Version: "Dashboard " + m.Facts.Version, Top: m.Mistake}
	c.Lines = append(c.Lines, networkLine(m))
	host, port, err := net.SplitHostPort(m.Listen)
	if addr, ok := Reached(m.Interfaces); err == nil && ok && open(host) {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "web", Text: net.JoinHostPort(c.Name+".local", port)})
		url := "http://" + net.JoinHostPort(addr.String(), port) + "/"
		if m.Token != "" {
			url += "#token=" + m.Token
		}
		c.Code, _ = qrcode.Encode(url) // an address is never too long for a QR code
	}
	if m.TimeSet {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "clock-check-outline", Role: "good", Text: "The time is set"})
	} else {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "clock-alert-outline", Role: "warn", Text: "The time is not set yet: no time server has answered"})
	}
	for _, w := range m.Wrong {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "alert-circle", Role: "bad", Text: w})
	}
	for _, p := range slices.Concat(m.Facts.Problems, m.Tolerated) {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "alert", Role: "warn", Text: p})
	}
	return c
}

// open() reports whether a server that listens at `host` can be reached from other machines.
func open(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "" || err == nil && !addr.IsLoopback()
}

// Reached returns the address at which other machines reach this machine. ok is false if there is none.
func Reached(list []address.Interface) (netip.Addr, bool) {
	if len(list) == 0 || len(list[0].Addrs) == 0 {
		return netip.Addr{}, false
	}
	return list[0].Addrs[0], true
}

// networkLine returns the line of the note about the network.
func networkLine(m Machine) startscreen.Line {
	line := startscreen.Line{Icon: "lan-disconnect", Role: "warn"}
	first := address.Interface{}
	if len(m.Interfaces) > 0 {
		first = m.Interfaces[0]
	}
	switch {
	case len(first.Addrs) > 0:
		line.Icon, line.Role, line.Text = "lan-connect", "good", first.Addrs[0].String()
		if first.Wireless() {
			line.Icon = "wifi"
		}
	case first.Up:
		line.Text = "No address yet: the network gives none"
	case len(m.Facts.Networks) > 0:
		line.Icon, line.Text = "wifi-off", "Not in the network yet: looking for "+strings.Join(m.Facts.Networks, ", ")
	case m.Starting:
		line.Text = "No network yet: looking for a cable and a radio"
	case len(m.Interfaces) == 0:
		line.Text = "No network: no cable and no radio seen yet"
	default:
		line.Text = "No network: no cable seen yet, and settings.txt names no wifi_name"
	}
	return line
}
