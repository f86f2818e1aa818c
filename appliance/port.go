//go:build linux

package appliance

import (
	"os"
	"path/filepath"
	"regexp"

	"dashboard/appliance/card"
	"dashboard/internal/folder"
)

const (
	wallPort = "5000"   // default port of the wall
	maxConf  = 64 << 10 // maximum size of a conf.yaml that is searched, in bytes
)

// Forms of server.port in conf.yaml. A YAML parser would double the size of this program, so the program searches only for these forms.
// If server.port has another form, the start screen shows the default, and the wall's note shows the right port later.
var (
	flowPort  = regexp.MustCompile(`(?m)^server:[ \t]*\{[^}\n]*\bport:[ \t]*([0-9]{1,5})\b`)
	blockPort = regexp.MustCompile(`(?m)^server:[ \t]*(?:#.*)?\r?\n(?:(?:[ \t]+.*|[ \t]*#.*|)\r?\n)*?[ \t]+port:[ \t]*([0-9]{1,5})\b`)
)

// portOf returns the port in a conf.yaml, or the default.
func portOf(conf []byte) string {
	for _, form := range []*regexp.Regexp{flowPort, blockPort} {
		if m := form.FindSubmatch(conf); m != nil {
			return string(m[1])
		}
	}
	return wallPort
}

// wallsPort returns the port in the wall's conf.yaml. Call unpackWall first, because the wall may come from the zip file.
func wallsPort(root string) string {
	dir := filepath.Join(root+bootFolder, card.ConfigFolder)
	if _, err := os.Stat(root + unpackedMark); err == nil {
		dir = root + "/etc/dashboard"
	}
	conf, _ := folder.Read(os.DirFS(dir), "conf.yaml", maxConf) // without the file the port is the default
	return portOf(conf)
}
