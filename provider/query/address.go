package query

import (
	"errors"

	"dashboard/internal/fetch"
)

// An Address is the keys of widgets that ask an address themselves.
type Address struct {
	URL             string            `yaml:"url" required:"true" doc:"Address to fetch."`
	URLSecret       bool              `secret:"url"` // the address came from a secret
	Method          string            `yaml:"method" default:"GET" enum:"GET,POST,PUT,PATCH,DELETE" case:"any" doc:"HTTP method."`
	Headers         map[string]string `yaml:"headers" doc:"Request headers."`
	Payload         any               `yaml:"payload" doc:"Sent as JSON with POST, PUT and PATCH."`
	Auth            *Auth             `yaml:"auth" doc:"Login."`
	JSONPath        string            `yaml:"json_path" doc:"Path to the value inside the answer, such as list[0].name."`
	JQExpression    string            `yaml:"jq_expression" doc:"A jq program applied after json_path; its first result counts."`
	UpdateFrequency int               `yaml:"update_frequency" default:"30" min:"1" else:"1" unit:"seconds" doc:"Pause between fetches."`
	Static          bool              `yaml:"static" default:"false" doc:"Fetch until it has worked once, then never again."`
	Timeout         float64           `yaml:"timeout" default:"30" min:"0.1" max:"600" unit:"seconds" doc:"Longest time for one whole request."`
}

// Pick is where in the answer the value is.
func (a *Address) Pick() Pick {
	return Pick{Path: a.JSONPath, JQ: a.JQExpression, PathKey: "json_path", JQKey: "jq_expression"}
}

// Auth is one of {bearer}, {basic: {username, password}}, or {type: bearer, token} and {type: basic, username, password}.
type Auth struct {
	Bearer   string `yaml:"bearer" doc:"Token sent as Authorization: Bearer."`
	Basic    *Basic `yaml:"basic" doc:"Name and password; a server that wants a digest gets one."`
	Type     string `yaml:"type" enum:"basic,bearer" doc:"Which of the keys below count."`
	Username string `yaml:"username" doc:"User name, with type basic."`
	Password string `yaml:"password" doc:"Password, with type basic."`
	Token    string `yaml:"token" doc:"Token, with type bearer."`
}

// Basic is a name and a password.
type Basic struct {
	Username string `yaml:"username" required:"true" doc:"User name."`
	Password string `yaml:"password" required:"true" doc:"Password."`
}

// Who turns the ways to write a login into one, nil without a login.
func (a *Auth) Who() (fetch.Auth, error) {
	switch {
	case a == nil:
		return fetch.Auth{}, nil
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
