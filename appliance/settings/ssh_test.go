package settings_test

import (
	"strings"
	"testing"

	"dashboard/appliance/settings"
)

// goodKey has the form of RFC 8709: the name of the type, then 32 bytes.
const goodKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"

// Only a public key is accepted, because an option in authorized_keys could run any command.
func TestSSHKeys(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"with a comment", goodKey + " me@laptop", goodKey + "\n"},
		{"bare", goodKey, goodKey + "\n"},
		{"an option before it", `command="sh" ` + goodKey, ""},
		{"another type than it says", strings.Replace(goodKey, "ed25519", "rsa", 1), ""},
		{"cut short", goodKey[:24], ""},
		{"no base64", "ssh-ed25519 ####", ""},
		{"a private key", "-----BEGIN OPENSSH PRIVATE KEY-----", ""},
		{"a password", "secret", ""},
	} {
		s, problems := settings.Parse([]byte("ssh_key = " + tt.value + "\n"))
		if got := string(s.AuthorizedKeys()); got != tt.want || (len(problems) == 0) != (tt.want != "") {
			t.Errorf("%s: got %q, %q, want %q", tt.name, got, problems, tt.want)
		}
	}
	many, _ := settings.Parse([]byte(strings.Repeat("ssh_key = "+goodKey+"\n", 20)))
	if len(many.SSHKeys) != 8 {
		t.Errorf("got %d keys, want the bound", len(many.SSHKeys))
	}
	if none := settings.Default(); none.AuthorizedKeys() != nil {
		t.Error("an untouched card lets somebody in")
	}
}
