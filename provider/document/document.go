// Package document converts the bytes of a document to plain values, within bounds. The formats are JSON, YAML, CSV, XML, HTML,
// Prometheus metrics and text.
package document

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/internal/budget"
	"dashboard/internal/extract"
)

// Bounds of the value of one document.
const (
	// MaxMemory bounds the estimated memory of a document's values. A table of some ten thousand rows fits.
	MaxMemory = 32 << 20
	// small is the size in bytes up to which a body is read at once. Larger bodies wait until the process has room for their
	// values.
	small = 256 << 10
	// MaxDepth bounds the depth of nested elements.
	MaxDepth = 256
	// MaxColumns bounds the columns of a table.
	MaxColumns = 512
)

// Estimated memory of values on a 64-bit machine.
const (
	rowBytes     = 384 // a mapping with a few keys
	cellBytes    = 96  // a key and the header of its text
	elementBytes = 192
)

// Formats are the names of document formats. Auto is JSON if the document is valid JSON, and otherwise text.
const (
	Auto = "auto"
	JSON = "json"
	YAML = "yaml"
	CSV  = "csv"
	XML  = "xml"
	HTML = "html"
	Text = "text"

	Metrics = "prometheus" // Prometheus' text format
)

// ErrTooLarge is wrapped by the error for a document whose values would take too much memory.
var ErrTooLarge = errors.New("too large")

// A Reader converts documents of one format to values.
type Reader struct {
	Format   string    // a format name; "" is Auto
	Selector *Selector // selector of the elements in HTML, or nil for the text of the whole page
}

// Read returns the value of a document. It consists of the types that [extract.Decode] returns.
func (r *Reader) Read(ctx context.Context, body []byte) (any, error) {
	switch r.Format {
	case JSON:
		return extract.Decode(ctx, body)
	case YAML:
		return readYAML(ctx, body)
	case CSV:
		return ReadCSV(ctx, body)
	case XML:
		return ReadXML(ctx, body)
	case HTML:
		return readHTML(ctx, body, r.Selector)
	case Metrics:
		return ReadMetrics(ctx, body)
	case Text:
		return toUTF8(body, ""), nil
	}
	return automatic(ctx, body)
}

// turn waits until the service has room for the values of a body. The caller calls release when the values are made.
func turn(ctx context.Context, body []byte) (release func(), err error) {
	if len(body) <= small {
		return func() {}, nil
	}
	jobs := budget.Of(ctx).Jobs
	return func() { jobs.Give(MaxMemory) }, jobs.Take(ctx, MaxMemory)
}

func automatic(ctx context.Context, body []byte) (any, error) {
	x, err := extract.New("", "")
	if err != nil {
		return nil, err
	}
	return x.Read(ctx, body)
}

// readYAML reads one YAML document without custom tags.
func readYAML(ctx context.Context, body []byte) (any, error) {
	release, err := turn(ctx, body)
	if err != nil {
		return nil, err
	}
	defer release()
	var r config.Report
	n := config.Parse("line", body, &r, nil)
	if r.Failed() {
		for _, d := range r.Diagnostics() {
			return nil, fmt.Errorf("not YAML: line %d: %s", d.Line, d.Message)
		}
	}
	v := n.Value()
	if _, err := left(v, MaxMemory); err != nil {
		return nil, err
	}
	return v, nil
}

// left subtracts the cost of a value from a budget. An alias costs as much as its target each time it is used.
func left(v any, budget int) (int, error) {
	cost := cellBytes
	switch v := v.(type) {
	case string:
		cost += len(v)
	case []any:
		for _, e := range v {
			var err error
			if budget, err = left(e, budget); err != nil {
				return 0, err
			}
		}
	case map[string]any:
		cost = rowBytes
		for k, e := range v {
			var err error
			if budget, err = left(e, budget-cellBytes-len(k)); err != nil {
				return 0, err
			}
		}
	}
	if budget -= cost; budget < 0 {
		return 0, errMemory
	}
	return budget, nil
}

var errMemory = fmt.Errorf("%w: it would take more than %d MiB of memory", ErrTooLarge, MaxMemory>>20)

// ByName returns the format of a file by its extension, or Auto if the extension is unknown.
func ByName(name string) string {
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	ending = cmp.Or(map[string]string{"yml": YAML, "htm": HTML, "xhtml": HTML, "geojson": JSON}[ending], ending)
	if slices.Contains([]string{JSON, YAML, CSV, XML, HTML}, ending) {
		return ending
	}
	return Auto
}
