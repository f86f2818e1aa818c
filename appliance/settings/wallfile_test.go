package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"dashboard/appliance/about"
)

// The wall shows the wrong word in its line, between the lines around it. Dots replace everything that may be secret.
func TestWallRows(t *testing.T) {
	const file = "server:\n  auth:\n\tcontrol_token: abc\n\nmqtt: {url: mqtt://me:pw@host, name: x}\ntheme: paper\noutpust: []\n"
	want := []about.Row{{Number: 6, Before: "theme: paper"}, {Number: 7, Word: "outpust", After: ": []", Wrong: true}}
	if got := WallRows([]byte(file), 7, 1); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for line, want := range map[string]string{
		"  token: abc # note":             "  token: " + dots,
		"a: {token: !secret x, pass: pw}": "a: {token: !secret x, pass: " + dots,
		"url: http://u:p@h/":              "url: http://" + dots,
		"url: http://h/?appid=1":          "url: http://h/?appid=" + dots,
		"config_token: !secret x":         "config_token: !secret x",
		`"API-Key" : 'x'`:                 `"API-Key" : ` + dots,
		"\thost: 0.0.0.0\x00":             " host: 0.0.0.0",
		"auth: {bearer: abc}":             "auth: " + dots,
		"  bearer: abc":                   "  bearer: " + dots,
		"session_cookie: abc":             "session_cookie: " + dots,
		"credentials: abc":                "credentials: " + dots,
		"token: !!str abc":                "token: " + dots,
		"token: !secrets abc":             "token: " + dots,
		"  tkoen: abc":                    "  tkoen: " + dots,
		"mqtt: {user: me, pasword: abc}":  "mqtt: {user: me, pasword: " + dots,
		"hass_tkoen: abc":                 "hass_tkoen: " + dots,
		"- 'paßword': abc":                "- 'paßword': " + dots,
		"control-tikcen: abc":             "control-tikcen: " + dots,
		"topic: abc":                      "topic: abc",
	} {
		if got := WallRows([]byte(line), 1, 0); len(got) != 1 || got[0].Text() != want {
			t.Errorf("%q: got %+v, want %q", line, got, want)
		}
	}
	for file, hidden := range map[string]bool{
		"token: |\n  abc":                        true,
		"psaword: |\n  abc: 1\n  def: 2":         true,
		"tkoen:\nabc":                            true,
		"token: |\n  abc\n\n  def":               true,
		"token: |\n  abc: 1\n  def: 2":           true,
		"token: >- # folded\n  abc\n  def":       true,
		"token:\nabc\ndef":                       true,
		"token:\n  user:pw":                      true,
		"keys:\n- abc\n- user: x\n- def":         true,
		"auth:\n  - a\n  - user: x\n  - def":     true,
		"a: {token: [\nabc,\ndef":                true,
		"auth:\n  user: x":                       false,
		"token: abc\nname:\n  def":               false,
		"token: |\n  abc\nname: x\nlist:\n- def": false,
	} {
		last := strings.Count(file, "\n") + 1
		if got := WallRows([]byte(file), last, 0); (got[len(got)-1].Text() == dots) != hidden {
			t.Errorf("%q: got %+v, want dots: %v", file, got, hidden)
		}
	}
	if got := WallRows([]byte("a: "+strings.Repeat("x", maxLine)), 1, 1); got != nil {
		t.Errorf("a long line: got %+v", got)
	}
	if got := WallRows(nil, 2, 1); got != nil {
		t.Errorf("a line that does not exist: got %+v", got)
	}
}

