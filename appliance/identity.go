//go:build linux

package appliance

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/settings"
)

// serialFile contains the serial number of a Raspberry Pi.
const serialFile = "/sys/firmware/devicetree/base/serial-number"

// uuidFile contains the UUID of a PC.
const uuidFile = "/sys/class/dmi/id/product_uuid"

// machineID returns the machine's identity, machine-id(5). The identity is derived from the first file that can be read. A board
// therefore has the same identity and network address at every start, although nothing is stored. If no file can be read, the identity is
// random.
func machineID(files ...string) string {
	var seed []byte
	for _, path := range files {
		if data, err := os.ReadFile(path); err == nil {
			seed = data
			break
		}
	}
	if len(seed) == 0 {
		seed = make([]byte, 16)
		_, _ = rand.Read(seed) // rand.Read never fails
	}
	sum := sha256.Sum256(append([]byte("dashboard machine "), seed...))
	return hex.EncodeToString(sum[:16])
}

// problemsFile lists the problems with the settings. The report includes this list.
const problemsFile = "/etc/dashboard-problems"

// units maps each role to its systemd unit.
var units = map[string]string{settings.Dashboard: "dashboard.service", settings.Client: "dashboard-client.service"}

// setupUnit is the unit of the set-up. It guides a person with a phone through the first start, and shows mistakes in settings.txt.
const setupUnit = "appliance-setup.service"

// keysFile contains the public keys for logins by ssh.
const keysFile = "/etc/dropbear/authorized_keys"

// shell sets the login shell of root, because ssh needs a login shell. No other login is possible, because there is no console and no
// password.
func shell(root string) error {
	path := root + "/etc/passwd"
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text = []byte(strings.Replace(string(text), ":/root:/usr/sbin/nologin\n", ":/root:/bin/sh\n", 1))
	return put(path, func(path string) error { return os.WriteFile(path, text, 0o644) })
}

// Files of wpa_supplicant and of systemd that depend on the settings.
const (
	networksFile = "/etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
	addressFile  = "/etc/systemd/network/05-settings.network"
	timeFile     = "/etc/systemd/timesyncd.conf.d/settings.conf"
)

// parts() maps the path of each file that depends on the settings to its content. The content is nil if the settings do not need the
// file. `zones` is tzdata's table of time zones.
func parts(s settings.Settings, zones string) map[string][]byte {
	return map[string][]byte{
		"/etc/systemd/system/" + units[s.Role] + ".d/locale.conf":   localePart(s.Language(zones)),
		"/etc/systemd/system/appliance-setup.service.d/locale.conf": localePart(s.Language(zones)),
		networksFile: s.Radio(),
		addressFile:  s.Static(),
		resolverFile: s.Resolver(),
		timeFile:     s.TimeServers(),
		"/etc/systemd/system/" + units[s.Role] + ".d/settings.conf": s.Environment(),
		"/etc/udev/rules.d/61-light-sensor.rules":                   s.SensorRule(),
		keysFile: s.AuthorizedKeys(),
	}
}

// versionFile contains the version of the image.
const versionFile = "/etc/dashboard-image"

// factsOf returns the facts that the first process passes to the other programs.
func factsOf(root string, s settings.Settings, problems []string) about.Facts {
	f := about.Facts{Name: s.Hostname, Role: s.Role, Port: wallsPort(root), Country: s.WifiCountry, Problems: problems}
	_, zip := os.Stat(root + unpackedMark)
	f.Foreign = zip == nil || s.ConfigURL != ""
	version, _ := os.ReadFile(root + versionFile) // if the file is missing, the version is empty
	f.Version = strings.TrimSpace(string(version))
	for _, n := range s.Wifi {
		if !n.Refused {
			f.Networks = append(f.Networks, n.Name)
		}
	}
	return f
}

// writeSettings writes the settings into a root file system.
func writeSettings(root string, s settings.Settings, problems []string, id string) (f about.Facts, err error) {
	var missing []string // settings whose values do not exist
	zone, ok := zoneFile(filepath.Join(root, zoneFolder), s.Timezone)
	if !ok {
		missing = append(missing, "timezone")
		problems = append(problems, fmt.Sprintf("settings.txt: there is no time zone %q: UTC is used", s.Timezone))
	}
	trusted, err := authorities(root, s.CAFile)
	if err != nil {
		missing = append(missing, "ca_file")
		problems = append(problems, fmt.Sprintf("settings.txt: ca_file: %v", err))
	}
	f = factsOf(root, s, problems)
	f.Mistake, f.Used = mistakeIn(root+bootFolder, missing)
	files := map[string]string{
		"/etc/hostname":   s.Hostname + "\n",
		"/etc/hosts":      "127.0.0.1 localhost\n::1 localhost\n127.0.1.1 " + s.Hostname + "\n",
		"/etc/machine-id": id + "\n",
		problemsFile:      strings.Join(problems, "\n"),

		"/" + about.FactsFile: string(f.Encode()),
	}
	if trusted != nil {
		files[authoritiesFile] = string(trusted)
	}
	zones, _ := os.ReadFile(filepath.Join(root, zoneFolder, "zone.tab")) // if the table is missing, no zone has a country
	s.Timezone = settings.PresentZone(filepath.Join(root, zoneFolder), zone, string(zones))
	for name, part := range parts(s, string(zones)) {
		if part != nil {
			files[name] = string(part)
		} else if err := os.Remove(root + name); err != nil && !os.IsNotExist(err) { // remove the file if it is left over from earlier settings
			return f, err
		}
	}
	links := unitLinks(root, s)
	links["/etc/localtime"] = filepath.Join(zoneFolder, zone)
	wallFiles(s, files, links)
	updateFiles(root, s, files, links)
	if s.AuthorizedKeys() != nil {
		if err := shell(root); err != nil {
			return f, err
		}
	}
	return f, errors.Join(putAll(root, files, links), leaveRole(root, s.Role))
}

