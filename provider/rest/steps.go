package rest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/provider/ask"
)

const (
	// maxSteps is the maximum number of steps for one value.
	maxSteps = 4
	// maxEach is the maximum number of requests that one step sends for the entries of a list. atOnce is the number of these requests
	// that run at the same time.
	maxEach = 20
	atOnce  = 4
	// maxKeptText is the maximum length, in bytes, of a kept text that is inserted into a request.
	maxKeptText = 4096
)

// Step is one of several requests for a value.
type Step struct {
	// Address. {NAME} is replaced by a kept value or by another provider's value, and {NAME.KEY} by a part of such a value. NAME has
	// lower-case letters, digits and _.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// HTTP method.
	Method string `yaml:"method" default:"GET" enum:"GET,POST,PUT,DELETE" case:"any"`
	// Additional request headers.
	Headers map[string]string `yaml:"headers"`
	// Query parameters.
	Params map[string]any `yaml:"params"`
	// Sent as JSON with POST and PUT.
	Body any `yaml:"body"`
	// Values for the following steps. Maps each name to a jq program over this step's answer.
	Keep map[string]string `yaml:"keep"`
	// Name of a kept list. The step sends a request for each of the list's first 20 entries. {NAME} in the request is the entry. The
	// step's answer is a list of all answers.
	Each string `yaml:"each"`
}

// A step is a Step that is ready for use.
type step struct {
	Step
	request fetch.Request // request into which the kept values are inserted
	keep    map[string]*extract.Extractor
}

// steps() checks the steps of a provider and prepares them. An error begins with the name of the configuration key that causes it.
func (p *Params) steps(d ask.Deps) ([]step, error) {
	if len(p.Steps) > maxSteps {
		return nil, fmt.Errorf("steps: at most %d, not %d", maxSteps, len(p.Steps))
	}
	var all []step
	known := map[string]bool{}
	for i, s := range p.Steps {
		one, err := p.step(d, s, known)
		if err != nil {
			return nil, fmt.Errorf("steps[%d].%w", i, err)
		}
		for name := range s.Keep {
			known[name] = true
		}
		all = append(all, one)
	}
	return all, nil
}

// kept matches a name in braces, with an optional path. The name belongs to a kept value or to another provider.
var kept = regexp.MustCompile(`\{([a-z][a-z0-9_]*)((?:\.[A-Za-z0-9_-]+)*)\}`)

// keptName matches the name of a kept value.
var keptName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func (p *Params) step(d ask.Deps, s Step, known map[string]bool) (one step, err error) {
	one = step{Step: s, keep: map[string]*extract.Extractor{}}
	if err := p.checkAddress(d, s.URL, known); err != nil {
		return one, fmt.Errorf("url: %w", err)
	}
	if s.Each != "" && !known[s.Each] {
		return one, fmt.Errorf("each: no earlier step keeps '%s'", s.Each)
	}
	if one.request, err = p.Keys.Request(d, "http://host.invalid/"); err != nil {
		return one, err
	}
	one.request.Secret = s.URLSecret
	for name, code := range s.Keep {
		if !keptName.MatchString(name) {
			return one, fmt.Errorf("keep: a name is small letters, digits and underlines, not '%s'", name)
		}
		if one.keep[name], err = extract.New("", code); err != nil {
			return one, fmt.Errorf("keep: %s: %w", name, err)
		}
	}
	return one, nil
}

// hosts() returns the hosts that the addresses of the steps contain. Requests go only to these hosts, because answers are not trusted to
// name other hosts.
func hosts(all []step) (list []string) {
	for _, s := range all {
		if u, err := url.Parse(kept.ReplaceAllString(s.URL, "x")); err == nil && u.Host != "" {
			list = append(list, u.Host)
		}
	}
	return list
}

// A chain sends the requests of the steps.
type chain struct {
	steps  []step
	client *fetch.Client
	value  func(ctx context.Context, body []byte) (any, error) // converts an answer to a value
	finish *extract.Extractor                                  // extracts the final value from {kept, answer}
	others *others
}

// ask sends all requests and returns the final value.
func (c *chain) ask(ctx context.Context) (any, error) {
	values, err := c.others.take()
	if err != nil {
		return nil, err
	}
	var answer any
	for _, s := range c.steps {
		var err error
		if s.Each == "" {
			answer, err = c.one(ctx, s, values)
		} else {
			answer, err = c.each(ctx, s, values)
		}
		if err != nil {
			return nil, err
		}
		for name, x := range s.keep {
			if values[name], err = x.Apply(ctx, answer); err != nil {
				return nil, fmt.Errorf("keep %s: %w", name, err)
			}
		}
	}
	return c.finish.Apply(ctx, map[string]any{"kept": values, "answer": answer})
}

