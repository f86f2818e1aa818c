package kit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/value"
)

// Thing holds the parameters of widgets that may show an entity of Home Assistant. Its state is the value. The entity also
// provides defaults for parameters that are not set.
type Thing struct {
	// Home Assistant entity. Its state is the value. Its name, icon, unit and past are the defaults of the other keys.
	Entity *value.Entity `yaml:"entity"`
	// Home Assistant provider. Default: the one in conf.yaml.
	Provider string `yaml:"provider"`
}

// UsualHome is the name of the provider that the key homeassistant of conf.yaml creates.
const UsualHome = "homeassistant"

// of returns a program over the entity.
func (t *Thing) of(code string) *config.Node {
	return t.Entity.Program(fmt.Sprintf(".[%q][%q] | %s", cmp.Or(t.Provider, UsualHome), t.Entity.ID, code))
}

// Entitled is a set of parameters with defaults from an entity.
type Entitled interface{ FromEntity() }

// Fill sets a parameter to the result of a program over the entity, unless the file sets it.
func Fill[T any](t *Thing, live **config.Live[T], code string) {
	if *live == nil {
		*live = &config.Live[T]{Program: t.of(code)}
	}
}

// Programs for parts of an entity.
const (
	StateCode = ".state"
	NameCode  = ".attributes.friendly_name // null" // the alternative shows that it may be missing
	UnitCode  = ".attributes.unit_of_measurement // null"
)

// FillValue sets the state and its unit, unless the file sets them.
func (t *Thing) FillValue(v **config.Live[value.Plain], w *Wording) {
	if t.Entity == nil {
		return
	}
	Fill(t, v, StateCode)
	if w != nil {
		Fill(t, &w.Unit, UnitCode)
	}
}

// FillFrame sets name and icon, unless the file sets them.
func (t *Thing) FillFrame(f *Framed) {
	if t.Entity == nil {
		return
	}
	Fill(t, &f.Title, NameCode)
	Fill(t, &f.Icon, IconCode(t.Entity.Domain()))
}

// History requests the history of an entity from before the wall's start. For other values it does nothing.
func (b *Builder) History(s *Spec, t *Thing, p *Past) {
	if t.Entity == nil || p.History.Cell != nil || b.Sources == nil || b.Running {
		return
	}
	span := time.Duration(p.span * float64(time.Second))
	if c, ok := b.Sources.History(s.AskerAt(t.Entity.Pos()), cmp.Or(t.Provider, UsualHome), t.Entity.ID, span); ok {
		p.History.Cell = c
	}
}

// IconCode returns a program for an entity's icon: its own icon, or Home Assistant's icon for its class or its domain.
func IconCode(domain string) string {
	var classes []string
	for _, c := range ClassIcons[domain] {
		classes = append(classes, strconv.Quote(c[0])+": "+icons(c[1]))
	}
	usual := "mdi:eye"
	if i := slices.IndexFunc(DomainIcons, func(d [2]string) bool { return d[0] == domain }); i >= 0 {
		usual = DomainIcons[i][1]
	}
	return fmt.Sprintf("(.attributes.icon // ({%s}[.attributes.device_class // \"\"]) // %s)", strings.Join(classes, ", "), icons(usual))
}

// icons returns a program for an icon. If names has a bar, the parts are the icon of "on or open" and the icon of all other
// states.
func icons(names string) string {
	off, on, ok := strings.Cut(names, "|")
	if !ok {
		return strconv.Quote(names)
	}
	return fmt.Sprintf(`(if .state | IN("on", "open", "unlocked", "home", "playing") then %q else %q end)`, on, off)
}
