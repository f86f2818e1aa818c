package immich

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/hostiletest"
	"dashboard/internal/testing/thorough"
	"dashboard/provider/ask"
)

const (
	idA = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	idB = "6ba7b811-9dad-11d1-80b4-00c04fd430c8"
	key = "hush-hush"

	// photoA and photoB are assets as Immich 1.1xx sends them (AssetResponseDto, OpenAPI).
	photoA = `{"id":"` + idA + `","deviceAssetId":"web-1","ownerId":"` + idB + `","type":"IMAGE","originalPath":"upload/library/x.jpg","originalFileName":"IMG_1.JPG","originalMimeType":"image/jpeg","thumbhash":"3OcRJYB4d3h/iIeHeEh3eIhw+j2w","fileCreatedAt":"2022-05-15T08:30:00.000Z","localDateTime":"2022-05-15T10:30:00.000Z","isFavorite":false,"isArchived":false,"isTrashed":false,"visibility":"timeline","duration":"0:00:00.00000","exifInfo":{"make":"Canon","city":"Lisboa","state":"Lisboa","country":"Portugal","latitude":38.7,"longitude":-9.1,"description":""},"people":[],"checksum":"x=","isOffline":false,"hasMetadata":true}`
	photoB = `{"id":"` + idB + `","type":"IMAGE","originalFileName":"IMG_2.HEIC","localDateTime":"2021-12-24T18:00:00.000Z","isTrashed":false,"exifInfo":{"city":null,"state":null,"country":null}}`
	video  = `{"id":"` + idB + `","type":"VIDEO","originalFileName":"a.mp4"}`
)

// fake answers requests as an Immich server does.
func fake(t *testing.T, asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*asked = append(*asked, r.Method+" "+r.URL.RequestURI()+" "+string(body))
		if r.Header.Get("x-api-key") != key {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"message":"Invalid API key","error":"Unauthorized","statusCode":401,"correlationId":"abc"}`)
			return
		}
		switch r.Method + " " + r.URL.Path {
		case "POST /api/search/random":
			fmt.Fprint(w, "["+photoA+","+video+","+photoB+"]")
		case "GET /api/albums":
			fmt.Fprintf(w, `[{"albumName":"holiday","id":"%s","assetCount":1},{"albumName":"Holiday","id":"%s","assetCount":2}]`, idA, idB)
		case "GET /api/search/person":
			fmt.Fprintf(w, `[{"id":"%s","name":"Anna","birthDate":null,"thumbnailPath":"","isHidden":false}]`, idA)
		case "GET /api/memories":
			fmt.Fprintf(w, `[{"id":"%s","type":"on_this_day","data":{"year":2022},"memoryAt":"2022-05-15T00:00:00.000Z","isSaved":false,"assets":[%s]},{"id":"x","data":{"year":2021},"assets":[%s]}]`, idA, photoA, photoB)
		case "GET /api/assets/" + idA + "/thumbnail":
			w.Header().Set("Content-Type", "image/jpeg")
			fmt.Fprint(w, "\xff\xd8 bytes")
		default:
			http.NotFound(w, r)
		}
	}
}

func from(t *testing.T, url, apiKey string, pick Select) *Provider {
	t.Helper()
	return fromWithin(t, url, apiKey, pick, time.Minute)
}

// fromWithin creates a provider whose requests fail after a timeout.
func fromWithin(t *testing.T, url, apiKey string, pick Select, timeout time.Duration) *Provider {
	t.Helper()
	p := Params{URL: url, Key: apiKey, Select: pick, UpdateInterval: value.Duration(time.Hour)}
	p.Timeout = value.Duration(timeout)
	_, v, err := New(&p, ask.Deps{Client: fetch.New(&fetch.Options{}), Location: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	v.now = func() time.Time { return time.Date(2026, 5, 15, 23, 0, 0, 0, time.UTC) }
	return v
}

// TestLists checks the exact requests, and the values that are made from the answers.
func TestLists(t *testing.T) {
	var asked []string
	server := httptest.NewServer(fake(t, &asked))
	defer server.Close()
	const both = `{"count":2,"photos":[{"id":"` + idA + `","name":"IMG_1.JPG","place":"Lisboa, Portugal","taken":"2022-05-15T10:30:00"},{"id":"` + idB + `","name":"IMG_2.HEIC","place":"","taken":"2021-12-24T18:00:00"}]}`
	for _, c := range []struct {
		pick  Select
		asked string
	}{
		{Select{}, `POST /api/search/random {"size":250,"type":"IMAGE","withExif":true}`},
		{Select{Album: "Holiday"}, `GET /api/albums |POST /api/search/random {"albumIds":["` + idB + `"],"size":250,"type":"IMAGE","withExif":true}`},
		{Select{Album: idA}, `POST /api/search/random {"albumIds":["` + idA + `"],"size":250,"type":"IMAGE","withExif":true}`},
		{Select{Person: "anna"}, `GET /api/search/person?name=anna |POST /api/search/random {"personIds":["` + idA + `"],"size":250,"type":"IMAGE","withExif":true}`},
		{Select{Memories: true}, `GET /api/memories?type=on_this_day&for=2026-05-15T00%3A00%3A00.000Z `},
	} {
		asked = nil
		p := from(t, server.URL+"/", key, c.pick)
		r := p.Try(t.Context(), true)
		got, _ := json.Marshal(r.Value)
		if r.Err != nil || string(got) != both {
			t.Errorf("%+v: got %s, %v", c.pick, got, r.Err)
		}
		if got := strings.Join(asked, "|"); got != c.asked {
			t.Errorf("%+v: asked\n%s, want\n%s", c.pick, got, c.asked)
		}
		data, err := p.Kept(r.Value)
		if err != nil {
			t.Error(err)
		}
		if v, err := p.Restore(data, time.Now()); err != nil || fmt.Sprint(v) != fmt.Sprint(r.Value) {
			t.Errorf("kept: got %v, %v", v, err)
		}
	}
	p := from(t, server.URL, key, Select{})
	data, release, err := p.Preview(t.Context(), idA, 1<<20)
	if err != nil || string(data) != "\xff\xd8 bytes" || !strings.HasPrefix(asked[len(asked)-1], "GET /api/assets/"+idA+"/thumbnail?size=preview ") {
		t.Errorf("got %q, %v, asked %s", data, err, asked[len(asked)-1])
	}
	release()
	for name, p := range map[string]*Provider{
		"401":                      from(t, server.URL, "wrong", Select{}),
		"there is no album 'Work'": from(t, server.URL, key, Select{Album: "Work"}),
	} {
		if r := p.Try(t.Context(), true); r.Err == nil || !strings.Contains(r.Err.Error(), name) || strings.Contains(r.Err.Error(), key) {
			t.Errorf("%s: got %v", name, r.Err)
		}
	}
}

// TestHostile checks that hostile servers cause errors that do not contain the key. The servers hang, send slowly, send wrong data,
// redirect to other hosts, send half an answer, or send a decompression bomb. No other host gets the key.
func TestHostile(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	var told atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		told.Store(told.Load() || r.Header.Get("x-api-key") != "")
		fmt.Fprint(w, "[]")
	}))
	defer other.Close()
	stop := make(chan struct{})
	servers := []*httptest.Server{}
	defer func() {
		close(stop)
		for _, s := range servers {
			s.Close()
		}
	}()
	for name, reply := range map[string]http.HandlerFunc{
		"hang":      hostiletest.Hang(stop),
		"drip":      hostiletest.Drip(stop, http.StatusOK, "[", " "),
		"lie":       func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>please log in</html>") },
		"an object": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"photos": []}`) },
		"half":      func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "["+photoA+",") },
		"empty":     func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "[]") },
		"other ids": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `[{"id":"../../server/config","type":"IMAGE"},{"id":7}]`)
		},
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x"+r.URL.Path, http.StatusFound) },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		},
		"bomb": hostiletest.Bomb(http.StatusOK, "[", "{},", 12<<20),
		"deep": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, strings.Repeat("[", 1<<20)) },
	} {
		server := httptest.NewServer(reply)
		servers = append(servers, server)
		timeout := time.Minute
		if name == "hang" || name == "drip" {
			timeout = time.Second // these servers do not complete an answer before the timeout
		}
		for _, pick := range []Select{{}, {Memories: true}, {Album: "Holiday"}} {
			p := fromWithin(t, server.URL, key, pick, timeout)
			if r := p.Try(t.Context(), true); r.Err == nil || strings.Contains(r.Err.Error(), key) {
				t.Errorf("%s %+v: got %v, %v", name, pick, r.Value, r.Err)
			}
		}
		if name == "hang" || name == "drip" {
			p := fromWithin(t, server.URL, key, Select{}, timeout)
			if _, _, err := p.Preview(t.Context(), idA, 1<<20); err == nil {
				t.Errorf("%s: a preview came", name)
			}
		}
	}
	if told.Load() {
		t.Error("another host was told the key")
	}
	if _, _, err := from(t, "http://127.0.0.1:1", key, Select{}).Preview(t.Context(), "../../config", 1<<20); err == nil || !strings.Contains(err.Error(), "no id") {
		t.Errorf("got %v", err)
	}
}

