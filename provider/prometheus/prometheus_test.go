package prometheus

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/hostiletest"
	"dashboard/internal/testing/thorough"
	"dashboard/provider/ask"
)

// Answers as Prometheus 2.42 sends them.
const (
	vector = `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"up","instance":"a:1","job":"n"},"value":[1782900000.123,"1"]},{"metric":{"__name__":"up","instance":"b:1","job":"n"},"value":[1782900000.123,"NaN"]}]}}`
	matrix = `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up"},"values":[[1782900000,"0.5"],[1782900060,"+Inf"],[1782900120,"2"]]}]}}`
	scalar = `{"status":"success","data":{"resultType":"scalar","result":[1782900000,"7"]}}`
	words  = `{"status":"success","data":{"resultType":"string","result":[1782900000,"hello"]}}`
	empty  = `{"status":"success","data":{"resultType":"vector","result":[]}}`
	bad    = `{"status":"error","errorType":"bad_data","error":"parse error: unclosed left parenthesis"}`
)

func TestRead(t *testing.T) {
	for in, want := range map[string]string{
		vector: `{"series":[{"labels":{"__name__":"up","instance":"a:1","job":"n"},"text":"a:1","values":[[1782900000.123,1]]},{"labels":{"__name__":"up","instance":"b:1","job":"n"},"text":"b:1","values":[[1782900000.123,null]]}],"value":1}`,
		matrix: `{"series":[{"labels":{"__name__":"up"},"text":"up","values":[[1782900000,0.5],[1782900060,null],[1782900120,2]]}],"value":2}`,
		scalar: `{"series":[{"labels":{},"text":"q","values":[[1782900000,7]]}],"value":7}`,
		words:  `{"series":[],"value":"hello"}`,
		empty:  `{"series":[],"value":null}`,
	} {
		v, err := Read(t.Context(), []byte(in), "q")
		if got, _ := json.Marshal(v); err != nil || string(got) != want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", in, got, err, want)
		}
	}
	for in, want := range map[string]string{
		bad: "bad_data: parse error", `{}`: errShape.Error(), `[1]`: errShape.Error(), `{"status":"success"`: "not JSON",
		`{"status":"success","data":{"resultType":"scalar","result":[1]}}`:                    errShape.Error(),
		`{"status":"success","data":{"resultType":"matrix","result":[{"values":[[1]]}]}}`:     errShape.Error(),
		`{"status":"success","data":{"resultType":"matrix","result":[{"values":["a","b"]}]}}`: errShape.Error(),
	} {
		if v, err := Read(t.Context(), []byte(in), "q"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v, want %q", in, v, err, want)
		}
	}
}

// TestLabels reads series whose labels are lists and mappings. A comparison of these labels with == would panic.
func TestLabels(t *testing.T) {
	text := `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":["x"],"b":{}},"value":[1,"1"]},{"metric":{"a":["y"],"b":{}},"value":[1,"2"]}]}}`
	v, err := Read(t.Context(), []byte(text), "q")
	if err != nil {
		t.Fatal(err)
	}
	if got := v.(map[string]any)["series"].([]any)[1].(map[string]any)["text"]; got != "[y]" {
		t.Errorf("got %v", got)
	}
}

func TestBounds(t *testing.T) {
	many := strings.Repeat(`{"metric":{},"value":[1,"1"]},`, MaxSeries+5)
	v, err := Read(t.Context(), []byte(`{"status":"success","data":{"resultType":"vector","result":[`+strings.TrimSuffix(many, ",")+`]}}`), "q")
	if err != nil || len(v.(map[string]any)["series"].([]any)) != MaxSeries {
		t.Errorf("got %v", err)
	}
	points := strings.TrimSuffix(strings.Repeat(`[1,"1"],`, MaxValues+1), ",")
	if _, err := Read(t.Context(), []byte(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[`+points+`]}]}}`), "q"); err == nil {
		t.Error("any number of values is taken")
	}
}

// TestRequests requests the present value, and a range that ends at a multiple of the step.
func TestRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Date(2026, 7, 1, 10, 0, 42, 0, time.UTC)
		p := Params{Query: "up", Range: value.Duration(6 * time.Hour)}
		step, err := p.step()
		if err != nil || step != 72*time.Second {
			t.Fatal(step, err)
		}
		if got := p.parameters(step, now).Encode(); got != "end=1782900000&query=up&start=1782878400&step=72" {
			t.Errorf("got %s", got)
		}
		p = Params{Query: "up"}
		if got := p.parameters(0, now.Add(5*time.Millisecond)).Encode(); got != "query=up&time=1782900042.005" {
			t.Errorf("got %s", got)
		}
	})
}

func TestServer(t *testing.T) {
	var path string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.Path
		if r.FormValue("query") == "(" {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, bad)
			return
		}
		fmt.Fprint(w, matrix)
	}))
	defer server.Close()
	client := fetch.New(&fetch.Options{})
	defer client.CloseIdle()
	_, s, err := New(&Params{URL: server.URL + "/prom/", Query: "up", Range: value.Duration(time.Hour), UpdateInterval: value.Duration(time.Minute)}, ask.Deps{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Try(t.Context(), true); r.Err != nil || r.Value.(map[string]any)["value"] != 2.0 || path != "/prom/api/v1/query_range" {
		t.Errorf("got %v from %s", r, path)
	}
	_, s, err = New(&Params{URL: server.URL, Query: "("}, ask.Deps{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Try(t.Context(), true); r.Err == nil || !strings.Contains(r.Err.Error(), "unclosed left parenthesis") || path != "/api/v1/query" {
		t.Errorf("got %v from %s", r, path)
	}
}

func TestMistakes(t *testing.T) {
	for key, p := range map[string]Params{
		"url: must be the address": {URL: "http://h/?query=up", Query: "up"},
		"url: ":                    {URL: "h:9090", Query: "up"},
		"step: is for a range":     {URL: "http://h", Query: "up", Step: 1},
		"step: a range of":         {URL: "http://h", Query: "up", Range: value.Duration(24 * time.Hour), Step: value.Duration(time.Second)},
		"query: ":                  {URL: "http://h", Query: strings.Repeat("x", maxQuery+1)},
	} {
		if _, _, err := New(&p, ask.Deps{}); err == nil || !strings.HasPrefix(err.Error(), key) {
			t.Errorf("got %v, want %q", err, key)
		}
	}
}

// FuzzRead reads any bytes as an answer.
func FuzzRead(f *testing.F) {
	for _, s := range []string{vector, matrix, scalar, words, empty, bad} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if v, err := Read(t.Context(), body, "q"); err == nil {
			if _, err := json.Marshal(v); err != nil {
				t.Skip(err) // JSON cannot represent an infinite time
			}
		}
	})
}

// TestHostile sends instant queries and range queries to hostile servers.
func TestHostile(t *testing.T) {
	thorough.Only(t)
	client := fetch.New(&fetch.Options{})
	defer client.CloseIdle()
	for name, span := range map[string]time.Duration{"instant": 0, "range": time.Hour} {
		t.Run(name, func(t *testing.T) {
			hostiletest.Each(t, func(t *testing.T, url string, timeout time.Duration) error {
				_, s, err := New(&Params{URL: url, Query: "up", Range: value.Duration(span), Keys: ask.Keys{Timeout: value.Duration(timeout)}}, ask.Deps{Client: client})
				if err != nil {
					t.Fatal(err)
				}
				return s.Try(t.Context(), true).Err
			})
		})
	}
}
