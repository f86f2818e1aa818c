package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// undo refuses a request without choices, because a later save has changed the same lines and a person must choose. It accepts a request
// with choices.
func (e *cannedEditor) undo(w http.ResponseWriter, r *http.Request) {
	var sent struct {
		Choices []map[string]any
		Check   bool
	}
	_ = json.NewDecoder(r.Body).Decode(&sent)
	switch {
	case sent.Check:
		fmt.Fprint(w, cannedBodies["/d1/resolve"])
	case sent.Choices != nil:
		e.undone = sent.Choices
		fmt.Fprint(w, `{"saved":["widgets.yaml"],"version":3}`)
	default:
		w.WriteHeader(http.StatusConflict)
		fmt.Fprint(w, cannedBodies["/d1/apply"])
	}
}

// theme sends the recorded theme, or an error if noTheme is true. The theme's text size is replaced by the text size of the draft.
func (e *cannedEditor) theme(t *testing.T, w http.ResponseWriter) {
	e.themes++
	if e.noTheme {
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprint(w, `{"error":"widgets.yaml:3:12: an error"}`)
		return
	}
	data, err := os.ReadFile("testdata/editor/theme.json")
	if err != nil {
		t.Error(err)
	}
	scale := "1"
	for _, op := range e.ops {
		if op["op"] == "scale" {
			scale = op["value"].(string)
		}
	}
	w.Write(bytes.Replace(data, []byte(`"scale":1`), []byte(`"scale":"`+scale+`"`), 1))
}

// canned() sends the recorded body for a path. If no body is recorded for the path, the test fails.
func (e *cannedEditor) canned(t *testing.T, w http.ResponseWriter, path string) {
	for end, body := range cannedBodies {
		if path == end || strings.HasSuffix(path, end) && end != "/edit" {
			fmt.Fprint(w, cmp.Or(e.bodies[end], body))
			return
		}
	}
	if path != "/edit/events" {
		t.Errorf("the page asks for %s", path)
	}
	w.WriteHeader(http.StatusNotFound)
}

// operate records operations. For "set" it writes the value into the draft.
func (e *cannedEditor) operate(w http.ResponseWriter, r *http.Request) {
	var sent struct{ Ops []map[string]any }
	_ = json.NewDecoder(r.Body).Decode(&sent)
	if e.bad {
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprint(w, `{"error":"days is 1 to 400, got 900. Write a smaller number."}`)
		return
	}
	if e.moved {
		e.moved = false
		setParam(e.state["tree"].(map[string]any), map[string]any{"node": "w0.2", "key": "days", "value": "30"})
		w.WriteHeader(http.StatusConflict)
		fmt.Fprint(w, `{"error":"the lines have changed since"}`)
		return
	}
	for _, op := range sent.Ops {
		e.ops = append(e.ops, op)
		if op["op"] == "set" {
			setParam(e.state["tree"].(map[string]any), op)
		}
	}
	e.state["revision"] = e.state["revision"].(float64) + 1
	e.state["changes"], e.state["can_undo"] = len(e.ops), true
	_ = json.NewEncoder(w).Encode(e.state)
}

func setParam(node, op map[string]any) {
	params, _ := node["params"].([]any)
	there := false
	for _, p := range params {
		if p := p.(map[string]any); node["id"] == op["node"] && p["key"] == op["key"] {
			p["value"], there = op["value"], true
		}
	}
	if node["id"] == op["node"] && !there {
		node["params"] = append(params, map[string]any{"key": op["key"], "value": op["value"], "line": 1})
	}
	children, _ := node["children"].([]any)
	for _, c := range children {
		setParam(c.(map[string]any), op)
	}
}

func (e *cannedEditor) lastOp() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.ops) == 0 {
		return ""
	}
	op := e.ops[len(e.ops)-1]
	return fmt.Sprintf("%v %v %v", op["op"], op["key"], op["value"])
}
