package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	std := Options{Widgets: "widgets.yaml", Output: "dashboard.png"}
	with := func(f func(*Options)) Options { o := std; f(&o); return o }
	for _, tc := range []struct {
		args string
		want Options
	}{
		{"", with(func(o *Options) { o.Command = Show })},
		{"wall", with(func(o *Options) { o.Command, o.Folder = Show, "wall" })},
		{"--config-dir wall", with(func(o *Options) { o.Command, o.ConfigDir = Show, "wall" })},
		{"-config-dir=wall --demo", with(func(o *Options) { o.Command, o.ConfigDir, o.Demo = Show, "wall", true })},
		{"-config-dir wall -widgets w.yaml", with(func(o *Options) { o.Command, o.ConfigDir, o.Widgets = Show, "wall", "w.yaml" })},
		{"check wall --json", with(func(o *Options) { o.Command, o.Folder, o.JSON = "check", "wall", true })},
		{"render -o a.png wall --size 8x8", with(func(o *Options) { o.Command, o.Folder, o.Output, o.Size = "render", "wall", "a.png", "8x8" })},
		{"render -o=a.png", with(func(o *Options) { o.Command, o.Output = "render", "a.png" })},
		{"init -- -odd", with(func(o *Options) { o.Command, o.Folder = "init", "-odd" })},
		{"init --sample epaper a", with(func(o *Options) { o.Command, o.Folder, o.Sample = "init", "a", "epaper" })},
		{"--listen :8080 wall", with(func(o *Options) { o.Command, o.Folder, o.Listen = Show, "wall", ":8080" })},
		{"recipe show evcc --config-dir wall", with(func(o *Options) { o.Command, o.Verb, o.Name, o.ConfigDir = "recipe", "show", "evcc", "wall" })},
		{"reload wall", with(func(o *Options) { o.Command, o.Folder = "reload", "wall" })},
		{"health --url http://127.0.0.1:1/", with(func(o *Options) { o.Command, o.URL = "health", "http://127.0.0.1:1/" })},
	} {
		var got Options
		if err := Parse(Dashboard(&got, "1"), strings.Fields(tc.args), new(bytes.Buffer)); err != nil || got != tc.want {
			t.Errorf("%s: got %+v, %v, want %+v", tc.args, got, err, tc.want)
		}
	}
}

// If there are no arguments, the parser must not use the arguments of the process, which belong to the test.
func TestParseOfNothing(t *testing.T) {
	was := os.Args
	defer func() { os.Args = was }()
	os.Args = []string{"elsewhere", "--no-such-option"}
	for _, args := range [][]string{nil, {}} {
		var o Options
		if err := Parse(Dashboard(&o, "1"), args, new(bytes.Buffer)); err != nil || o.Command != Show {
			t.Errorf("%#v: got command %q, %v", args, o.Command, err)
		}
	}
}

