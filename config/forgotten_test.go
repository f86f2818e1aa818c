package config

import (
	"strings"
	"testing"
)

// TestForgottenTag: a program without !data is reported. The report is a warning if the key accepts any text, and otherwise an error.
func TestForgottenTag(t *testing.T) {
	type params struct {
		Text  *Live[string]   `yaml:"text"`
		Max   *Live[float64]  `yaml:"max"`
		Items *Live[[]string] `yaml:"items"`
	}
	for _, tc := range []struct{ yaml, want string }{
		{"text: .item.name", "warning: text: this is shown as text: write !data .item.name to show a value"},
		{"text: .machine", "write !data .machine"},
		{"text: '.item.name + \"!\"'", `write !data '.item.name + "!"'`},
		{"text: .list[0]", "write !data '.list[0]'"},
		{"text: '{{ machine.load1 }} %'", "write !data .machine.load1"},
		{"text: '{{x|y}}'", "{{ }} has no meaning here"},
		{"text: .NET 10 is out", ""},
		{"text: ... and so on", ""},
		{"text: '{x}'", ""},
		{"text: a.b", ""},
		{"max: .machine.cores", "error: a program needs its tag: write !data .machine.cores"},
		{"items: .shopping.items", "error: a program needs its tag: write !data .shopping.items"},
		{"max: 3", ""},
	} {
		var r Report
		Parse("w.yaml", []byte(tc.yaml), &r, nil).Decode(&params{}, &r, nil)
		var b strings.Builder
		if err := r.Pretty(&b, false); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); tc.want == "" && got != "" || !strings.Contains(got, strings.TrimPrefix(tc.want, "error: ")) {
			t.Errorf("%s: got %q, want %q", tc.yaml, got, tc.want)
		}
		if strings.HasPrefix(tc.want, "error: ") != r.Failed() {
			t.Errorf("%s: failed is %v", tc.yaml, r.Failed())
		}
	}
}
