//go:build linux

package radio

import (
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/appliance/setup/flow"
)

// realSupplicant starts wpa_supplicant on the loopback interface, without a driver for a radio. It returns a connection and the file into
// which SAVE_CONFIG writes the networks.
func realSupplicant(t *testing.T) (c *control, file string) {
	program, err := exec.LookPath("wpa_supplicant")
	if err != nil && os.Getenv("DASHBOARD_CI") == "" {
		t.Skip("needs wpa_supplicant:", err)
	}
	folder, err := os.MkdirTemp("", "wpa") // this path is short, because the path of a socket may have at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	file = filepath.Join(folder, "conf")
	if err := os.WriteFile(file, []byte("ctrl_interface=DIR="+folder+"\nupdate_config=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-Dnone", "-ilo", "-c"+file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is killed
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-ended
	})
	late := time.After(time.Minute)
	for {
		if c, err = dial(folder+"/lo", folder, "orders"); err == nil {
			t.Cleanup(c.close)
			return c, file
		}
		select {
		case <-ended:
			if os.Getenv("DASHBOARD_CI") != "" && os.Geteuid() == 0 {
				t.Fatal("wpa_supplicant has ended")
			}
			t.Skip("wpa_supplicant cannot run here; it needs root")
		case <-late:
			t.Fatal("wpa_supplicant does not answer")
		case <-time.After(10 * time.Millisecond): // a pause between two attempts
		}
	}
}

// wpa_supplicant accepts the settings of every network that the page accepts, and reads the same name and password from them. The access
// point's settings are accepted too.
func TestRealSupplicant(t *testing.T) {
	c, file := realSupplicant(t)
	key := strings.Repeat("aF09", 16)
	for name, n := range map[string]flow.Network{
		"plain":                    {Name: "home", Password: "longenough"},
		"quotation marks":          {Name: `"home"`, Password: `"quoted"`},
		"backslashes":              {Name: `a\b`, Password: `back\slash\`},
		"spaces":                   {Name: " home ", Password: "  two  blanks  "},
		"a number sign":            {Name: "#1", Password: "#comment={}"},
		"a name like hexadecimals": {Name: "deadbeef", Password: "deadbeef"},
		"a name like a prefix":     {Name: `P"home"`, Password: `P"longenough"`},
		"emoji of 32 bytes":        {Name: strings.Repeat("🏠", 8), Password: "🔑🔑"},
		"63 characters":            {Name: "home", Password: strings.Repeat(`x"`, 31) + "x"},
		"63 hexadecimal digits":    {Name: "home", Password: key[:63]},
		"a key":                    {Name: "home", Password: key},
		"open":                     {Name: "Café, open"},
		"enhanced open":            {Name: "cafe", Enhanced: true},
	} {
		if p := n.Problem(n.Password == ""); p != "" {
			t.Errorf("%s: the page refuses it: %s", name, p)
		}
		id, err := add(c, networkSettings(n))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		lines := savedLines(t, c, file)
		wants := []string{"key_mgmt=NONE"}
		switch {
		case n.Enhanced:
			wants = []string{"key_mgmt=OWE", "ieee80211w=2"}
		case n.Key():
			wants = []string{"psk=" + strings.ToLower(key), "key_mgmt=WPA-PSK"}
		case n.Password != "":
			wants = []string{`psk="` + n.Password + `"`, "key_mgmt=WPA-PSK SAE", "ieee80211w=1"}
			if !slices.Contains(lines, `sae_password="`+n.Password+`"`) && !slices.Contains(lines, "sae_password="+hex.EncodeToString([]byte(n.Password))) {
				t.Errorf("%s: got no password for WPA3 in %q", name, lines)
			}
		}
		if !slices.Contains(lines, `ssid="`+n.Name+`"`) && !slices.Contains(lines, "ssid="+hex.EncodeToString([]byte(n.Name))) {
			t.Errorf("%s: got no name in %q", name, lines)
		}
		for _, want := range wants {
			if !slices.Contains(lines, want) {
				t.Errorf("%s: got no %s in %q", name, want, lines)
			}
		}
		if err := c.order("REMOVE_NETWORK " + id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := add(c, pointSettings("wall-7k3f", "maple-otter-42")); err != nil {
		t.Error(err)
	}
}

// savedLines returns the lines of the file that wpa_supplicant writes for its networks.
func savedLines(t *testing.T, c *control, file string) (lines []string) {
	if err := c.order("SAVE_CONFIG"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		lines = append(lines, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return lines
}
