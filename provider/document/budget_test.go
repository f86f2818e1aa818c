package document

import (
	"strings"
	"testing"
	"testing/synctest"

	"dashboard/internal/budget"
)

// Large documents of every format wait until the process has room for their values; small ones wait for nobody.
func TestLargeDocumentsTakeTurns(t *testing.T) {
	for format, piece := range map[string]string{YAML: "- abcdefgh\n", CSV: "a,b,c\n", XML: "<a/>", HTML: "<p>a"} {
		synctest.Test(t, func(t *testing.T) {
			read := func(n int) {
				text := strings.Repeat(piece, n/len(piece))
				if format == XML {
					text = "<x>" + text + "</x>"
				}
				if _, err := (&Reader{Format: format}).Read([]byte(text)); err != nil {
					t.Errorf("%s: %v", format, err)
				}
			}
			budget.Process.Take(budget.Max)
			read(small / 2)
			done := make(chan bool, 1)
			go func() { read(small + 100); done <- true }()
			synctest.Wait()
			if len(done) > 0 {
				t.Errorf("%s: a large one did not wait", format)
			}
			budget.Process.Give(budget.Max)
			<-done
			synctest.Wait()
			if !budget.Process.Try(budget.Max) {
				t.Fatalf("%s: not all came back", format)
			}
			budget.Process.Give(budget.Max)
		})
	}
}
