package config

import "regexp"

// Values of WindowOutput.Driver.
const (
	DriverAuto    = "auto"
	DriverDRM     = "drm"
	DriverFBDev   = "fbdev"
	DriverVirtual = "virtual"
)

// modeForm matches the text of a display mode, such as 1920x1080@60.
var modeForm = regexp.MustCompile(`^[0-9]{2,5}x[0-9]{2,5}(@[0-9]{1,3})?$`)

// windows collects the outputs of a list that use a screen.
type windows []Output

// add adds an output that uses a screen. If another output uses the same screen, add reports an
// error. If there are several such outputs, each must set a different connector.
func (w *windows) add(o Output, r *Report) {
	*w = append(*w, o)
	first := (*w)[0]
	for _, other := range (*w)[:len(*w)-1] {
		switch a, b := other.Window, o.Window; {
		case (a.Driver == DriverVirtual || b.Driver == DriverVirtual) && a.Device != b.Device: // two different files do not conflict
		case !a.Connects() || !b.Connects() || a.Connector == "" || b.Connector == "":
			r.Errorf(o.Node, "several display outputs (window or framebuffer) need a connector each, such as connector: HDMI-A-1; the first is at %s", first.Node.Pos())
			return
		case a.Connector == b.Connector:
			r.Errorf(o.Node.Get("connector"), "%s has the output at %s already", b.Connector, other.Node.Pos())
			return
		}
	}
}

// Connects reports whether the window uses a connector of a graphics card, provided that the machine has a graphics card.
func (w *WindowOutput) Connects() bool {
	return w.Driver == DriverDRM || w.Driver == DriverAuto && w.Device == ""
}

// check reports keys of a window that cannot be used together.
func (w *WindowOutput) check(n *Node, r *Report) {
	if m := n.Get("mode"); w.Mode != "" && !modeForm.MatchString(w.Mode) {
		r.Errorf(m, "a mode is written as 1920x1080 or 1920x1080@60, not %q", w.Mode)
	}
	if d := n.Get("device"); w.Driver == DriverDRM && w.Device != "" {
		r.Errorf(d, "a device is a framebuffer; with driver: drm, connector names the socket")
	}
	if w.Connects() {
		return
	}
	for _, key := range []string{"connector", "mode", "max_size", "rgb_range"} {
		if k := n.Get(key); k != nil && k.Kind() != Null {
			r.Errorf(k, "it belongs to a connector of a graphics card, and this output is a framebuffer (driver: %s)", w.Driver)
		}
	}
}