// wantsFolder contains a link for each unit that systemd starts.
const wantsFolder = "/etc/systemd/system/multi-user.target.wants/"

// unitLinks returns links for systemd. Some links start the units that the settings need. Other links allow the wall to use devices. An
// older root file system does not have the drop-ins for devices, and its wall starts without them.
func unitLinks(root string, s settings.Settings) map[string]string {
	links := map[string]string{wantsFolder + units[s.Role]: "/usr/lib/systemd/system/" + units[s.Role]}
	for _, right := range s.Rights() {
		path := card.RightsFolder + "/" + right + ".conf"
		if _, err := os.Stat(root + path); err == nil {
			links["/etc/systemd/system/"+units[s.Role]+".d/"+right+".conf"] = path
		}
	}
	if s.Supplicant() != nil {
		links[wantsFolder+"wpa_supplicant@wlan0.service"] = "/usr/lib/systemd/system/wpa_supplicant@.service"
	}
	if _, err := os.Stat(root + "/etc/systemd/system/" + setupUnit); err == nil {
		links[wantsFolder+setupUnit] = "/etc/systemd/system/" + setupUnit
	}
	if s.AuthorizedKeys() != nil {
		links[wantsFolder+"appliance-ssh.service"] = "/etc/systemd/system/appliance-ssh.service"
	}
	return links
}

// leaveRole removes the files that only the other role has. They may be left over from earlier settings.
func leaveRole(root, role string) (err error) {
	old := []string{wantsFolder + units[settings.Client], wallRoleFile}
	if role == settings.Client {
		old = []string{wantsFolder + units[settings.Dashboard]}
	}
	for _, name := range old {
		if e := os.Remove(root + name); !os.IsNotExist(e) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// zoneFolder contains a file for each time zone.
const zoneFolder = "/usr/share/zoneinfo"

// zoneFile returns the path of a time zone's file in a folder. It ignores the case of the name. If there is no such zone, it returns "UTC"
// and false.
func zoneFile(folder, zone string) (string, bool) {
	found := ""
	for part := range strings.SplitSeq(zone, "/") {
		entries, _ := os.ReadDir(filepath.Join(folder, found)) // if the path leads to a file, the list is empty
		i := slices.IndexFunc(entries, func(e os.DirEntry) bool { return strings.EqualFold(e.Name(), part) })
		if i < 0 {
			return "UTC", false
		}
		found = filepath.Join(found, entries[i].Name())
	}
	const magic = "TZif" // beginning of a time zone's file (RFC 9636, section 3.1). The folder also contains tables, which begin differently
	if f, err := os.Open(filepath.Join(folder, found)); err == nil {
		defer f.Close()
		head := make([]byte, len(magic))
		if _, err := io.ReadFull(f, head); err == nil && string(head) == magic {
			return found, true
		}
	}
	return "UTC", false
}

// localePart returns the drop-in that sets the wall's language, or nil.
func localePart(lang string) []byte {
	if lang == "" {
		return nil
	}
	return []byte("[Service]\nEnvironment=LANG=" + lang + "\n")
}

// putAll writes files and links into a root file system.
func putAll(root string, files, links map[string]string) error {
	for name, text := range files {
		if err := put(root+name, func(path string) error { return os.WriteFile(path, []byte(text), modeOf(name)) }); err != nil {
			return err
		}
	}
	for name, target := range links {
		if err := put(root+name, func(path string) error { return os.Symlink(target, path) }); err != nil {
			return err
		}
	}
	return nil
}

// maxAuthorities is the maximum size of an owner's certificates in bytes. Debian's file with all authorities has 220 kB.
const maxAuthorities = 1 << 20

// authoritiesFile contains the certificate authorities that programs trust.
const authoritiesFile = "/etc/ssl/certs/ca-certificates.crt"

// authorities() returns Debian's authorities together with the certificates of a file on the first partition. If `file` is "", it returns
// nil.
func authorities(root, file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	own, err := driveFile(root+bootFolder, file, maxAuthorities)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(own)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, fmt.Errorf("%s has no certificate: a certificate begins with -----BEGIN CERTIFICATE-----", file)
	}
	known, err := os.ReadFile(root + authoritiesFile)
	return slices.Concat(known, []byte("\n"), own), err
}

// modeOf returns the mode for a file of this name. The mode hides passwords and login keys from other users.
func modeOf(name string) os.FileMode {
	if strings.HasPrefix(name, "/etc/wpa_supplicant/") || name == keysFile || name == wallAddressFile || name == updateAddressFile {
		return 0o600
	}
	return 0o644
}

// put creates a file or replaces an existing file.
func put(path string, write func(string) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return write(path)
}
