package kit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/widgets/kit/format"
)

// Thing holds the parameters of widgets that may show an entity of Home Assistant. The state of the entity is the value. Other properties
// of the entity are the defaults of parameters that the file does not set.
type Thing struct {
	// Home Assistant entity. The entity's state is the value. Name, icon, unit and history of the entity are the defaults of the other keys.
	Entity *value.Entity `yaml:"entity"`
	// Home Assistant provider. Default: the one in conf.yaml.
	Provider string `yaml:"provider"`
}

// UsualHome is the name of the provider that the key `homeassistant` in conf.yaml creates.
const UsualHome = "homeassistant"

// of() returns a program that evaluates `code` for the entity.
func (t *Thing) of(code string) *config.Node {
	return t.Entity.Program(fmt.Sprintf(".[%q][%q] | %s", cmp.Or(t.Provider, UsualHome), t.Entity.ID, code))
}

// Entitled is implemented by parameters whose defaults come from an entity.
type Entitled interface{ FromEntity() }

// Fill sets a parameter to a program that evaluates `code` for the entity, unless the file sets the parameter.
func Fill[T any](t *Thing, live **config.Live[T], code string) {
	if *live == nil {
		*live = &config.Live[T]{Program: t.of(code)}
	}
}

// Programs that return parts of an entity.
const (
	StateCode = ".state"
	NameCode  = ".attributes.friendly_name // null" // null replaces a missing name
	UnitCode  = ".attributes.unit_of_measurement // null"
)

// FillValue sets the value to the state of the entity and the unit to the unit of the entity. It does not change parameters that the file
// sets.
func (t *Thing) FillValue(v **config.Live[value.Plain], w *format.Wording) {
	if t.Entity == nil {
		return
	}
	Fill(t, v, StateCode)
	if w != nil {
		Fill(t, &w.Unit, UnitCode)
	}
}

// FillFrame sets the title to the name of the entity and the icon to the entity's icon. It does not change parameters that the file sets.
func (t *Thing) FillFrame(f *Framed) {
	if t.Entity == nil {
		return
	}
	Fill(t, &f.Title, NameCode)
	Fill(t, &f.Icon, IconCode(t.Entity.Domain()))
}

// IconCode returns a program for the icon of an entity. This is the icon that the entity defines, or else Home Assistant's icon for the
// class or the domain of the entity.
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

// icons() returns a program for an icon. If `names` contains a bar, the icon after the bar is for "on" and similar states. The icon before
// the bar is for all other states.
func icons(names string) string {
	off, on, ok := strings.Cut(names, "|")
	if !ok {
		return strconv.Quote(names)
	}
	return fmt.Sprintf(`(if .state | IN("on", "open", "unlocked", "home", "playing") then %q else %q end)`, on, off)
}
