package query

import (
	"errors"

	"dashboard/internal/fetch"
)

// An Address has the keys of widgets that request an address themselves.
type Address struct {
	// Address to fetch.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// HTTP method.
	Method string `yaml:"method" default:"GET" enum:"GET,POST,PUT,PATCH,DELETE" case:"any"`
	// Request headers.
	Headers map[string]string `yaml:"headers"`
	// Request body, sent as JSON with POST, PUT and PATCH.
	Payload any `yaml:"payload"`
	// Login.
	Auth *Auth `yaml:"auth"`
	// Path to the value inside the answer, such as list[0].name.
	JSONPath string `yaml:"json_path"`
	// A jq program applied after json_path.
	JQExpression string `yaml:"jq_expression"`
	// Pause between fetches.
	UpdateFrequency int `yaml:"update_frequency" default:"30" min:"1" else:"1" unit:"seconds"`
	// Fetches until one request succeeds, then never again.
	Static bool `yaml:"static" default:"false"`
	// Timeout of each request.
	Timeout float64 `yaml:"timeout" default:"30" min:"0.1" max:"600" unit:"seconds"`
}

// Pick returns the position of the value in the answer.
func (a *Address) Pick() Pick {
	return Pick{Path: a.JSONPath, JQ: a.JQExpression, PathKey: "json_path", JQKey: "jq_expression"}
}

// Auth is the login to an HTTP server. It has one of the forms {bearer}, {basic: {username, password}}, {type: bearer, token} and {type:
// basic, username, password}.
type Auth struct {
	// Token sent as Authorization: Bearer.
	Bearer string `yaml:"bearer"`
	// Name and password, with digest authentication if the server requires it.
	Basic *Basic `yaml:"basic"`
	// Kind of login: basic with username and password, bearer with token.
	Type string `yaml:"type" enum:"basic,bearer"`
	// User name, with type basic.
	Username string `yaml:"username"`
	// Password, with type basic.
	Password string `yaml:"password"`
	// Token, with type bearer.
	Token string `yaml:"token"`
	// Access that you grant in a browser. Only for providers. See connect-google.md and connect-microsoft.md.
	OAuth *OAuth `yaml:"oauth"`
}

// OAuth is a login with OAuth 2. It uses an app that the user has registered.
type OAuth struct {
	// Service whose addresses are built in.
	Service string `yaml:"service" enum:"google,microsoft"`
	// Authorization address, which you open in a browser. Default: the service's.
	Authorize string `yaml:"authorize"`
	// Token address. Default: the service's.
	Token string `yaml:"token"`
	// Address for device codes. Default: the service's.
	Device string `yaml:"device"`
	// Your app's client ID.
	ClientID string `yaml:"client_id" required:"true"`
	// Client secret of your app, if it has one.
	ClientSecret string `yaml:"client_secret"`
	// Your app's scopes.
	Scopes []string `yaml:"scopes" required:"true" minlen:"1" maxlen:"20"`
}

// Basic is a name and a password.
type Basic struct {
	// User name.
	Username string `yaml:"username" required:"true"`
	// Password.
	Password string `yaml:"password" required:"true"`
}

// Who converts all forms of a login to one form. The result is empty if there is no login.
func (a *Auth) Who() (fetch.Auth, error) {
	switch {
	case a == nil:
		return fetch.Auth{}, nil
	case a.OAuth != nil:
		return fetch.Auth{}, errors.New("oauth is for providers")
	case a.Bearer != "":
		return fetch.Auth{Bearer: a.Bearer}, nil
	case a.Basic != nil:
		return fetch.Auth{Username: a.Basic.Username, Password: a.Basic.Password}, nil
	case a.Type == "bearer" && a.Token != "":
		return fetch.Auth{Bearer: a.Token}, nil
	case a.Type == "basic" && a.Username != "":
		return fetch.Auth{Username: a.Username, Password: a.Password}, nil
	}
	return fetch.Auth{}, errors.New("needs bearer, basic with username and password, or type with token or username")
}
