package scene

import (
	"strings"

	"dashboard/config"
)

// phoneMark is the prefix of the names of phones' views. Names in conf.yaml cannot begin with it.
const phoneMark = "~"

// phoneDesign is the design width of a wall on a phone, in px. It is slightly larger than the width of a phone in CSS px, so all content
// is slightly smaller. People can read it because they hold a phone close to their eyes.
const phoneDesign = 480

// A Phone describes a view that shows the widgets of another view in the size of a phone.
type Phone struct {
	Of   string // name of the view whose widgets are shown
	Size config.Size
}

// PhoneName returns the name of a view for a phone.
func PhoneName(mark string) string { return phoneMark + mark }

// IsPhone reports whether a view is for a phone.
func IsPhone(view string) bool { return strings.HasPrefix(view, phoneMark) }

// addPhones adds the views for phones. It skips a phone if the view with its widgets was removed.
func (l *loading) addPhones() {
	for name, p := range l.from.Phones {
		if _, there := l.Conf.Views[p.Of]; !there && p.Of != config.MainView {
			continue
		}
		v := l.Conf.View(p.Of)
		v.Widgets = l.widgetsFile(p.Of)
		v.Resolution = &config.Resolution{Screen: true}
		v.Design = &config.Size{Width: phoneDesign, Height: phoneDesign * p.Size.Height / p.Size.Width}
		if l.Conf.Views == nil {
			l.Conf.Views = map[string]*config.View{}
		}
		l.Conf.Views[name] = &v
	}
}
