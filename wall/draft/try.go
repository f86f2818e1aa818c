package draft

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/calendar"
	"dashboard/server"
	"dashboard/wall/scene"
)

const (
	// testTime is the time limit for testing a provider.
	testTime = 10 * time.Second
	// answerTime is the time limit for the answers to the requests of a test. It is shorter than testTime, so that a provider with several
	// addresses can report which of them does not answer.
	answerTime = 8 * time.Second
	// maxExcerpt is the maximum length of the part of an answer that a test shows, in bytes.
	maxExcerpt = 4 << 10
	// maxAnswers is the maximum number of answers that a test records.
	maxAnswers = 32
	// maxEvents is the maximum number of a calendar's events that a test shows.
	maxEvents = 3
)

// A recorder is an HTTP transport. It forwards requests and records the answers.
type recorder struct {
	through http.RoundTripper
	until   time.Time // time at which all requests end

	mu  sync.Mutex // guards the fields below and all recorded answers
	all []*answer
}

// An answer is a recorded answer of a provider's source.
type answer struct {
	of     *recorder
	at     *url.URL
	part   string // name of the calendar, or ""
	status int
	header http.Header
	asked  time.Time
	took   time.Duration // time from the request to the last received byte
	size   int           // number of bytes
	body   bytes.Buffer  // the first bytes
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	one := &answer{of: r, at: q.URL, part: fetch.PartOf(q.Context()), asked: time.Now()}
	ctx, end := context.WithDeadline(q.Context(), r.until)
	a, err := r.through.RoundTrip(q.WithContext(ctx))
	if err != nil {
		end()
		return nil, err
	}
	if talk, ok := a.Body.(io.ReadWriteCloser); ok && a.StatusCode == http.StatusSwitchingProtocols {
		a.Body = &upgraded{talk, end} // the WebSocket of a Home Assistant, which also writes; its messages are not an answer of a web server
		return a, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	one.status, one.header, one.took = a.StatusCode, a.Header.Clone(), time.Since(one.asked)
	if len(r.all) == maxAnswers {
		r.all = slices.Delete(r.all, 0, 1)
	}
	r.all = append(r.all, one)
	a.Body = &recorded{io.TeeReader(a.Body, one), a.Body, end}
	return a, nil
}

// A recorded is the body of a recorded answer. Its end frees the timer of the request.
type recorded struct {
	io.Reader
	body io.Closer
	end  context.CancelFunc
}

func (r *recorded) Close() error {
	defer r.end()
	return r.body.Close()
}

// An upgraded is the connection after a change of the protocol. Its end frees the timer of the request.
type upgraded struct {
	io.ReadWriteCloser
	end context.CancelFunc
}

func (u *upgraded) Close() error {
	defer u.end()
	return u.ReadWriteCloser.Close()
}

// Write implements io.Writer. It records the first bytes of an answer.
func (a *answer) Write(p []byte) (int, error) {
	a.of.mu.Lock()
	defer a.of.mu.Unlock()
	a.took, a.size = time.Since(a.asked), a.size+len(p)
	if room := maxExcerpt - a.body.Len(); room > 0 {
		a.body.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// shown() returns the answer that explains the result of a test best: the first error, else the first web page, else the last answer. The
// list must not be empty.
func shown(all []*answer) *answer {
	page := func(a *answer) bool {
		return a.status/100 != 3 && strings.HasPrefix(a.header.Get("Content-Type"), "text/html")
	}
	for _, bad := range []func(*answer) bool{func(a *answer) bool { return a.status >= http.StatusBadRequest }, page} {
		if i := slices.IndexFunc(all, bad); i >= 0 {
			return all[i]
		}
	}
	return all[len(all)-1]
}

// `hidden` lists the headers of an answer that may contain secrets.
var hidden = []string{"Set-Cookie", "Www-Authenticate", "Authorization", "Proxy-Authenticate"}

// fields() describes in `out` the answer that explains the result of a test best, and masks secrets. If `part` is not "", it considers
// only the answers for the calendar with this name.
func (r *recorder) fields(out map[string]any, mask *strings.Replacer, part string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	if part != "" {
		all = slices.DeleteFunc(slices.Clone(all), func(a *answer) bool { return a.part != part })
	}
	if len(all) == 0 {
		return
	}
	a := shown(all)
	headers := []map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		if !slices.Contains(hidden, name) {
			headers = append(headers, map[string]any{"name": name, "value": mask.Replace(strings.Join(a.header[name], ", "))})
		}
	}
	out["status"], out["status_text"], out["headers"] = a.status, http.StatusText(a.status), headers
	out["seconds"], out["size"] = a.took.Seconds(), a.size
	out["excerpt"] = mask.Replace(strings.ToValidUTF8(a.body.String(), "\uFFFD"))
}

// test answers POST /edit/drafts/ID/test. It requests the value of a provider in the draft once.
func (d *Editor) test(ctx context.Context, c server.EditCall) (server.EditAnswer, error) {
	var in struct {
		Provider string `json:"provider"`
		Use      bool   `json:"use"` // true to store the link that the last test has found, and to test this link
	}
	t, err := d.Find(c.ID)
	if err != nil {
		return server.EditAnswer{}, err
	}
	if err := decode(c.Body, &in); err != nil {
		return server.EditAnswer{}, err
	}
	select {
	case d.testing <- struct{}{}:
		defer func() { <-d.testing }()
	default:
		return server.EditAnswer{}, fail(429, "another test is under way: it ends within ten seconds")
	}
	v, err := t.try(ctx, in.Provider, in.Use)
	return server.EditAnswer{Fields: v}, err
}

// try requests the value of a provider and returns the result of the test. It uses a separate client and separate providers, so that it
// does not affect the running wall. If `use` is true, it first stores the link of the last test, unless the test is refused.
func (t *Draft) try(ctx context.Context, name string, use bool) (map[string]any, error) {
	t.mu.Lock()
	if !t.open() {
		t.mu.Unlock()
		return nil, fail(404, "the draft is closed")
	}
	from, definition, err := t.folder(Shot{valid: true}), t.definition(name), t.untestable(name)
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	record := &recorder{through: transport, until: time.Now().Add(answerTime)}
	b := t.editor.build.Apart(fetch.NewWith(record))
	defer b.Providers.Close()
	g, report := b.Load(from, alone)
	if g == nil {
		return nil, fail(422, "%s", firstError(report))
	}
	if _, known := g.Sources.Named(name); !known {
		return nil, fail(404, "there is no provider '%s'", name)
	}
	if use {
		if err := t.useLink(name); err != nil {
			return nil, err
		}
		return t.try(ctx, name, false) // load the new secret
	}
	ctx, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	g.Sources.Try(ctx, name)
	g.Sources.Settle(ctx)
	st, _ := g.Sources.Status(name, time.Now())
	out := tested(st, g, record)
	if st.Err == nil && !st.At.IsZero() {
		value := allOf(ctx, g, name, st.Value)
		t.keepTried(tried{name, definition, value, st.At, max(record.size(), int(min(provider.SizeOf(value), maxTried+1)))})
	}
	if link := record.link(); link != nil {
		t.offer(name, link, out)
	}
	return out, nil
}

// allOf returns the tested value of a provider. If the provider's source has more entries, for example all entities of a Home Assistant, the
// value gets these entries too, so that a person can choose an entry that no widget uses yet. If all entries together are too large, the
// value keeps only the tested ones.
func allOf(ctx context.Context, g *scene.Generation, name string, value any) any {
	p, _ := g.Sources.Provider(name)
	lister, ok := p.(provider.Lister)
	used, isMap := value.(map[string]any)
	if !ok || !isMap {
		return value
	}
	all, err := lister.All(ctx)
	if err != nil {
		return value
	}
	maps.Copy(all, used)
	if provider.SizeOf(all) > maxTried {
		return value
	}
	return all
}

// tested() returns the result of a test. `record` contains the answers.
func tested(st provider.Status, g *scene.Generation, record *recorder) map[string]any {
	mask := g.Secrets.Mask()
	out := map[string]any{"works": st.Err == nil && !st.At.IsZero(), "words": "it works", "events": []map[string]any{}, "headers": []map[string]any{}}
	record.fields(out, mask, "")
	switch {
	case st.Err != nil:
		out["words"] = cmp.Or(record.notJSON(st.Err), reasonOf(st.Err, mask))
		if text := mask.Replace(st.Err.Error()); st.Kind != "calendar" && text != out["words"] && !strings.Contains(text, fetch.SecretURL) {
			out["details"] = text // the error of a source with several steps names the failed step
		}
	case st.At.IsZero():
		out["words"] = "no answer within ten seconds"
	default:
		out["value"], out["cut"] = scene.Show(provider.Plain(st.Value), maxEval, mask)
	}
	a, _ := st.Value.(*calendar.Agenda)
	if a != nil {
		out["events"], _ = coming(a, "", time.Now(), mask)
	}
	if st.Kind == "calendar" {
		out["calendars"] = calendarsTested(a, st.Err, record, mask)
	}
	return out
}
