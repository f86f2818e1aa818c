// Package verb declares the requests that callers can send to a wall.
//
// [All] lists the verbs. An entry has the name, the parameters with their limits, the permission and the help of a verb. HTTP
// routes, MQTT topics, entities of Home Assistant, actions of files and buttons, the reference and the OpenAPI document are
// created from it. Package control has the effects.
package verb

import (
	"slices"
	"strings"
)

// Permission limits the callers of a verb.
type Permission int

const (
	// Control is for callers with the right to control the wall: with the control token, on the broker, or at the
	// screen.
	Control Permission = iota
	// Inside is only for actions in the files and for buttons of notifications.
	Inside
)

// A Verb is an operation on a wall.
type Verb struct {
	Name   string
	Help   string // its effect, in one sentence
	Params []Param
	Allow  Permission
	Whole  bool     // true if it is for all views. Other verbs take a view
	Routes []Route  // HTTP addresses; nil means POST /NAME, unless the verb is Inside
	Topics []Topic  // commands on the broker
	Short  *Written // short form in files and buttons, nil if it has none
}

// A Route is an HTTP address of a verb. Parts of the path such as :id are parameters. A DELETE takes its parameters from the
// query, and a POST takes them from a JSON object in its body.
type Route struct {
	Method, Path string
	Needs        string // setting without which the address answers 404, or ""
	Loose        bool   // true to treat an invalid body as empty and to ignore unknown keys, as in Grydgets
}

// A Topic is a command on the broker, below the prefix of the wall.
type Topic struct {
	Name     string
	Param    string // parameter of the payload, "" to ignore the payload
	Set      Args   // further arguments
	Percent  bool   // true if the payload is a percentage of Param
	Entities []Entity
}

// An Entity is an entity of Home Assistant that sends a command.
type Entity struct {
	Name     string // name of the component
	Platform string // platform such as button or select
	Title    string
	Icon     string // icon such as mdi:reload
	Class    string // device class
	Category string // config or diagnostic
	Press    string // payload for a button press
	State    string // topic of its state
	Needs    Part
	Help     string // text for the table of entities. "" means the help of the verb
}

// A Part is a part of a wall that an entity requires.
type Part string

// Parts of walls. The empty Part always exists.
const (
	Screen  Part = "screen"
	Themes  Part = "themes"
	Pages   Part = "pages"
	Notices Part = "notices"
	Updates Part = "updates" // updates of the card
	Origin  Part = "origin"  // address of the files
)

// A Written is the short form of a verb, such as {page: next}. The key is the verb's name, and its value is the parameter Main.
type Written struct {
	Main   string
	With   []string // further keys
	Set    Args     // further arguments
	Button bool     // true if only buttons of notifications have it
	Help   string   // allowed values
	Same   string   // the equivalent request
}

// Find returns the verb with a name, or nil.
func Find(name string) *Verb {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// All returns the verbs, in the order of the reference.
func All() []Verb { return slices.Clone(all) }

// Param returns the parameter with a name, or nil.
func (v *Verb) Param(name string) *Param {
	for i := range v.Params {
		if v.Params[i].Name == name {
			return &v.Params[i]
		}
	}
	return nil
}

// Addresses returns the HTTP routes.
func (v *Verb) Addresses() []Route {
	if v.Routes == nil && v.Allow == Control {
		return []Route{{Method: "POST", Path: "/" + v.Name}}
	}
	return v.Routes
}

// Asks reports whether a route needs a body, because a required parameter is not in its path.
func (v *Verb) Asks(at Route) bool {
	for _, p := range v.Params {
		if p.Required && !slices.Contains(at.InPath(), p.Name) {
			return true
		}
	}
	return false
}

// InPath returns the parameters in a route's path.
func (r Route) InPath() (names []string) {
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(part, ":"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Shorts returns the names of the verbs with a short form in the files, or in buttons of notifications, in the order of All.
func Shorts(button bool) (names []string) {
	for i := range all {
		if w := all[i].Short; w != nil && (button || !w.Button) {
			names = append(names, all[i].Name)
		}
	}
	return names
}
