package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/tools/fielddoc"
	"dashboard/tools/files"
	"dashboard/widgets"
)

// repository is the folder to which the sources in packaging/*.yaml are relative.
const repository = "../.."

func TestSettingsPagesNameEveryKey(t *testing.T) {
	pages, err := settingsPages()
	if err != nil {
		t.Fatal(err)
	}
	for name, params := range map[string][]any{
		"dashboard-conf.5":        {&config.Conf{}, &config.StreamOutput{}, &config.WindowOutput{}, &config.PanelOutput{}, &config.TRMNLOutput{}},
		"dashboard-client-conf.5": {&config.Client{}},
	} {
		for _, p := range params {
			for _, key := range keysOf(fielddoc.Fields(reflect.TypeOf(p)), "") {
				if !strings.Contains(pages[name], "\n.BR "+roff(key)+" ") {
					t.Errorf("%s says nothing of %s", name, key)
				}
			}
		}
	}
	for _, kind := range config.OutputTypes() {
		if section := "\n.SH OUTPUT " + strings.ToUpper(kind) + "\n"; kind != config.OutputFramebuffer && !strings.Contains(pages["dashboard-conf.5"], section) {
			t.Errorf("dashboard-conf.5 has no section for outputs of type %s", kind)
		}
	}
	for _, k := range widgets.Kinds() {
		if !strings.Contains(pages["dashboard-widgets.5"], "\n.SH "+strings.ToUpper(k.Name)+"\n") {
			t.Errorf("dashboard-widgets.5 says nothing of %s", k.Name)
		}
	}
}

func keysOf(fields []config.Field, prefix string) []string {
	var keys []string
	for _, f := range fields {
		keys = append(append(keys, prefix+f.Name), keysOf(f.Fields, prefix+f.Name+f.Inside())...)
	}
	return keys
}

var macro = regexp.MustCompile(`^\.(TH|SH|TP|BR) `)

// A line that begins with a dot is a command for the formatter. No text may produce such a line.
func TestSettingsPagesAreWellFormed(t *testing.T) {
	pages, err := settingsPages()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range pages {
		for i, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && line != ".TP" && !macro.MatchString(line) {
				t.Errorf("%s:%d: %s", name, i+1, line)
			}
		}
	}
}

func TestMeaning(t *testing.T) {
	for _, c := range []struct {
		name  string
		field config.Field
		want  string
	}{
		{"plain", config.Field{Doc: "A."}, "A."},
		{"default", config.Field{Doc: "A.", HasDef: true, Default: "5", Min: "1", Max: "9"}, "A. From 1 to 9. Default 5."},
		{"an empty default is none", config.Field{Doc: "A.", HasDef: true, Min: "1"}, "A. At least 1."},
		{"words", config.Field{Doc: "A.", Required: true, Enum: []string{"x", "y"}}, "A. One of x, y. Required."},
		{"most", config.Field{Max: "9"}, "At most 9."},
	} {
		if got := meaning(c.field); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestChangelog(t *testing.T) {
	p := papers{files.Release{Version: "1.2~3", Date: time.Unix(0, 0).UTC()}, "A <a@b.c>"}
	want := "x (1.2~3) unstable; urgency=medium\n\n  * What changed is told by the project's history.\n\n -- A <a@b.c>  Thu, 01 Jan 1970 00:00:00 +0000\n"
	if got := p.changelog("x"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestZippedIsTheSameEveryTime(t *testing.T) {
	p := papers{Release: files.Release{Out: t.TempDir()}}
	for _, name := range []string{"a", "b"} {
		if err := p.writeZipped(name, "text"); err != nil {
			t.Fatal(err)
		}
	}
	a, b := read(t, filepath.Join(p.Out, "a.gz")), read(t, filepath.Join(p.Out, "b.gz"))
	if !bytes.Equal(a, b) {
		t.Error("two archives of one text differ")
	}
	z, err := gzip.NewReader(bytes.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); err != nil || string(text) != "text" || !z.ModTime.IsZero() || z.Name != "" {
		t.Errorf("got %q, %v, time %v, name %q, want the text alone", text, err, z.ModTime, z.Name)
	}
}

func TestShortened(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"apache", "\n   Apache License\n  Version 2.0, January 2004\n...", "The Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0."},
		{"for some files", "BSD\n\n   Apache License\n  Version 2.0, January 2004\n...\n   END OF TERMS AND CONDITIONS\n\nMIT", "BSD\nThe Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0.\n\nMIT"},
		{"another", "MIT License\nnot the Apache License, Version 2.0, January 2004", "MIT License\nnot the Apache License, Version 2.0, January 2004"},
	} {
		if got := shortened(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

var source = regexp.MustCompile(`src: "?([^",]+)`)

// Every file that a package includes exists, and every unit belongs to a package.
func TestPackagesAreComplete(t *testing.T) {
	var sources []string
	for _, name := range programs {
		for _, m := range source.FindAllSubmatch(read(t, filepath.Join(repository, "packaging", name+".yaml")), -1) {
			sources = append(sources, string(m[1]))
		}
	}
	if len(sources) < 20 {
		t.Fatalf("got sources %v, want more", sources)
	}
	for _, s := range sources {
		if found, err := filepath.Glob(filepath.Join(repository, s)); !strings.HasPrefix(s, "${") && (err != nil || len(found) == 0) {
			t.Errorf("%s is not there", s)
		}
	}
	units, err := filepath.Glob(filepath.Join(repository, "systemd", "*.[st]*[er]"))
	if err != nil || len(units) == 0 {
		t.Fatal(units, err)
	}
	for _, u := range units {
		if s := "systemd/" + filepath.Base(u); !slices.Contains(sources, s) {
			t.Errorf("%s is in no package", s)
		}
	}
}

func TestExampleLoads(t *testing.T) {
	var r config.Report
	if _, ok := config.LoadClient(folder.Dir(repository), "packaging/client.yaml", &r, nil); !ok || len(r.Warnings()) > 0 {
		t.Errorf("client.yaml: %v", r.Err())
	}
}

// The copyright file contains the licenses of the npm packages in the page.
func TestPageLicenses(t *testing.T) {
	t.Chdir("../..")
	var b strings.Builder
	if err := license(&b, pageScripts.title, pageScripts.dir); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Google LLC", "BSD 3-Clause"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %q in the licenses of the page", part)
		}
	}
}
