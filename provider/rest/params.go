package rest

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/provider/query"
)

// Params are the keys of a provider of type rest.
type Params struct {
	URL            string            `yaml:"url" required:"true" doc:"Address to fetch."`
	Method         string            `yaml:"method" default:"GET" enum:"GET,POST,PUT,DELETE" case:"any" doc:"HTTP method."`
	Headers        map[string]string `yaml:"headers" doc:"Request headers."`
	Params         map[string]any    `yaml:"params" doc:"Query parameters; a list repeats its key."`
	Body           any               `yaml:"body" doc:"Sent as JSON with POST and PUT."`
	Payload        any               `yaml:"payload" doc:"Another word for body, which wins."`
	Auth           *query.Auth       `yaml:"auth" doc:"Who asks."`
	JSONPath       string            `yaml:"json_path" doc:"Path to the value inside the answer, such as list[0].name."`
	JQExpression   string            `yaml:"jq_expression" doc:"A jq program applied after json_path; its first result counts."`
	UpdateInterval int               `yaml:"update_interval" default:"60" min:"1" unit:"seconds" doc:"Pause between fetches."`
	Jitter         int               `yaml:"jitter" default:"0" min:"0" unit:"seconds" doc:"Up to this much is added to each pause at random."`
	Timeout        float64           `yaml:"timeout" default:"30" min:"0.1" max:"600" unit:"seconds" doc:"Longest time for one whole request."`
}

// A Config is what a Provider needs to know: a checked Params or query.Address.
type Config struct {
	Request  fetch.Request // as it is sent each time
	JSONPath string
	JQ       string
	Interval time.Duration // pause after a good fetch
	Jitter   time.Duration // most that is added to it
	Static   bool          // one good fetch is enough
	Plain    bool          // without path and jq the value is the answer's text, even if that is JSON

	extractor *extract.Extractor
}

// Config checks the parameters. The error begins with the key it is about.
func (p *Params) Config() (*Config, error) {
	c := &Config{
		Request:  fetch.Request{URL: p.URL, Method: p.Method, Header: p.Headers, Query: parameters(p.Params), Timeout: seconds(p.Timeout)},
		JSONPath: p.JSONPath, JQ: p.JQExpression,
		Interval: time.Duration(cmp.Or(p.UpdateInterval, 60)) * time.Second,
		Jitter:   time.Duration(p.Jitter) * time.Second,
	}
	body := p.Body
	if body == nil {
		body = p.Payload
	}
	return c.finish(body, p.Auth)
}

// widgetJitter is the most that is added to a widget's pause: Grydgets spreads its requests by half the pause, at most this.
const widgetJitter = 15 * time.Second

// ForWidget makes a configuration of what a widget asks for. The error begins with the key it is about.
func ForWidget(p *query.Address) (*Config, error) {
	interval := time.Duration(cmp.Or(p.UpdateFrequency, 30)) * time.Second
	c := &Config{
		Request:  fetch.Request{URL: p.URL, Method: p.Method, Header: p.Headers, Timeout: seconds(p.Timeout)},
		JSONPath: p.JSONPath, JQ: p.JQExpression,
		Interval: interval, Jitter: min(interval/2, widgetJitter),
		Static: p.Static, Plain: true,
	}
	return c.finish(p.Payload, p.Auth)
}

// finish adds the body, where the method has one, and who asks, and checks everything.
func (c *Config) finish(body any, auth *query.Auth) (*Config, error) {
	if slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, strings.ToUpper(c.Request.Method)) {
		c.Request.JSON = body
	}
	var err error
	if c.Request.Auth, err = auth.Who(); err != nil {
		return nil, fmt.Errorf("auth: %w", err)
	}
	if err := fetch.CheckURL(c.Request.URL); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	if _, err := extract.New(c.JSONPath, ""); err != nil {
		return nil, fmt.Errorf("json_path: %w", err)
	}
	if c.extractor, err = extract.New(c.JSONPath, c.JQ); err != nil {
		return nil, fmt.Errorf("jq_expression: %w", err)
	}
	return c, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// parameters writes them as Python's requests does: nulls are left out, lists repeat their key, booleans are capitalised.
func parameters(params map[string]any) url.Values {
	if len(params) == 0 {
		return nil
	}
	q := url.Values{}
	for k, v := range params {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, e := range list {
			switch e := e.(type) {
			case nil:
			case bool:
				q.Add(k, map[bool]string{true: "True", false: "False"}[e])
			default:
				q.Add(k, fmt.Sprint(e))
			}
		}
	}
	return q
}
