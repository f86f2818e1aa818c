// Package verb declares the requests that callers can send to a wall.
//
// [All] lists the verbs. An entry has the verb's name, its parameters with their limits, its permission and its help text. The HTTP
// routes, MQTT topics, entities of Home Assistant, actions in files and buttons, the reference and the OpenAPI document are made from
// this list. Package control implements the effects.
package verb

import (
	"slices"
	"strings"
)

// Permission decides which callers may use a verb.
type Permission int

const (
	// Control allows callers that may control the wall. Such callers have the control token, use the broker, or are at the screen.
	Control Permission = iota
	// Inside allows only actions in files and in buttons of notifications.
	Inside
)

// A Verb is an operation that callers can request.
type Verb struct {
	Name   string
	Help   string // sentence that describes the effect
	Params []Param
	Allow  Permission
	Whole  bool     // whether it applies to all views; any other verb has a view as an argument
	Routes []Route  // HTTP routes; nil means POST /NAME, or no route if the verb is Inside
	Topics []Topic  // topics for commands on the broker
	Short  *Written // short form in files and buttons, or nil
}

// A Route is an HTTP method and path of a verb. Parts of the path such as :id are parameters. The other parameters of a DELETE are in its
// query. The other parameters of a POST are in its body, a JSON object.
type Route struct {
	Method, Path string
	Needs        string // key of conf.yaml without which the route returns 404, or ""
	Loose        bool   // whether an invalid body counts as empty and unknown keys are ignored, as in Grydgets
}

// A Topic is a topic for a command on the broker. The prefix of the wall comes before the name of the topic.
type Topic struct {
	Name     string
	Param    string // parameter that gets the payload; "" to ignore the payload
	Set      Args   // arguments that a command on this topic has, unless its payload gives them
	Percent  bool   // whether the payload is the value of Param in percent
	Help     string // text in the reference; "" means the help text of the verb
	Payload  string // allowed payloads in the reference; "" means the help text of Param
	Entities []Entity
}

// An Entity is an entity of Home Assistant that sends a command on the topic.
type Entity struct {
	Name     string // name of the component, which is a part of the entity's ID
	Platform string // platform in Home Assistant, such as button or select
	Title    string
	Icon     string // icon, such as mdi:reload
	Class    string // device class in Home Assistant
	Category string // config or diagnostic, or "" for the main entities
	Press    string // payload that a press of the button sends
	State    string // topic with the state of the entity
	Needs    Part
	Help     string // text in the reference; "" means the help text of the verb
}

// A Part is a part of a wall that an entity needs.
type Part string

// The parts of a wall. The empty Part always exists.
const (
	Screen  Part = "screen"
	Themes  Part = "themes"
	Pages   Part = "pages"
	Notices Part = "notices"
	Updates Part = "updates" // updates of the card image
	Origin  Part = "origin"  // files that come from an address
)

// A Written is the short form of a verb in files, such as {page: next}. Its first key is the verb's name, and the value of that key is
// the parameter Main.
type Written struct {
	Main   string
	With   []string // other keys of the short form
	Set    Args     // arguments that every action of this form has
	Button bool     // whether only buttons of notifications may use it
	Help   string   // description of the values
	Same   string   // HTTP request with the same effect
}

// Find returns the verb with the given name, or nil.
func Find(name string) *Verb {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// All returns the verbs in the order of the reference. The caller owns the slice.
func All() []Verb { return slices.Clone(all) }

// Param returns the parameter with the given name, or nil.
func (v *Verb) Param(name string) *Param {
	for i := range v.Params {
		if v.Params[i].Name == name {
			return &v.Params[i]
		}
	}
	return nil
}

// Addresses returns the HTTP routes of the verb.
func (v *Verb) Addresses() []Route {
	if v.Routes == nil && v.Allow == Control {
		return []Route{{Method: "POST", Path: "/" + v.Name}}
	}
	return v.Routes
}

// Asks reports whether a route needs a body, because a required parameter is not in the path.
func (v *Verb) Asks(at Route) bool {
	for _, p := range v.Params {
		if p.Required && !slices.Contains(at.InPath(), p.Name) {
			return true
		}
	}
	return false
}

// InPath returns the names of the parameters in the route's path.
func (r Route) InPath() (names []string) {
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(part, ":"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Shorts returns the names of the verbs that have a short form in files, or in buttons of notifications if `button` is true. The names are
// in the order of All.
func Shorts(button bool) (names []string) {
	for i := range all {
		if w := all[i].Short; w != nil && (button || !w.Button) {
			names = append(names, all[i].Name)
		}
	}
	return names
}
