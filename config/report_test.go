package config

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestPretty(t *testing.T) {
	var r Report
	n := Parse("conf.yaml", []byte("graphics:\n  resolution: [1, 2]\nlogging: {grün: 1, levle: info}\n"), &r, nil)
	confOf(n, &r)
	r.Add(Diagnostic{File: "other.yaml", Severity: Warning, Message: "a \x1b[0m b"})
	want := `conf.yaml:3:11: error: logging.grün: unknown key 'grün'
    3 | logging: {grün: 1, levle: info}
      |           ^
conf.yaml:3:20: error: logging.levle: unknown key 'levle'
    3 | logging: {grün: 1, levle: info}
      |                    ^
      = did you mean level?
other.yaml: warning: a ` + "\uFFFD" + `[0m b
`
	var b strings.Builder
	if err := r.Pretty(&b, false); err != nil || b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := r.Pretty(&b, true); err != nil || !strings.Contains(b.String(), ansiError+"error"+ansiReset) || !strings.Contains(b.String(), ansiWarning+"warning"+ansiReset) {
		t.Errorf("colors: got %q", b.String())
	}
}

func TestCaretKeepsTabs(t *testing.T) {
	if got, want := underline("a:\tbcd", 5), "  \t "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReportJSON(t *testing.T) {
	var r Report
	got, err := r.JSON()
	if want := `{"ok":true,"diagnostics":[]}`; err != nil || string(got) != want {
		t.Errorf("empty: got %s, %v, want %s", got, err, want)
	}
	confOf(Parse("c.yaml", []byte("graphics: {resolution: [1, 2], filp: 1}"), &r, nil), &r)
	got, err = r.JSON()
	want := `{"ok":false,"diagnostics":[{"file":"c.yaml","line":1,"column":32,"path":"graphics.filp","severity":"error","code":"unknown-key","message":"unknown key 'filp'","near":"flip"}]}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	var back map[string]any
	if err := json.Unmarshal(got, &back); err != nil {
		t.Error(err)
	}
}

func TestReportOrderAndSeverity(t *testing.T) {
	var r Report
	if r.Failed() || r.Err() != nil || r.String() != "" {
		t.Error("an empty report must be good")
	}
	r.Add(Diagnostic{File: "b", Line: 2, Column: 1, Severity: Warning, Code: CodeUnknownKey, Message: "w"})
	r.Add(Diagnostic{File: "a", Line: 9, Column: 1, Severity: Warning, Message: "x"})
	r.Add(Diagnostic{File: "b", Line: 1, Column: 7, Severity: Warning, Message: "y"})
	r.Add(Diagnostic{File: "b", Line: 1, Column: 7, Path: "other", Severity: Warning, Message: "y"})
	r.Add(Diagnostic{File: "b", Line: 1, Column: 3, Severity: Warning, Message: "z"})
	if got, want := r.String(), "b:1:3: warning: z\nb:1:7: warning: y\nb:2:1: warning: w\na:9:1: warning: x\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if r.Failed() {
		t.Error("warnings alone must not fail")
	}
	r.Promote(CodeUnknownKey)
	if got, want := r.Err(), "b:2:1: w"; got == nil || got.Error() != want {
		t.Errorf("promoted: got %v, want %s", got, want)
	}
	if got := len(r.Warnings()); got != 3 {
		t.Errorf("got %d warnings, want 3", got)
	}
}

func ExampleNode_Decode() {
	var report Report
	node := Parse("widgets.yaml", []byte("rows: 2\ncolums: 3\npadding: 200\n"), &report, nil)
	var params struct {
		Rows    int `yaml:"rows" required:"true" min:"1" doc:"Number of rows."`
		Columns int `yaml:"columns" required:"true" min:"1" doc:"Number of columns."`
		Padding int `yaml:"padding" default:"0" min:"0" max:"100" unit:"px" doc:"Gap around each cell."`
	}
	ok := node.Decode(&params, &report, nil)
	fmt.Println(ok, params.Rows)
	fmt.Print(report.String())
	// Output:
	// false 2
	// widgets.yaml:1:1: 'columns' is required
	// widgets.yaml:2:1: colums: unknown key 'colums'; near: columns
	// widgets.yaml:3:10: padding: must be between 0 and 100 px, not 200
}

func ExampleReport_Pretty() {
	var report Report
	Parse("widgets.yaml", []byte("widgets:\n  - widget: text\n    text: Weather: rain\n"), &report, nil)
	_ = report.Pretty(os.Stdout, false)
	// Output:
	// widgets.yaml:3:18: error: not valid YAML: mapping values are not allowed in this context (quote a text that contains ': ', or check the indentation)
	//     3 |     text: Weather: rain
	//       |                  ^
}
