package server

import (
	"io"
	"strconv"
	"strings"

	"github.com/VictoriaMetrics/metrics"
)

// stats counts the server's own activity.
type stats struct {
	set      *metrics.Set
	panics   *metrics.Counter
	turned   *metrics.Counter // connections that were closed because there were too many
	lost     *metrics.Counter // events that were replaced by newer events before they could be sent
	accepted *metrics.Counter // accepted notifications
	refused  *metrics.Counter
}

func newStats() *stats {
	set := metrics.NewSet()
	return &stats{
		set:      set,
		panics:   set.NewCounter("dashboard_http_panics_total"),
		turned:   set.NewCounter("dashboard_http_refused_connections_total"),
		lost:     set.NewCounter("dashboard_http_lost_events_total"),
		accepted: set.NewCounter(`dashboard_notifications_total{result="accepted"}`),
		refused:  set.NewCounter(`dashboard_notifications_total{result="refused"}`),
	}
}

func (f *stats) notified(err error) {
	if err != nil {
		f.refused.Inc()
		return
	}
	f.accepted.Inc()
}

// A routeCount counts the answers of one route.
type routeCount struct {
	byClass [6]*metrics.Counter // counters by class of status, for example 2xx at index 2
	bytes   *metrics.Counter
}

// route returns the counts of a route. Routes with the same name share them.
func (f *stats) route(name string) *routeCount {
	c := &routeCount{bytes: f.set.GetOrCreateCounter(MetricName("dashboard_http_sent_bytes_total", "route", name))}
	for class := 2; class < len(c.byClass); class++ {
		c.byClass[class] = f.set.GetOrCreateCounter(
			MetricName("dashboard_http_requests_total", "route", name, "status", strconv.Itoa(class)+"xx"))
	}
	return c
}

func (c *routeCount) add(status int, sent int64) {
	if status < 200 || status > 599 {
		status = 200 // net/http sends this status if the handler has set none
	}
	c.byClass[status/100].Inc()
	c.bytes.AddInt64(sent)
}

// MetricName returns the name of a metric with labels. `labels` alternates between names and values. A value may be any text.
func MetricName(name string, labels ...string) string {
	for i := 0; i+1 < len(labels); i += 2 {
		sep := ","
		if i == 0 {
			sep = "{"
		}
		name += sep + labels[i] + "=" + `"` + labelEscape.Replace(labels[i+1]) + `"`
	}
	if len(labels) > 1 {
		name += "}"
	}
	return name
}

// labelEscape escapes label values in the text format of Prometheus, version 0.0.4.
var labelEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// writeMeasure writes a metric. The ending of the name decides whether it is a counter or a gauge.
func writeMeasure(w io.Writer, name string, value float64) {
	base, _, _ := strings.Cut(name, "{")
	if strings.HasSuffix(base, "_total") {
		metrics.WriteCounterFloat64(w, name, value)
		return
	}
	metrics.WriteGaugeFloat64(w, name, value)
}
