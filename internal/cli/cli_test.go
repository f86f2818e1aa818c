package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		args    string
		command string
		folder  string
		values  map[string]string
	}{
		{"", "", "", nil},
		{"wall", "", "wall", nil},
		{"--config-dir wall", "", "", map[string]string{"config-dir": "wall"}},
		{"-config-dir=wall --demo", "", "", map[string]string{"config-dir": "wall", "demo": "true"}},
		{"check wall --json", "check", "wall", map[string]string{"json": "true"}},
		{"render -o a.png wall --size 8x8", "render", "wall", map[string]string{"o": "a.png", "size": "8x8"}},
		{"render -o=a.png", "render", "", map[string]string{"o": "a.png"}},
		{"init -- -odd", "init", "-odd", nil},
		{"init --help", "init", "", map[string]string{"help": "true"}},
		{"-h", "", "", map[string]string{"help": "true"}},
		{"help render", "render", "", map[string]string{"help": "true"}},
		{"help", "", "", map[string]string{"help": "true"}},
		{"completion zsh", "completion", "zsh", nil},
		{"init --sample epaper a", "init", "a", map[string]string{"sample": "epaper"}},
	} {
		t.Run(tc.args, func(t *testing.T) {
			call, err := Dashboard().Parse(strings.Fields(tc.args))
			if err != nil {
				t.Fatal(err)
			}
			folder := strings.Join(call.Operands, " ")
			if call.Command.Name != tc.command || folder != tc.folder || len(call.Values) != len(tc.values) {
				t.Errorf("got %q %q %v, want %q %q %v", call.Command.Name, folder, call.Values, tc.command, tc.folder, tc.values)
			}
			for k, v := range tc.values {
				if call.Value(k) != v || !call.Has(k) {
					t.Errorf("%s: got %q, want %q", k, call.Value(k), v)
				}
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	call, err := Dashboard().Parse([]string{"render"})
	if err != nil {
		t.Fatal(err)
	}
	if got := call.Value("o") + " " + call.Value("widgets") + call.Value("theme"); got != "dashboard.png widgets.yaml" {
		t.Errorf("got %q, want the defaults of the table", got)
	}
}

func TestParseErrors(t *testing.T) {
	for args, want := range map[string]string{
		"--confg-dir wall": "unknown option --confg-dir; is --config-dir meant?",
		"--json":           "--json is an option of 'dashboard check'",
		"check --zzzzzz":   "unknown option --zzzzzz; dashboard check --help lists what there is",
		"--theme":          "--theme needs a value: --theme FILE",
		"--demo=yes":       "--demo takes no value",
		"a b":              `unexpected argument "b"; it is: dashboard [options] [DIR]`,
		"init":             "dashboard init [options] DIR: DIR is missing",
		"completion tcsh":  `"tcsh" is none of bash, zsh, fish`,
		"init --sample ho": `"ho" is none of home, office, kiosk-portrait, epaper, hat-320x240`,
		"completion fishh": `"fishh" is none of bash, zsh, fish; is fish meant?`,
	} {
		if _, err := Dashboard().Parse(strings.Fields(args)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", args, err, want)
		}
	}
	if got := Dashboard().Misspelt("chekc"); got != "check" {
		t.Errorf("got %q for a misspelt check", got)
	}
}

// Help says everything there is, and fits into a terminal.
func TestHelp(t *testing.T) {
	p := Dashboard()
	for _, c := range p.Commands {
		text := p.Help(&c)
		for _, o := range c.Options {
			if !strings.Contains(text, "  "+o.usage()+" ") {
				t.Errorf("%s: no word of %s in\n%s", c.Name, o.usage(), text)
			}
		}
		for line := range strings.Lines(text) {
			if len(line) > lineWidth+1 || strings.HasSuffix(line, " \n") {
				t.Errorf("%s: the line is too long, or ends in a space: %q", c.Name, line)
			}
		}
	}
}

// The page must be one for troff: no line may begin like a request unless it is one, and every dash can be copied.
func TestMan(t *testing.T) {
	page := Dashboard().Man()
	requests := []string{".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".br"}
	for line := range strings.Lines(page) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if (line[0] == '.' || line[0] == '\'') && !slices.Contains(requests, word) {
			t.Errorf("troff would take for a request: %q", line)
		}
		if strings.Contains(strings.ReplaceAll(line, `\-`, ""), "-") {
			t.Errorf("a dash that cannot be copied: %q", line)
		}
	}
	for _, want := range []string{".SH FILES", ".SH SIGNALS", ".SH EXIT STATUS", ".SS check [DIR]", `.B \-\-config\-dir DIR`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// shell finds a shell, which in the gate must be there.
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

func runShell(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(shell(t, name), args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%s: %v: %s", name, err, &stderr)
	}
	return string(out)
}

// completed is where the shells below complete: a folder with a folder and a file.
func completed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "my wall"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"walls.yaml": "", "script": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBashCompletes(t *testing.T) {
	dir := completed(t)
	script := filepath.Join(t.TempDir(), "completion")
	if err := os.WriteFile(script, []byte(Dashboard().Completion("bash")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ typed, want string }{
		{"dashboard ch", "check"},
		{"dashboard --d", "--demo"},
		{"dashboard check --j", "--json"},
		{"dashboard render --si", "--size"},
		{"dashboard completion ", "--help bash zsh fish"},
		{"dashboard init my", "my wall"},
		{"dashboard check m", "my wall"},
		{"dashboard --theme wa", "walls.yaml"},
		{"dashboard --config-dir wa", ""},
		{"dashboard render --size ", ""},
		{"dashboard init --sample e", "epaper"},
	} {
		words := strings.Split(tc.typed, " ")
		var quotedWords []string
		for _, w := range words {
			quotedWords = append(quotedWords, quoted(w))
		}
		// compopt works only while bash itself completes.
		got := runShell(t, dir, "bash", "-c", "compopt() { :; }; source "+script+"; COMP_WORDS=("+strings.Join(quotedWords, " ")+
			"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _dashboard; printf '%s\\n' \"${COMPREPLY[@]}\"")
		if got := strings.Join(strings.Split(strings.TrimSpace(got), "\n"), " "); got != tc.want {
			t.Errorf("%q: got %q, want %q", tc.typed, got, tc.want)
		}
	}
}

func TestFishCompletes(t *testing.T) {
	dir := completed(t)
	script := filepath.Join(t.TempDir(), "completion.fish")
	if err := os.WriteFile(script, []byte(Dashboard().Completion("fish")), 0o644); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"dashboard ch":              "check",
		"dashboard --d":             "--demo",
		"dashboard check --j":       "--json",
		"dashboard completion z":    "zsh",
		"dashboard init --sample e": "epaper",
		"dashboard --theme wa":      "walls.yaml",
		"dashboard init my":         "my wall/",
		"dashboard check --theme ":  "my wall/ script walls.yaml",
	} {
		out := runShell(t, dir, "fish", "--no-config", "-c", "source "+script+"; complete -C "+quoted(typed))
		var words []string
		for line := range strings.Lines(out) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			words = append(words, word)
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

// zsh completes only in a terminal; here it reads the script, and says what it would complete with.
func TestZshReads(t *testing.T) {
	script := filepath.Join(t.TempDir(), "_dashboard")
	if err := os.WriteFile(script, []byte(Dashboard().Completion("zsh")), 0o644); err != nil {
		t.Fatal(err)
	}
	out := runShell(t, t.TempDir(), "zsh", "-f", "-c",
		"autoload -Uz compinit && compinit -D -u; source "+script+"; print $_comps[dashboard]; _arguments() { print -l -- $@ }; _describe() { print -l -- $commands }; "+
			"words=(dashboard ''); CURRENT=2; _dashboard; print -- %%%%; words=(dashboard check ''); CURRENT=3; _dashboard")
	first, second, _ := strings.Cut(out, "%%%%")
	for _, want := range []string{"_dashboard\n", "check:tell everything", "--demo[", ":_files -/", "--theme["} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in\n%s", want, first)
		}
	}
	if !strings.Contains(second, "--json[") || strings.Contains(second, "--demo:") || strings.Contains(second, "render:") {
		t.Errorf("check is completed with\n%s", second)
	}
}