// A correction replaces one line and keeps the others with their line ends. Dots keep a secret only behind a key that may be secret, so
// that no other key sends it elsewhere.
func TestFixWall(t *testing.T) {
	for name, tt := range map[string]struct {
		file, was, text, want string
		err                   error
	}{
		"a word":              {"a: 1\r\noutpust: []\r\n", "outpust: []", "outputs: []", "a: 1\r\noutputs: []\r\n", nil},
		"an indentation":      {"a:\n\tb: 1", " b: 1", "  b: 1", "a:\n  b: 1", nil},
		"left out":            {"a: 1\n  x: 2", "  x: 2", " ", "a: 1\n#  x: 2", nil},
		"a kept secret":       {"\ntokne: abc", "tokne: " + dots, "token: " + dots, "\ntoken: abc", nil},
		"the same address":    {"\nurl: http://u:p@h", "url: http://" + dots, "url: http://" + dots, "\nurl: http://u:p@h", nil},
		"a new secret":        {"\ntoken: abc", "token: " + dots, "token: def", "\ntoken: def", nil},
		"another line":        {"\nb: 2", "b: 1", "c: 1", "", errChanged},
		"a secret elsewhere":  {"\ntoken: abc", "token: " + dots, "url: http://" + dots, "", errDots},
		"a secret in a value": {"\ntoken: abc", "token: " + dots, "catalogue: http://evil.example/token:" + dots, "", errDots},
		"a secret in a name":  {"\ntoken: abc", "token: " + dots, "name: token:" + dots, "", errDots},
		"a second key":        {"\ntoken: abc", "token: " + dots, "url: x, token: " + dots, "", errDots},
		"a secret in a flow": {
			"\na: {x: 1, token: abc}", "a: {x: 1, token: " + dots, "a: {x: 1, token: " + dots,
			"\na: {x: 1, token: abc}", nil,
		},
		"a key in a flow": {
			"\na: {prot: 1, token: abc}", "a: {prot: 1, token: " + dots, "a: {port: 1, token: " + dots,
			"\na: {port: 1, token: abc}", nil,
		},
		"another host": {
			"\na: {host: h, password: abc}", "a: {host: h, password: " + dots, "a: {host: evil, password: " + dots,
			"", errDots,
		},
		"a misspelled key":     {"\ntkoen: abc", "tkoen: " + dots, "token: " + dots, "\ntoken: abc", nil},
		"a quoted key":         {"\n  - \"tokne\" : abc", "  - \"tokne\" : " + dots, "  - \"token\": " + dots, "\n  - \"token\": abc", nil},
		"an address elsewhere": {"\nurl: http://u:p@h", "url: http://" + dots, "feed: http://" + dots, "", errDots},
		"dots without secret":  {"\nb: 1", "b: 1", "token: " + dots, "", errDots},
		"two lines":            {"\nb: 1", "b: 1", "b: 1\nc: 2", "", errTwoLines},
	} {
		got, err := FixWall([]byte(tt.file), 2, tt.was, tt.text)
		if string(got) != tt.want || err != tt.err {
			t.Errorf("%s: got %q, %v, want %q, %v", name, got, err, tt.want, tt.err)
		}
	}
	if _, err := FixWall([]byte("a"), 3, "", "b"); err != errChanged {
		t.Errorf("a line that does not exist: got %v", err)
	}
}

// The wrong line is shown as a whole, because its correction begins with this text. The lines around it may be cut.
func TestLongRow(t *testing.T) {
	servers := "192.168.178.1 192.168.178.2 192.168.178.3 192.168.178.x"
	file := []byte("dns = " + servers + "\n")
	rows := Wrong(file, "dns").Rows(file)
	if len(rows) != 1 || rows[0].Text() != "dns = "+servers {
		t.Fatalf("got %+v", rows)
	}
	if got, err := Fix(file, 1, rows[0].Text(), strings.TrimSuffix(rows[0].Text(), " 192.168.178.x")); err != nil || string(got) != "dns = 192.168.178.1 192.168.178.2 192.168.178.3\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// The value of a correctly written key is hidden only because of a part of the key's name, not because the key resembles a secret key.
func TestKnownKeysAreShown(t *testing.T) {
	names := 0
	for _, file := range []string{"conf.json", "client.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "schema", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"([a-z][a-z0-9_]+)": \{`).FindAllStringSubmatch(string(text), -1) {
			names++
			if line := m[1] + ": x"; secretsIn(line) != nil && !secretPart.MatchString(line) {
				t.Errorf("the value of %s is hidden", m[1])
			}
		}
	}
	if names < 100 {
		t.Errorf("got %d keys", names)
	}
}
