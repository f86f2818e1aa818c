package rest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"dashboard/config/value"
	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/provider/ask"
	"dashboard/provider/document"
	"dashboard/provider/query"
)

// Params are the keys of a provider of type rest.
type Params struct {
	// Address to fetch, or file://PATH. Required without steps. {NAME.KEY} is replaced by a part of another provider's value, here
	// and in headers, params and body, but not in the host.
	URL       string `yaml:"url"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// Up to four requests instead of url, if a request needs a part of an earlier answer. The value is the last answer, or the result of
	// jq_expression, in which the values of keep are variables. json_path is not allowed.
	Steps []Step `yaml:"steps"`
	// HTTP method.
	Method string `yaml:"method" default:"GET" enum:"GET,POST,PUT,DELETE" case:"any"`
	// Query parameters. A list repeats the key for each entry.
	Params map[string]any `yaml:"params"`
	// Sent as JSON with POST and PUT.
	Body any `yaml:"body"`
	// Another name for body. If both are set, body applies.
	Payload any `yaml:"payload"`
	// Format of the answer.
	Parse string `yaml:"parse" default:"auto" enum:"auto,json,csv,xml,html,prometheus,text"`
	// CSS selector of the elements to read, with parse: html.
	Select string `yaml:"select"`
	// Path to the value inside the answer, such as list[0].name.
	JSONPath string `yaml:"json_path"`
	// A jq program applied after json_path.
	JQExpression string `yaml:"jq_expression"`
	// Pause between fetches.
	UpdateInterval value.Duration `yaml:"update_interval" default:"60" min:"1"`
	// Allows changing tasks at the wall. The value must be a list of mappings with id, title and done.
	Write bool `yaml:"write" default:"false"`
	// Requests to send after changes of tasks, if write is true.
	On On `yaml:"on"`
	ask.Keys
}

// A Config is the configuration of a provider. It is made from Params or from query.Address.
type Config struct {
	Request  fetch.Request // request to send
	Files    fs.FS         // root of a file address; nil if the address is not a file
	JSONPath string
	JQ       string
	Format   string // format of the answer; a name from package document
	Select   string // selector of elements in HTML
	Schedule ask.Schedule
	Static   bool // whether the requests end after the first success
	Plain    bool // whether the value is the text of the answer, even if it is JSON; ignored if there is a path or a program

	reader    document.Reader
	extractor *extract.Extractor

	Steps []Step // requests to send instead of Request
	steps []step
	last  *extract.Extractor // extracts the value from the last answer and the kept values

	others *others // providers whose values the requests contain; nil if there are no such providers
}

// chained() completes the Config of a provider with several requests.
func (p *Params) chained(c *Config, d ask.Deps) (*Config, error) {
	if p.URL != "" {
		return nil, errors.New("url: is for one request; write it as the first of steps")
	}
	var err error
	if c.steps, err = p.steps(d); err != nil {
		return nil, err
	}
	c.Steps, c.Request = p.Steps, c.steps[0].request
	if c.Schedule, err = p.Schedule(d, cmp.Or(p.UpdateInterval, value.Duration(time.Minute))); err != nil {
		return nil, err
	}
	if p.JSONPath != "" {
		return nil, errors.New("json_path: is for one request; write a jq_expression")
	}
	if c.last, err = extract.New("", lastProgram(c.steps, p.JQExpression)); err != nil {
		return nil, fmt.Errorf("jq_expression: %w", err)
	}
	c.JQ = ""
	if c, err = c.finish(nil); err == nil {
		c.JQ = p.JQExpression
	}
	return c, err
}

// filled() completes the Config of a provider with one request that contains values of other providers.
func (p *Params) filled(c *Config, d ask.Deps) (*Config, error) {
	body := p.Body
	if body == nil {
		body = p.Payload
	}
	one, err := p.step(d, Step{URL: p.URL, URLSecret: p.URLSecret, Method: p.Method, Params: p.Params, Body: body}, nil)
	if err != nil {
		return nil, err
	}
	c.steps, c.Steps, c.Request = []step{one}, []Step{one.Step}, one.request
	if c.Schedule, err = p.Schedule(d, cmp.Or(p.UpdateInterval, value.Duration(time.Minute))); err != nil {
		return nil, err
	}
	if c.last, err = extract.New("", ".answer"); err != nil {
		return nil, err
	}
	return c.finish(nil)
}

// Config checks the parameters and returns the configuration. An error begins with the name of the configuration key that causes it.
func (p *Params) Config(d ask.Deps) (*Config, error) {
	c := &Config{JSONPath: p.JSONPath, JQ: p.JQExpression, Format: p.Parse, Select: p.Select, others: p.othersOf(d)}
	if len(p.Steps) > 0 {
		return p.chained(c, d)
	}
	if c.others != nil {
		return p.filled(c, d)
	}
	if p.URL == "" {
		return nil, errors.New("'url' is required")
	}
	if m := kept.FindStringSubmatch(p.URL); m != nil && m[2] != "" {
		return nil, fmt.Errorf("url: no provider is named '%s'", m[1])
	}
	var err error
	if c.Request, err = p.Keys.Request(d, p.URL); err != nil {
		return nil, err
	}
	if ask.IsFile(p.URL) {
		c.Files = d.Files
	}
	if c.Schedule, err = p.Schedule(d, cmp.Or(p.UpdateInterval, value.Duration(time.Minute))); err != nil {
		return nil, err
	}
	c.Request.Secret = p.URLSecret
	c.Request.Method, c.Request.Query = p.Method, parameters(p.Params)
	body := p.Body
	if body == nil {
		body = p.Payload
	}
	return c.finish(body)
}

// widgetJitter is the maximum random time that is added to the pause between two requests of a widget. The random time is also at most
// half of the pause, as in Grydgets (docs/grydgets.md).
const widgetJitter = 15 * time.Second

// ForWidget returns the configuration for the request of a widget. An error begins with the name of the configuration key that causes it.
func ForWidget(p *query.Address) (*Config, error) {
	interval := time.Duration(cmp.Or(p.UpdateFrequency, 30)) * time.Second
	c := &Config{
		Request:  fetch.Request{URL: p.URL, Secret: p.URLSecret, Method: p.Method, Header: p.Headers, Timeout: seconds(p.Timeout)},
		JSONPath: p.JSONPath, JQ: p.JQExpression,
		Schedule: ask.Schedule{Interval: interval, Jitter: min(interval/2, widgetJitter)},
		Static:   p.Static, Plain: true,
	}
	var err error
	if c.Request.Auth, err = p.Auth.Who(); err != nil {
		return nil, fmt.Errorf("auth: %w", err)
	}
	if err := fetch.CheckURL(p.URL); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	return c.finish(p.Payload)
}

// finish adds the body if the method allows a body. It also checks the path and the jq program.
func (c *Config) finish(body any) (*Config, error) {
	if slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, strings.ToUpper(c.Request.Method)) {
		c.Request.JSON = body
	}
	var err error
	c.reader.Format = c.Format
	if c.Select != "" {
		if c.Format != document.HTML {
			return nil, errors.New("select: is for parse: html")
		}
		if c.reader.Selector, err = document.NewSelector(c.Select); err != nil {
			return nil, fmt.Errorf("select: %w", err)
		}
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

// parameters() encodes query parameters as Python's library requests does: null is omitted, a list repeats its key, and booleans begin with
// a capital.
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
