package prometheus

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"dashboard/internal/extract"
)

// An answerError is an error that the server describes in its answer.
type answerError struct{ kind, text string }

func (e *answerError) Error() string { return "prometheus: " + e.kind + ": " + e.text }

// explain returns the server's description of an error. The description is in the body of the answer.
func explain(ctx context.Context, body []byte) error {
	v, err := extract.Decode(ctx, body)
	if err != nil {
		return nil
	}
	m, _ := v.(map[string]any)
	kind, _ := m["errorType"].(string)
	text, _ := m["error"].(string)
	if text == "" {
		return nil
	}
	const most = 300 // in bytes; a longer message, which may contain the whole query, is cut
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return &answerError{kind, text}
}

// errShape is returned for an answer that is not from Prometheus.
var errShape = errors.New("not an answer of Prometheus's API")

// Read returns the value of an answer. `query` is the text for a series that has no labels and no name.
func Read(ctx context.Context, body []byte, query string) (any, error) {
	v, err := extract.Decode(ctx, body)
	if err != nil {
		return nil, err
	}
	m, _ := v.(map[string]any)
	if m["status"] != "success" {
		if err := explain(ctx, body); err != nil {
			return nil, err
		}
		return nil, errShape
	}
	data, _ := m["data"].(map[string]any)
	switch data["resultType"] {
	case "scalar", "string":
		point, ok := data["result"].([]any)
		if !ok || len(point) != 2 {
			return nil, errShape
		}
		if data["resultType"] == "string" {
			return map[string]any{"value": point[1], "series": []any{}}, nil
		}
		p := pointOf(point)
		return map[string]any{"value": p.([]any)[1], "series": []any{one(query, map[string]any{}, []any{p})}}, nil
	case "vector", "matrix":
		list, ok := data["result"].([]any)
		if !ok {
			return nil, errShape
		}
		return series(list, query)
	}
	return nil, errShape
}

// series() returns the value for the series of a vector or a matrix. The key "value" has the last number of the first series.
func series(list []any, query string) (any, error) {
	all, count := []any{}, 0
	list = list[:min(len(list), MaxSeries)]
	texts := legends(list, query)
	for i, e := range list {
		m, _ := e.(map[string]any)
		points, _ := m["values"].([]any)
		if point, ok := m["value"].([]any); ok {
			points = []any{point}
		}
		if count += len(points); count > MaxValues {
			return nil, fmt.Errorf("more than %d numbers: ask for a longer step or fewer series", MaxValues)
		}
		values := make([]any, 0, len(points))
		for _, p := range points {
			p, ok := p.([]any)
			if !ok || len(p) != 2 {
				return nil, errShape
			}
			values = append(values, pointOf(p))
		}
		all = append(all, one(texts[i], labels(m), values))
	}
	return map[string]any{"value": last(all), "series": all}, nil
}

func one(text string, labels map[string]any, values []any) map[string]any {
	return map[string]any{"text": text, "labels": labels, "values": values}
}

func labels(m map[string]any) map[string]any {
	if l, ok := m["metric"].(map[string]any); ok {
		return l
	}
	return map[string]any{}
}

// last() returns the last number of the first series, or nil.
func last(all []any) any {
	if len(all) == 0 {
		return nil
	}
	values := all[0].(map[string]any)["values"].([]any)
	if len(values) == 0 {
		return nil
	}
	return values[len(values)-1].([]any)[1]
}

// pointOf returns a time and a number. The server sends the number as text. "NaN" and "+Inf" become null, because charts cannot show
// them.
func pointOf(p []any) any {
	text, _ := p[1].(string)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return []any{p[0], nil}
	}
	return []any{p[0], f}
}

// legends() returns the text of each series: the values of the labels in which the series differ. If no label differs, the text is the
// name of the metric. If the metric has no name, the text is the query.
func legends(list []any, query string) []string {
	same := map[string]any{}
	for i, e := range list {
		m, _ := e.(map[string]any)
		own := labels(m)
		for k, v := range own {
			if i == 0 {
				same[k] = v
			}
		}
		for k := range same {
			if !reflect.DeepEqual(same[k], own[k]) { // a hostile server may send values that are not texts
				delete(same, k)
			}
		}
	}
	texts := make([]string, len(list))
	for i, e := range list {
		m, _ := e.(map[string]any)
		texts[i] = legend(labels(m), same, query)
	}
	return texts
}

func legend(own, same map[string]any, query string) string {
	var keys, parts []string
	for k := range own {
		if _, ok := same[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		parts = append(parts, fmt.Sprint(own[k]))
	}
	name, _ := own["__name__"].(string)
	switch {
	case len(parts) > 0:
		return strings.Join(parts, " ")
	case name != "":
		return name
	}
	return query
}
