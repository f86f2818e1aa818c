package server

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"strconv"
	"time"

	"dashboard/netstream"

	"github.com/VictoriaMetrics/metrics"
)

// healthRetry is the value of Retry-After in the response of /healthz if there is a problem.
// Screens and sources try again after this time.
const healthRetry = 10 * time.Second

// healthz answers GET /healthz. The status is 200 if everything is healthy, and 503 with the same report otherwise.
func (s *Server) healthz(w http.ResponseWriter, r *http.Request) {
	report, ok := map[string]any{}, true
	if s.deps.Health != nil {
		report, ok = s.deps.Health()
	}
	if report == nil {
		report = map[string]any{}
	}
	if !s.trusts(r) {
		delete(report, Readers) // the number of e-readers stays in the report
	}
	now := s.now()
	events, mjpg := s.hub.count()
	report["success"] = ok
	report["clients"] = fields{"events": events, "mjpg": mjpg, "displays": s.hub.list(maxListed, now)}
	report["stream"] = streamReport(s.unasked(""), s.settings.Load().StreamOn, now)
	status := http.StatusOK
	if !ok {
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", strconv.Itoa(int(healthRetry.Seconds())))
	}
	answer(w, status, report)
}

// Readers is the key of the e-readers in the report. This part requires the control token, or the stream token if there is no control
// token, because it contains the addresses of e-readers. If an e-reader has no configured token, any caller that knows its address can
// request a token.
const Readers = "readers"

// trusts() reports whether a request has the token for managing e-readers, or the signature of a peer. If neither a control token nor a
// stream token is configured, it returns false.
func (s *Server) trusts(r *http.Request) bool {
	c := s.settings.Load()
	token := cmp.Or(c.ControlToken, c.StreamToken)
	return s.fromPeer(r) || token != nil && authorized(r, token)
}

// streamReport describes the stream output.
func streamReport(s *netstream.Stream, on bool, now time.Time) fields {
	st := s.Stats()
	sizes := []fields{}
	for _, z := range st.Sizes {
		sizes = append(sizes, fields{
			"width": z.W, "height": z.H, "bytes": z.Bytes, "seconds_since_asked": int(now.Sub(z.LastAsked).Seconds()),
		})
	}
	f := fields{"on": on, "published": st.Published, "lost": st.Lost, "sizes": sizes, "etag": nil, "seconds_since_published": nil}
	if cur, ok := s.Current(); ok {
		f["etag"], f["seconds_since_published"] = cur.ETag, int(now.Sub(cur.At).Seconds())
	}
	return f
}

// metrics() answers GET /metrics in the text format of Prometheus.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	var b bytes.Buffer
	s.stats.set.WritePrometheus(&b)
	s.writeOwn(&b)
	if s.deps.Measures != nil {
		for name, value := range s.deps.Measures {
			writeMeasure(&b, name, value)
		}
	}
	metrics.WriteProcessMetrics(&b)
	text := exposition(b.Bytes())
	h := w.Header()
	h.Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.Write(text)
}

// writeOwn writes the metrics that are read at the moment of the request.
func (s *Server) writeOwn(w io.Writer) {
	events, mjpg := s.hub.count()
	st := s.unasked("").Stats()
	for _, m := range []struct {
		name  string
		value float64
	}{
		{"dashboard_http_connections", float64(s.conns.Load())},
		{`dashboard_http_streams{kind="events"}`, float64(events)},
		{`dashboard_http_streams{kind="mjpg"}`, float64(mjpg)},
		{"dashboard_stream_frames_total", float64(st.Published)},
		{"dashboard_stream_lost_frames_total", float64(st.Lost)},
		{"dashboard_stream_encodes_total", float64(st.Encodes)},
		{"dashboard_stream_encode_seconds_total", st.EncodeTime.Seconds()},
		{"dashboard_stream_cache_bytes", float64(st.CacheBytes)},
		{"dashboard_stream_sizes", float64(len(st.Sizes))},
	} {
		writeMeasure(w, m.name, m.value)
	}
}
