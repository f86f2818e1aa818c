package recipe

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"dashboard/config"
	"dashboard/config/value"
)

// A Parameter is a parameter of a recipe. Each use of the recipe sets its value, unless the parameter has a default.
type Parameter struct {
	Name    string
	Type    string
	Help    string
	Default *config.Node // default value, or nil if the parameter is required
	Values  []string     // words that are valid for an enumeration
	Of      string       // type of the entries in a list
	Min     *float64     // minimum of a number, or of a duration in seconds; nil: no minimum
	Max     *float64
	Most    int // maximum number of characters in a text, or of entries in a list
	Example string
}

// parameterFields contains the keys of a parameter in recipe.yaml.
type parameterFields struct {
	Type    string       `yaml:"type" default:"text"`
	Help    string       `yaml:"help" required:"true" maxlen:"300"`
	Default *config.Node `yaml:"default"`
	Values  []string     `yaml:"values" maxlen:"100"`
	Of      string       `yaml:"of" default:"text" enum:"text,number,entity,color,icon"`
	Min     *float64     `yaml:"min"`
	Max     *float64     `yaml:"max"`
	Most    *int         `yaml:"most" min:"1" max:"4096"`
	Example string       `yaml:"example" maxlen:"200"`
}

// Types returns the types that a parameter can have.
func Types() []string {
	return []string{"text", "number", "boolean", "enumeration", "color", "icon", "secret", "entity", "place", "duration", "list", "address"}
}

// Default maximum of the characters in a text and of the entries in a list.
const (
	usualText = 500
	usualList = 20
)

var parameterShape = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// parametersOf reads the parameters in recipe.yaml and returns them in the order of the file.
func parametersOf(n *config.Node, report *config.Report) []Parameter {
	if n.Kind() != config.Map {
		if n.Kind() != config.Null {
			report.Errorf(n, "must be a mapping of name to parameter, not %s", n.Shown())
		}
		return nil
	}
	if n.Len() > maxParameters {
		report.Errorf(n, "has %d parameters, at most %d", n.Len(), maxParameters)
	}
	var all []Parameter
	for _, p := range n.Pairs() {
		if !parameterShape.MatchString(p.Key) {
			report.Errorf(p.At, "a parameter's name is small letters, digits and underlines, not '%s'", p.Key)
			continue
		}
		var f parameterFields
		if p.Value.Decode(&f, report, nil) {
			all = append(all, parameterOf(p, f, report))
		}
	}
	return all
}

func parameterOf(p config.Pair, f parameterFields, report *config.Report) Parameter {
	v := Parameter{Name: p.Key, Type: f.Type, Help: f.Help, Values: f.Values, Of: f.Of, Min: f.Min, Max: f.Max, Example: f.Example}
	if !slices.Contains(Types(), f.Type) {
		report.Near(p.Value.Get("type"), f.Type, Types(), "must be one of %s, not '%s'", strings.Join(Types(), ", "), f.Type)
	}
	v.Most = usualText
	if f.Type == "list" {
		v.Most = usualList
	}
	if f.Most != nil {
		v.Most = *f.Most
	}
	if f.Type == "enumeration" && len(f.Values) == 0 {
		report.Errorf(p.Value, "an enumeration needs 'values'")
	}
	if p.Value.Has("default") {
		v.Default = p.Value.Get("default")
		if v.Default.Kind() != config.Null {
			v.Check(v.Default, report)
			if v.Type == "entity" || v.Type == "list" && v.Of == "entity" && v.Default.Len() > 0 {
				report.Errorf(v.Default, "an entity has no default, because only the user of the recipe may choose it")
			}
		}
	}
	return v
}

// Required reports whether every use must set the parameter.
func (p *Parameter) Required() bool { return p.Default == nil }

// Check reports the errors in a value of the parameter. It returns true if there is no error.
func (p *Parameter) Check(n *config.Node, report *config.Report) bool {
	before := len(report.Errors())
	if err := p.wrong(n, report); err != nil {
		report.Errorf(n, "%s", err)
	}
	return len(report.Errors()) == before
}

