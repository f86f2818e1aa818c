package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"dashboard/config/recipe"
)

// A record answers the requests of a recipe with the files in the recipe's folder of answers.
type record struct {
	files fs.FS
	names []string

	mu    sync.Mutex
	bytes int
	hosts map[string]bool
}

func newRecord(files fs.FS) *record {
	r := &record{files: files, hosts: map[string]bool{}}
	list, _ := fs.ReadDir(files, recipe.Answers) // if there is no such folder, there are no answers
	for _, e := range list {
		r.names = append(r.names, e.Name())
	}
	return r
}

// totals() returns the total size of the sent answers in bytes, and the hosts of the requests.
func (r *record) totals() (n int, hosts []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes, slices.Sorted(maps.Keys(r.hosts))
}

// entities is the name of the file with the recorded states of Home Assistant's entities.
const entities = recipe.Answers + "/entities.json"

// states() returns the recorded states of Home Assistant's entities, by their ids.
func (r *record) states() map[string]any {
	all := map[string]any{}
	if data, err := fs.ReadFile(r.files, entities); err == nil {
		_ = json.Unmarshal(data, &all) // if the file is damaged, there are no states, and the picture shows this
	}
	return all
}

// provider returns a transport that answers the requests of the provider with the given name.
func (r *record) provider(name string) http.RoundTripper { return answers{r, name} }

type answers struct {
	record *record
	name   string
}

// RoundTrip answers a request with a recorded file. It first searches for the name PROVIDER-LAST, where LAST is the last part of the
// URL's path without its extension. If there is no such file, it uses the file PROVIDER. Each name can have any extension.
func (a answers) RoundTrip(req *http.Request) (*http.Response, error) {
	name, ok := a.record.find(a.name+"-"+last(req.URL.Path), a.name)
	if !ok {
		return nil, fmt.Errorf("there is no recorded answer %s/%s", recipe.Answers, a.name)
	}
	body, err := fs.ReadFile(a.record.files, path.Join(recipe.Answers, name))
	if err != nil {
		return nil, err
	}
	a.record.mu.Lock()
	a.record.bytes += len(body)
	a.record.hosts[req.URL.Host] = true
	a.record.mu.Unlock()
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req, Body: io.NopCloser(bytes.NewReader(body)),
		Header: http.Header{"Content-Type": {mime.TypeByExtension(path.Ext(name))}}, ContentLength: int64(len(body)),
	}, nil
}

// last() returns the last part of a path without its extension.
func last(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// find returns the first recorded file with one of the given names. It ignores the files' extensions.
func (r *record) find(names ...string) (string, bool) {
	for _, name := range names {
		for _, have := range r.names {
			if strings.TrimSuffix(have, path.Ext(have)) == name {
				return have, true
			}
		}
	}
	return "", false
}