// one() sends one request and returns its answer.
func (c *chain) one(ctx context.Context, s step, values map[string]any) (any, error) {
	r := s.request
	var err error
	if r.URL, err = fill(s.URL, values, true); err != nil {
		return nil, err
	}
	params, err := deep(s.Params, values)
	if err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	query, _ := params.(map[string]any)
	r.Method, r.Query = s.Method, parameters(query)
	r.Header = map[string]string{}
	for _, all := range []map[string]string{s.request.Header, s.Headers} {
		for name, text := range all {
			if r.Header[name], err = fill(text, values, false); err != nil {
				return nil, err
			}
		}
	}
	if slices.Contains([]string{http.MethodPost, http.MethodPut}, strings.ToUpper(s.Method)) && s.Body != nil {
		if r.JSON, err = deep(s.Body, values); err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
	}
	resp, err := c.client.Do(ctx, &r)
	if err != nil {
		return nil, err
	}
	defer resp.Release()
	if err := resp.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Shown(), err)
	}
	v, err := c.value(ctx, ask.Plain(resp.Body, resp.ContentType))
	return v, resp.Misread(err)
}

// each() sends a request for each entry of a list and returns the list of answers, in the order of the entries. If the request for an entry
// fails, its answer is null. If all requests fail, the result is the first error.
func (c *chain) each(ctx context.Context, s step, values map[string]any) (any, error) {
	list, ok := values[s.Each].([]any)
	if !ok {
		return nil, fmt.Errorf("each: %s is no list", s.Each)
	}
	list = list[:min(len(list), maxEach)]
	answers, failures := make([]any, len(list)), make([]error, len(list))
	var wg sync.WaitGroup
	turn := make(chan struct{}, atOnce)
	for i, entry := range list {
		turn <- struct{}{}
		wg.Go(func() {
			defer func() { <-turn }()
			own := maps.Clone(values)
			own[s.Each] = entry
			answers[i], failures[i] = c.one(ctx, s, own)
		})
	}
	wg.Wait()
	if err := errors.Join(failures...); err != nil && !slices.ContainsFunc(failures, func(e error) bool { return e == nil }) {
		return nil, cmp.Or(failures[0], err)
	}
	return answers, nil
}

// fill replaces the names in braces in a text by their values. If `address` is true, it escapes the values, except a value at the beginning
// of the address.
func fill(text string, values map[string]any, address bool) (string, error) {
	var b strings.Builder
	last := 0
	for _, m := range kept.FindAllStringSubmatchIndex(text, -1) {
		v, ok := values[text[m[2]:m[3]]]
		if !ok {
			continue // the braces do not contain the name of a value, for example in JSON
		}
		word, err := wordOf(inside(v, text[m[4]:m[5]]))
		if err != nil {
			return "", fmt.Errorf("%s: %w", text[m[0]:m[1]], err)
		}
		b.WriteString(text[last:m[0]])
		switch {
		case !address || b.Len() == 0:
		case strings.Contains(b.String(), "?"):
			word = url.QueryEscape(word)
		case word == "." || word == "..": // a server would interpret these words as folders
			return "", fmt.Errorf("%s: must not be %q", text[m[0]:m[1]], word)
		default:
			word = url.PathEscape(word)
		}
		b.WriteString(word)
		last = m[1]
	}
	return b.String() + text[last:], nil
}

// inside() returns the part of a value at a path, such as .key of a mapping or .0 of a list. It returns nil if the part is missing.
func inside(v any, path string) any {
	for _, part := range strings.Split(path, ".")[1:] {
		switch in := v.(type) {
		case map[string]any:
			v = in[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// wordOf returns a kept value as text. A list or mapping is an error.
func wordOf(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", errors.New("there is no such value")
	case []any, map[string]any:
		return "", errors.New("must be a text or a number")
	case string:
		if len(v) > maxKeptText {
			return "", fmt.Errorf("a text of more than %d bytes", maxKeptText)
		}
		return v, nil
	default:
		return fmt.Sprint(v), nil
	}
}

// deep() inserts kept values into all texts of a value. A text that consists only of {NAME} becomes the kept value itself, which keeps
// its type and may be null. A missing value inside a longer text is an error, because the server would otherwise receive the braces.
func deep(v any, values map[string]any) (any, error) {
	switch v := v.(type) {
	case string:
		if m := kept.FindStringSubmatch(v); m != nil && m[0] == v && m[2] == "" {
			if whole, ok := values[m[1]]; ok {
				return whole, nil
			}
		}
		return fill(v, values, false)
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			var err error
			if list[i], err = deep(e, values); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		m := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) { // sorted, so that the same error is reported each time
			var err error
			if m[k], err = deep(v[k], values); err != nil {
				return nil, fmt.Errorf("%s: %w", k, err)
			}
		}
		return m, nil
	}
	return v, nil
}

// lastProgram returns the program for the answer of the last step. The program defines the kept values as variables.
func lastProgram(steps []step, code string) string {
	head := ""
	var names []string
	for _, s := range steps {
		names = append(names, slices.Sorted(maps.Keys(s.Keep))...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		head += fmt.Sprintf(".kept.%s as $%s | ", name, name)
	}
	return head + ".answer | " + cmp.Or(code, ".")
}