// wrong() returns the error in a value, or nil. For types with a separate decoder, it adds the errors to the report and returns nil.
func (p *Parameter) wrong(n *config.Node, report *config.Report) error {
	if n.IsProgram() || n.Kind() == config.Program {
		return fmt.Errorf("a recipe's parameter takes a plain value, not a program")
	}
	switch p.Type {
	case "number":
		return p.number(n)
	case "boolean":
		if n.Kind() != config.Bool {
			return fmt.Errorf("must be true or false, not %s", n.Shown())
		}
	case "enumeration":
		if !slices.Contains(p.Values, n.Text()) {
			return fmt.Errorf("must be one of %s, not %s", strings.Join(p.Values, ", "), n.Shown())
		}
	case "color", "list":
		return p.parts(n, report)
	case "address":
		return address(n)
	case "icon", "entity", "place", "duration":
		return p.own(n, report)
	default:
		return p.text(n)
	}
	return nil
}

func (p *Parameter) number(n *config.Node) error {
	if n.Kind() != config.Int && n.Kind() != config.Float {
		return fmt.Errorf("must be a number, not %s", n.Shown())
	}
	var x float64
	switch v := n.Value().(type) {
	case int:
		x = float64(v)
	case float64:
		x = v
	}
	return p.within(x, n)
}

func (p *Parameter) within(x float64, n *config.Node) error {
	switch {
	case p.Min != nil && x < *p.Min:
		return fmt.Errorf("must be at least %v, not %s", *p.Min, n.Shown())
	case p.Max != nil && x > *p.Max:
		return fmt.Errorf("must be at most %v, not %s", *p.Max, n.Shown())
	}
	return nil
}

func (p *Parameter) text(n *config.Node) error {
	switch n.Kind() {
	case config.List, config.Map, config.Token:
		return fmt.Errorf("must be text, not %s", n.Shown())
	}
	if utf8.RuneCountInString(n.Text()) > p.Most {
		return fmt.Errorf("must have at most %d characters", p.Most)
	}
	return nil
}

// parts() checks the entries of a list. For a color it checks only that the value is not a mapping, because the widget checks the rest.
func (p *Parameter) parts(n *config.Node, report *config.Report) error {
	switch {
	case p.Type == "color" && n.Kind() != config.Map:
		return nil
	case n.Kind() != config.List:
		return fmt.Errorf("must be a list, not %s", n.Shown())
	case n.Len() > p.Most:
		return fmt.Errorf("must have at most %d entries, not %d", p.Most, n.Len())
	}
	one := Parameter{Name: p.Name, Type: p.Of, Most: usualText, Min: p.Min, Max: p.Max}
	for _, item := range n.Items() {
		one.Check(item, report)
	}
	return nil
}

// address checks the address of a server. It must have a scheme and a host, and it may have a path.
func address(n *config.Node) error {
	u, err := url.Parse(n.Text())
	if n.Kind() != config.String || err != nil || u.Host == "" || u.User != nil ||
		u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("must be an address such as http://nas.lan:8080, not %s", n.Shown())
	}
	return nil
}

// own() checks a value whose type has a separate decoder.
func (p *Parameter) own(n *config.Node, report *config.Report) error {
	whole := (&config.Node{}).WithPairs([]config.Pair{{Key: p.Type, At: n, Value: n}}).AsMap()
	var v struct {
		Icon     value.Icon       `yaml:"icon"`
		Entity   value.Entity     `yaml:"entity"`
		Duration value.Duration   `yaml:"duration"`
		Place    *config.Location `yaml:"place"`
	}
	whole.Decode(&v, report, nil)
	switch {
	case p.Type == "place" && v.Place != nil && !v.Place.Known:
		return fmt.Errorf("must be {latitude: 51.48, longitude: 0.0}, not %s", n.Shown())
	case p.Type == "icon" && !strings.HasPrefix(n.Text(), "mdi:"):
		return fmt.Errorf("must be an icon such as mdi:sofa, not %s", n.Shown())
	case p.Type == "duration":
		return p.within(seconds(v.Duration), n)
	}
	return nil
}

func seconds(d value.Duration) float64 { return float64(d) / 1e9 }

// Shape returns a short description of the parameter's type for users.
func (p *Parameter) Shape() string {
	text := p.Type
	switch p.Type {
	case "enumeration":
		return strings.Join(p.Values, ", ")
	case "list":
		text = "list of " + cmp.Or(p.Of, "text")
	}
	switch {
	case p.Min != nil && p.Max != nil:
		text += fmt.Sprintf(", %v to %v", *p.Min, *p.Max)
	case p.Min != nil:
		text += fmt.Sprintf(", at least %v", *p.Min)
	case p.Max != nil:
		text += fmt.Sprintf(", at most %v", *p.Max)
	}
	return text
}
