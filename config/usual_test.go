package config

import (
	"strings"
	"testing"
)

// TestUsualMistakes: the report explains keys from other programs, decimal commas, typographic quotation marks and no-break spaces.
func TestUsualMistakes(t *testing.T) {
	type entry struct {
		Name string `yaml:"name" required:"true"`
		URL  string `yaml:"url"`
	}
	type params struct {
		Path      string     `yaml:"path"`
		Order     string     `yaml:"order"`
		Every     float64    `yaml:"update_interval"`
		User      string     `yaml:"username"`
		Latitude  float64    `yaml:"latitude"`
		Size      Resolution `yaml:"size"`
		Level     string     `yaml:"level" enum:"a,b"`
		Calendars []entry    `yaml:"calendars"`
		Days      int        `yaml:"days"`
		Pause     Interval   `yaml:"pause"`
		Zone      *Zone      `yaml:"timezone"`
		Location  *Location  `yaml:"location"`
	}
	for _, tc := range []struct{ yaml, want string }{
		{"folder: a", "unknown key 'folder'; near: path"},
		{"interval: 30", "unknown key 'interval'; near: update_interval"},
		{"size: 800 x 480", "size: must be screen, or a list of two numbers, [width, height]; near: [800, 480]"},
		{"user: a", "unknown key 'user'; near: username"},
		{"intervall: 30", "unknown key 'intervall'; near: update_interval"},
		{"url: http://h/", "unknown key 'url': it is a key of the entries of calendars: write calendars: [{name: …, url: …}]"},
		{"timezone: Europe/Londn", "unknown time zone 'Europe/Londn'; near: Europe/London"},
		{"timezone: new york", "near: America/New_York"},
		{"timezone: Nowhere", "a right one is Europe/Rome"},
		{"latitude: 51,48", "a number takes a dot; near: 51.48"},
		{"{latitude:51}", "unknown key 'latitude:51': write latitude: 51, with a colon and a space"},
		{"{latitude 51}", "unknown key 'latitude 51': write latitude: 51, with a colon and a space"},
		{"{latitude: 51,48}", "unknown key '48': a number takes a dot: write latitude: 51.48"},
		{"{path: Hello, please}", `w.yaml:1:15: please: unknown key 'please': a comma ends a text in braces: write path: "…, please"`},
		{"{path: Hello, see the file widgets.yaml and look there.}", `w.yaml:1:15: unknown key 'see the file widgets.yaml and look there.': a comma`},
		{"days: 2,5", `days: must be a whole number, not "2,5"` + "\n"},
		{"{days: 2,5}", "unknown key '5': a comma ends a number in braces: days must be a whole number\n"},
		{"pause: 1,5s", `not "1,5s": a number takes a dot; near: 1.5s`},
		{"pause: 1,5,3s", `not "1,5,3s"` + "\n"},
		{"{pause: 1,5s}", "unknown key '5s': a number takes a dot: write pause: 1.5s"},
		{"location: [51, 48]", "not a list; a number takes a dot"},
		{"level: “a”", "the signs “ and ” are a part of the text here"},
		{"path: “a: b”", "the sign “ is no quote for YAML"},
		{"order: b\npath:\u00a0a\n", "a no-break space stands here"},
		{"path: a\n \u00a0order: b", "a no-break space stands here"},
		{"path: “To be or not to be”", ""},
	} {
		var r Report
		Parse("w.yaml", []byte(tc.yaml), &r, nil).Decode(&params{}, &r, nil)
		if got := r.String(); tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.yaml, got, tc.want)
		}
	}
}

// TestAddressOfBroker: for an unknown key `url` in a mapping that accepts the key `broker`, the report suggests `broker`.
func TestAddressOfBroker(t *testing.T) {
	var r Report
	var to struct {
		Broker string `yaml:"broker"`
	}
	Parse("p.yaml", []byte("url: mqtt://h"), &r, nil).Decode(&to, &r, nil)
	if want := "unknown key 'url'; near: broker"; !strings.Contains(r.String(), want) {
		t.Errorf("got %q, want %q", r.String(), want)
	}
}

// TestOtherOutputs: for common words for outputs, the report suggests the right types.
func TestOtherOutputs(t *testing.T) {
	for word, want := range map[string]string{"screen": "window", "HDMI": "window", "web": "stream", "eink": "panel", "strem": "stream"} {
		var r Report
		outputsOf(Parse("c.yaml", []byte("[{type: "+word+"}]"), &r, nil), &r)
		if !strings.Contains(r.String(), "near: "+want) {
			t.Errorf("%s: got %q, want %s", word, r.String(), want)
		}
	}
}

// TestOneNameTwice: if two widgets have the same name, there is a warning at the second widget.
func TestOneNameTwice(t *testing.T) {
	var r Report
	Tree(Parse("w.yaml", []byte("widgets:\n- widget: row\n  children:\n  - {widget: text, name: a}\n  - {widget: text, name: b}\n  - {widget: text, name: a}\n"), &r, nil), &r, nil)
	if got := r.String(); !strings.Contains(got, "w.yaml:6:26: ") || !strings.Contains(got, "warning: the widget in line 4 is also named 'a'") {
		t.Errorf("got %q", got)
	}
}

// TestWarnPlaceholders: a value of a sample that the user must replace causes a warning. The warning contains no secret.
func TestWarnPlaceholders(t *testing.T) {
	var parsed, r Report
	secrets := func(name string) (any, error) {
		return map[string]any{"a": "https://cal.example.org/private.ics", "b": "put-a-token-here", "c": "https://calendar.home/x.ics"}[name], nil
	}
	WarnPlaceholders(Parse("p.yaml", []byte("a: !secret a\nb: [!secret b]\nc: !secret c\nd: http://example.com\ne: http://example.computer/\n"), &parsed, secrets), &r)
	if len(r.Warnings()) != 3 || r.Failed() || strings.Contains(r.String(), "private.ics") || strings.Contains(r.String(), "put-a-token") {
		t.Errorf("got %s", r.String())
	}
}

// TestRefreshOfReaders: an invalid refresh time has one error. A valid time that is too short has the error about batteries.
func TestRefreshOfReaders(t *testing.T) {
	for text, want := range map[string]string{"2d": "must be a duration", "x": "must be a duration", "5": "battery", "0": "battery", "30s": ""} {
		for _, yaml := range []string{"refresh: " + text + ", devices: {hall: {token: abcdefghijklmnop}}", "devices: {hall: {token: abcdefghijklmnop, refresh: " + text + "}}"} {
			var r Report
			outputsOf(Parse("c.yaml", []byte("[{type: trmnl, "+yaml+"}]"), &r, nil), &r)
			if got := r.Errors(); len(got) > 1 || (len(got) == 1) != (want != "") || !strings.Contains(r.String(), want) {
				t.Errorf("%s: got %q, want one error with %q", yaml, r.String(), want)
			}
		}
	}
}
