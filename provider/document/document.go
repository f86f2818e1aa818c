// Package document converts the bytes of a document to plain values. The size of the values is limited. The formats are JSON, YAML, CSV,
// XML, HTML, Prometheus metrics and text.
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

// Limits for the value of one document.
const (
	// MaxMemory is the maximum estimated memory of a document's values, in bytes. A table with about ten thousand rows fits.
	MaxMemory = 32 << 20
	// small is the maximum size, in bytes, of a body that is read without waiting. A larger body waits until the process has enough
	// memory for the body's values.
	small = 256 << 10
	// MaxDepth is the maximum depth of nested elements.
	MaxDepth = 256
	// MaxColumns is the maximum number of columns of a table.
	MaxColumns = 512
)

// The estimated memory of values on a 64-bit machine, in bytes.
const (
	rowBytes     = 384 // mapping with a few keys
	cellBytes    = 96  // key of the cell, and string header of the cell's text
	elementBytes = 192
)

// The names of document formats. A document in the format Auto is read as JSON if it is valid JSON, otherwise as text.
const (
	Auto = "auto"
	JSON = "json"
	YAML = "yaml"
	CSV  = "csv"
	XML  = "xml"
	HTML = "html"
	Text = "text"

	Metrics = "prometheus" // text format of Prometheus
)

// ErrTooLarge is wrapped in the error for a document that exceeds a limit, such as the memory for its values.
var ErrTooLarge = errors.New("too large")

// A Reader converts documents of one format to plain values.
type Reader struct {
	Format   string    // name of a format; "" means Auto
	Selector *Selector // elements of an HTML page to read; nil for the text of the whole page
}

// Read returns the value of a document. The value has the same types as the values of [extract.Decode].
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

// turn() waits until the process has enough memory for the values of a body. The caller must call `release` after it has made the values.
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

// readYAML reads YAML. The tag !secret is an error, and a scalar with another custom tag is null.
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

// left() subtracts the memory of a value from a budget and returns the rest. Each use of an alias counts as much memory as its target.
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

// ByName returns the format for the extension of a file name. For an unknown extension it returns Auto.
func ByName(name string) string {
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	ending = cmp.Or(map[string]string{"yml": YAML, "htm": HTML, "xhtml": HTML, "geojson": JSON}[ending], ending)
	if slices.Contains([]string{JSON, YAML, CSV, XML, HTML}, ending) {
		return ending
	}
	return Auto
}