// TestMany: if a list has more photos than are wanted, decoding the list needs only the memory for the wanted photos.
func TestMany(t *testing.T) {
	var a album
	if err := a.read([]byte("[" + strings.Repeat(photoB+",", 5000) + photoB + "]")); err != nil || len(a.photos) != MaxPhotos {
		t.Errorf("got %d, %v", len(a.photos), err)
	}
	n := names{key: "name", want: "x"}
	if err := n.read([]byte("[" + strings.Repeat("{},", maxNames) + "{}]")); err == nil || !strings.Contains(err.Error(), "write the id") {
		t.Errorf("got %v", err)
	}
}

// TestSelect checks the valid and invalid forms of the key `select`.
func TestSelect(t *testing.T) {
	for text, want := range map[string]string{
		"random": "{false  }", "memories": "{true  }", "{album: Holiday}": "{false Holiday }", "{person: Anna}": "{false  Anna}",
		"favorites": "error", "{album: a, person: b}": "error", "{album: 7}": "error", "7": "error", "{other: x}": "error",
	} {
		var r config.Report
		n := config.Parse("x", []byte(text), &r, nil)
		var s Select
		got := "error"
		if err := s.SetNode(n, nil); err == nil {
			got = fmt.Sprint(s)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestMistakes: an error in the keys begins with the name of the key.
func TestMistakes(t *testing.T) {
	for want, p := range map[string]Params{"url: ": {URL: "gopher://h"}, "url: must": {URL: "http://h/?x=1"}} {
		if _, _, err := New(&p, ask.Deps{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// FuzzAnswers reads any bytes as each kind of answer.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte("[" + photoA + "]"))
	f.Add([]byte(`[{"assets":[` + photoB + `]},{}]`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a, m album
		n := names{key: "albumName", want: "x"}
		_, _, _ = a.read(data), m.readMemories(data), n.read(data)
		for _, all := range []album{a, m} {
			if len(all.photos) > MaxPhotos {
				t.Errorf("%d photos", len(all.photos))
			}
			for _, p := range all.photos {
				if id := p.(map[string]any)["id"].(string); !isID.MatchString(id) {
					t.Errorf("the id %q", id)
				}
			}
		}
	})
}
