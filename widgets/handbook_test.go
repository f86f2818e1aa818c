package widgets

import (
	"os"
	"strings"
	"testing"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/locale"
	"dashboard/internal/pyfmt"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
)

// tableOf returns the cells of a table in a page of the documentation, without backquotes. `head` is the start of the table's header.
func tableOf(t *testing.T, page, head string) [][]string {
	t.Helper()
	data, err := os.ReadFile("../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(data), head)
	if !found {
		t.Fatalf("%s has no table %q", page, head)
	}
	text, _, _ = strings.Cut(head+text, "\n\n")
	var table [][]string
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if i == 1 {
			continue // the line below the header
		}
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "| "), `\|`, "\x00"), " | ")
		for j := range cells {
			cells[j] = strings.Trim(strings.ReplaceAll(cells[j], "\x00", "|"), "` ")
		}
		table = append(table, cells)
	}
	return table
}

var handbookEnv = kit.Env{Drawing: kit.Drawing{Location: time.UTC, Locale: locale.English()}}

// tell formats a value with the format that a widgets file would contain.
func tell(v any, written string) string {
	w := &format.Formatter{Wording: &format.Wording{Format: written}, Locale: handbookEnv.Locale, Zone: handbookEnv.Location}
	if strings.Contains(written, "{") {
		w.Time = format.ClockPattern(written)
	}
	return strings.ReplaceAll(w.Say(v, true, time.Time{}).Text, "\u00a0", " ")
}

// TestFormatsOfTheHandbook checks the table of format words in docs/formats.md.
func TestFormatsOfTheHandbook(t *testing.T) {
	table := tableOf(t, "formats.md", "| word | for |")
	for _, row := range table[1:] {
		for i := 2; i < len(row); i++ {
			if got := tell(table[0][i], row[0]); got != row[i] {
				t.Errorf("%s of %s: got %q, want %q", row[0], table[0][i], got, row[i])
			}
		}
	}
}

// TestLettersOfTheHandbook checks the table of letters for dates in docs/formats.md.
func TestLettersOfTheHandbook(t *testing.T) {
	for _, row := range tableOf(t, "formats.md", "| letters | meaning |")[1:] {
		var got []string
		for _, letters := range strings.Split(row[0], "`, `") {
			got = append(got, tell("2026-05-15T10:05:00Z", "{"+letters+"}"))
		}
		if text := strings.Join(got, ", "); text != row[2] {
			t.Errorf("%s: got %q, want %q", row[0], text, row[2])
		}
	}
}

// TestPythonFormatsOfTheHandbook checks the table of Python's formats in docs/formats.md.
func TestPythonFormatsOfTheHandbook(t *testing.T) {
	for _, row := range tableOf(t, "formats.md", "| written | 21.437 |")[1:] {
		f, err := pyfmt.Parse(row[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := string(f.AppendOr(nil, 21.437)); got != row[1] {
			t.Errorf("%s: got %q, want %q", row[0], got, row[1])
		}
	}
}

// TestProgramsOfTheHandbook checks that the programs in docs/jq.md give the documented results.
func TestProgramsOfTheHandbook(t *testing.T) {
	input := ""
	for _, row := range tableOf(t, "jq.md", "| input | program |")[1:] {
		if row[0] != "the same" {
			input, _, _ = strings.Cut(row[0], "`")
		}
		e, err := extract.New("", row[1])
		if err != nil {
			t.Fatal(err)
		}
		v, err := e.Read(t.Context(), []byte(input))
		if got := format.PlainText(v); err != nil || got != row[2] {
			t.Errorf("%s of %s: got %q (%v), want %q", row[1], input, got, err, row[2])
		}
	}
}
