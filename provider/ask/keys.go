// Package ask is the common part of all providers that send requests: the keys that set when and how an address is requested, and the
// requests themselves.
package ask

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/oauth"
	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/provider/todo"
)

// MaxTimes is the maximum number of times of day of one provider.
const MaxTimes = 96

// Keys are the configuration keys that all providers with requests have. The address and
// update_interval are not included, because their defaults depend on the type.
type Keys struct {
	// Times of day of the requests, instead of update_interval. The first request is sent when the wall starts.
	At []value.Clock `yaml:"at" maxlen:"96"`
	// Maximum random delay of each request.
	Jitter value.Duration `yaml:"jitter" default:"0"`
	// Timeout of each request.
	Timeout value.Duration `yaml:"timeout" default:"30" min:"0.1" max:"600"`
	// Request headers.
	Headers map[string]string `yaml:"headers"`
	// Login.
	Auth *query.Auth `yaml:"auth"`
	// PEM file of additional certificate authorities.
	CAFile string `yaml:"ca_file"`
	// Sends requests only while a widget with the value is visible, and for a minute afterwards. At other times, a due request waits.
	Visible bool `yaml:"only_when_visible" default:"false"`
}

// Deps are the dependencies of providers that send requests.
type Deps struct {
	Client   *fetch.Client
	Files    fs.FS          // root of file:// addresses and ca_file; nil means the working directory
	Location *time.Location // time zone of the times of day; nil means time.Local
	Sun      value.Sun      // sunrise and sunset at the wall's location; nil if the location is unknown

	Values map[string]*provider.Cell // cells of other providers; the keys are the names that requests use

	Name   string        // name of the provider
	Owner  string        // recipe to which the provider belongs; "" for the wall itself
	Grants *oauth.Grants // access that the user has granted with OAuth 2; nil if OAuth 2 is not possible
	Queues *todo.Queues  // queues for changes of tasks; nil accepts no changes
}

// Request returns a request for an address with the settings of the keys. An error begins with the name of the configuration key that
// causes it.
func (k *Keys) Request(d Deps, address string) (fetch.Request, error) {
	r := fetch.Request{URL: address, Header: k.Headers, Timeout: time.Duration(k.Timeout), CAFile: k.CAFile}
	if at, ok := d.Files.(interface{ Path(string) string }); ok && k.CAFile != "" {
		r.CAFile = at.Path(k.CAFile)
	}
	if !IsFile(address) {
		if err := fetch.CheckURL(address); err != nil {
			return r, fmt.Errorf("url: %w", err)
		}
	}
	var err error
	if k.Auth != nil && k.Auth.OAuth != nil {
		if r.Auth.Tokens, err = d.tokens(k.Auth.OAuth); err != nil {
			return r, fmt.Errorf("auth: %w", err)
		}
		return r, nil
	}
	if r.Auth, err = k.Auth.Who(); err != nil {
		return r, fmt.Errorf("auth: %w", err)
	}
	return r, nil
}

// Source returns a source for the address of a server or a folder, and the parsed address. The caller must set Ask. An error begins with
// the name of the configuration key that causes it.
func (k *Keys) Source(d Deps, name, address string, every value.Duration) (*Source, *url.URL, error) {
	s := &Source{Name: name, Client: d.Client}
	var err error
	if s.Request, err = k.Request(d, address); err != nil {
		return nil, nil, err
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
		return nil, nil, errors.New("url: must be the address of a server or a folder, http or https, without a query")
	}
	if s.Schedule, err = k.Schedule(d, every); err != nil {
		return nil, nil, err
	}
	return s, u, nil
}

// Schedule returns the schedule of the requests. An error begins with the name of the configuration key that causes it.
func (k *Keys) Schedule(d Deps, every value.Duration) (Schedule, error) {
	s := Schedule{Interval: time.Duration(every), Jitter: time.Duration(k.Jitter), Location: d.Location, WhenSeen: k.Visible, Sun: d.Sun, Times: k.At}
	if s.Location == nil {
		s.Location = time.Local
	}
	for _, t := range k.At {
		if t.Event != value.Midnight && s.Sun == nil {
			return s, errors.New("at: sunrise and sunset need a place: write location in conf.yaml")
		}
	}
	return s, nil
}

// Key returns a text that identifies a definition: its type and its parameters. The text is a hash,
// because parameters may contain secrets. `params` must contain only data.
func Key(kind string, params any) string {
	// Encoding fails only for values that no request could send, such as NaN. If encoding fails, the hash is computed from the printed
	// parameters.
	data, err := json.Marshal(params)
	if err != nil {
		data = fmt.Appendf(nil, "%+v", params)
	}
	sum := sha256.Sum256(data)
	return kind + ":" + hex.EncodeToString(sum[:16])
}
