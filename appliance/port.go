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
	wallPort = "5000"   // port of a wall whose conf.yaml names none
	maxConf  = 64 << 10 // maximum size of a conf.yaml that is searched, in bytes
)

// Forms of server.port in conf.yaml. The first program has no parser of YAML, whose size would double it. A port in another form is not
// found, and the note on the wall shows it nevertheless.
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

// wallsPort returns the port of the wall in the zip file or the folder of the drive. The zip file has been unpacked before.
func wallsPort(root string) string {
	dir := filepath.Join(root+bootFolder, card.ConfigFolder)
	if _, err := os.Stat(filepath.Join(root+bootFolder, card.ConfigZip)); err == nil {
		dir = root + "/etc/dashboard"
	}
	conf, _ := folder.Read(os.DirFS(dir), "conf.yaml", maxConf) // without the file the wall has the default
	return portOf(conf)
}
