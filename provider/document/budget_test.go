package document

import (
	"strings"
	"testing"
	"testing/synctest"

	"dashboard/internal/budget"
)

// Reading a large document waits until there is enough memory for its values, in every format. Reading a small document does not wait.
func TestLargeDocumentsTakeTurns(t *testing.T) {
	for format, piece := range map[string]string{YAML: "- abcdefgh\n", CSV: "a,b,c\n", XML: "<a/>", HTML: "<p>a"} {
		synctest.Test(t, func(t *testing.T) {
			m := budget.New()
			ctx := budget.With(t.Context(), m)
			read := func(n int) {
				text := strings.Repeat(piece, n/len(piece))
				if format == XML {
					text = "<x>" + text + "</x>"
				}
				if _, err := (&Reader{Format: format}).Read(ctx, []byte(text)); err != nil {
					t.Errorf("%s: %v", format, err)
				}
			}
			if err := m.Jobs.Take(ctx, budget.MaxJobs); err != nil {
				t.Fatal(err)
			}
			read(small / 2)
			done := make(chan bool, 1)
			go func() { read(small + 100); done <- true }()
			synctest.Wait()
			if len(done) > 0 {
				t.Errorf("%s: a large one did not wait", format)
			}
			m.Jobs.Give(budget.MaxJobs)
			<-done
			synctest.Wait()
			if !m.Jobs.Try(budget.MaxJobs) {
				t.Fatalf("%s: not all came back", format)
			}
			m.Jobs.Give(budget.MaxJobs)
		})
	}
}