// If the arguments request a text, the text is printed, and there is no command to run.
func TestAnswers(t *testing.T) {
	for args, want := range map[string]string{
		"--help":         "Usage:\n  dashboard [options] [DIR]",
		"-h":             "Available Commands:",
		"-help":          "--config-dir folder",
		"init --help":    "Usage:\n  dashboard init [options] DIR",
		"help render":    "-o, --output FILE",
		"help":           "--demo",
		"--version":      "dashboard 1.2 (abc)\n",
		"-version":       "dashboard 1.2 (abc)\n",
		"--version a b":  "dashboard 1.2 (abc)\n",
		"completion zsh": "#compdef dashboard",
	} {
		var o Options
		var b bytes.Buffer
		if err := Parse(Dashboard(&o, "1.2 (abc)"), strings.Fields(args), &b); err != nil || !strings.Contains(b.String(), want) || o.Command != "" {
			t.Errorf("%s: got %q, %v, command %q, want %q", args, b.String(), err, o.Command, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for args, want := range map[string]string{
		"--confg-dir wall": "unknown option --confg-dir; is --config-dir meant?",
		"--json":           "--json is an option of 'dashboard check'",
		"check --version":  "--version is an option of 'dashboard'",
		"check --zzzzzz":   "unknown option --zzzzzz; dashboard check --help lists what there is",
		"check -x":         "unknown option -x; dashboard check --help lists what there is",
		"--theme":          "--theme needs a value: --theme FILE",
		"--demo=yesno":     "--demo takes no value",
		"a b":              `unexpected argument "b"; it is: dashboard [options] [DIR]`,
		"rendr wall":       `there is no command "rendr"; is 'render' meant?`,
		"init":             "dashboard init [options] DIR: DIR is missing",
		"themes x":         `unexpected argument "x"; it is: dashboard themes [options]`,
		"pull x":           `unexpected argument "x"; it is: dashboard pull [options]`,
		"relay":            "relay: --address-file FILE is missing",
		"completion tcsh":  `"tcsh" is none of bash, zsh, fish`,
		"init --sample ho": `--sample: "ho" is none of family, hat, office, kiosk, home, kitchen, epaper, month, agenda, weather, news, frame, transit, bins, builds, server, energy, classic-home`,
		"completion fishh": `"fishh" is none of bash, zsh, fish; is fish meant?`,
	} {
		var o Options
		if err := Parse(Dashboard(&o, "1"), strings.Fields(args), new(bytes.Buffer)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", args, err, want)
		}
	}
	var o ClientOptions
	if err := Parse(Client(&o, "1"), []string{"--log-level", "loud"}, new(bytes.Buffer)); err == nil || err.Error() != `--log-level: "loud" is none of debug, info, warning` {
		t.Errorf("got %v", err)
	}
	if got := Misspelt(Dashboard(&Options{}, ""), "chekc"); got != "check" {
		t.Errorf("got %q for a misspelt check", got)
	}
}

// Each line of the help fits in a terminal.
func TestHelp(t *testing.T) {
	root := Dashboard(&Options{}, "1")
	for _, c := range append(root.Commands(), root) {
		text := c.Long + "\n" + c.UsageString()
		for line := range strings.Lines(text) {
			if len(line) > lineWidth+1 && !strings.Contains(line, "WantedBy") {
				t.Errorf("%s: the line is too long: %q", c.Name(), line)
			}
		}
		if c.Short == "" || c.Long == "" && c.Name() != "completion" && c.Name() != "help" {
			t.Errorf("%s: says nothing about itself", c.Name())
		}
	}
}

// shell returns the path of a shell. If the shell is missing, the test is skipped, or it fails if DASHBOARD_CI is set.
func shell(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
		return path
	case os.Getenv("DASHBOARD_CI") != "":
		t.Fatalf("there is no %s here", name)
	}
	t.Skipf("SKIPPED, ITS COMPLETION IS NOT TESTED: there is no %s here", name)
	return ""
}

// Each shell reads its completion script without an error.
func TestShellsReadCompletion(t *testing.T) {
	for name, args := range map[string][]string{
		"bash": {"--norc", "-c", `source "$0" && complete -p dashboard`},
		"zsh":  {"-f", "-c", `autoload -Uz compinit && compinit -D -u; source "$0" && print $_comps[dashboard]`},
		"fish": {"--no-config", "-c", `source $argv[1]; complete -c dashboard`},
	} {
		t.Run(name, func(t *testing.T) {
			path := shell(t, name)
			script := filepath.Join(t.TempDir(), "script")
			var b bytes.Buffer
			if err := Completion(Dashboard(&Options{}, "1"), name, &b); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(script, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(path, append(args, script)...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "dashboard") {
				t.Errorf("got %s, %v", out, err)
			}
		})
	}
}

// The program answers the requests of the completion scripts.
func TestCompletes(t *testing.T) {
	for typed, want := range map[string]string{
		"ch":                     "check\t",
		"--d":                    "--demo\t",
		"check --j":              "--json\t",
		"render --si":            "--size\t",
		"completion ":            "bash\nzsh\nfish\n:4",
		"init --sample e":        "epaper",
		"render --size ":         ":4",
		"check m":                ":16", // completes folders
		"check --config-dir m":   ":16",
		"check my-wall another ": ":4",
	} {
		var o Options
		var b bytes.Buffer
		if err := Parse(Dashboard(&o, "1"), append([]string{"__complete"}, strings.Split(typed, " ")...), &b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%q: got %q, %v, want %q", typed, b.String(), err, want)
		}
	}
}

// The lines of a folded text are not longer than the width. Empty lines separate paragraphs.
func TestFold(t *testing.T) {
	if got, want := fold("one two\nthree four\n\nfive", 9), "one two\nthree\nfour\n\nfive"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
