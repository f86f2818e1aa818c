package config

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const (
	// MainView is the name of the main view. Outputs and callers use it if they do not name a view.
	MainView = "main"
	// MaxViews is the maximum number of views in a program. A view of 1920x1080 px needs about 25 MB.
	MaxViews = 16
)

// A View contains the settings of one of the walls that a program shows. All walls of the program have the same providers. If a key is
// missing, the value in conf.yaml applies.
type View struct {
	// File with the widgets of this view. Default for main: widgets.yaml.
	Widgets string `yaml:"widgets"`
	// Width and height of this view. See graphics.resolution.
	Resolution *Resolution `yaml:"resolution" unit:"px"`
	// Size for this view's lengths. See graphics.design.
	Design *Size `yaml:"design" unit:"px"`
	// Theme of this view. See theme.
	Theme *Node `yaml:"theme"`
	// Language of this view. See locale.
	Locale *Language `yaml:"locale"`
	// Time zone of this view's clocks and times.
	Timezone *Zone `yaml:"timezone"`
	// Notifications over this view. See notifications. Messages of ntfy and gotify servers appear on the view that lists the servers, or on
	// main for servers under the top-level key.
	Notices *Node `yaml:"notifications"`
	// When this view's screen is on and how bright. See display.
	Display *Node `yaml:"display"`
	// Motion. See graphics.motion.
	Motion string `yaml:"motion" enum:"auto,full,reduced"`
}

// ViewNames returns the names of the views. MainView comes first and always exists.
func (c *Conf) ViewNames() []string {
	names := slices.Sorted(maps.Keys(c.Views))
	names = slices.DeleteFunc(names, func(n string) bool { return n == MainView })
	return slices.Insert(names, 0, MainView)
}

// View returns the settings of a view. If the file has no settings for the view, it returns the zero View.
func (c *Conf) View(name string) View {
	if v := c.Views[name]; v != nil {
		return *v
	}
	return View{}
}

// viewName matches a name that is valid in an address and in an MQTT topic.
var viewName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// checkViews reports too many views, invalid names of views, views other than main without a widgets file, and outputs whose view does
// not exist.
func (c *Conf) checkViews(n *Node, r *Report) {
	if names := c.ViewNames(); len(names) > MaxViews {
		r.Errorf(n, "there are %d views, main among them; at most %d are drawn", len(names), MaxViews)
	}
	for name, v := range c.Views {
		at := n.At(name)
		switch {
		case !viewName.MatchString(name):
			r.Errorf(at, "'%s' is no name for a view: letters, digits, _ and -, at most 32", name)
		case name != MainView && (v == nil || v.Widgets == "") && !at.Broken():
			r.Errorf(at, "the view '%s' needs 'widgets', the file with its widgets", name)
		}
	}
	c.checkReaders(r)
	for _, o := range c.Outputs {
		if name := cmp.Or(o.named(), MainView); !slices.Contains(c.ViewNames(), name) {
			at := o.Node.At("view")
			r.Near(at, name, c.ViewNames(), "%s", unknownWord("view", name, strings.Join(c.ViewNames(), ", ")))
		}
	}
}
