package verb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Brief reads the short form of a verb. One of the keys is the verb's name, and the value of this key is the main argument. The other
// keys are further arguments.
func (v *Verb) Brief(keys map[string]json.RawMessage) (Args, error) {
	named := map[string]json.RawMessage{}
	for key, raw := range keys {
		switch key {
		case v.Name:
			key = v.Short.Main
		case v.Short.Main:
			return nil, fmt.Errorf("%w: unknown field %q next to %q", ErrBody, key, v.Name)
		}
		named[key] = raw
	}
	a, err := v.args(named, false)
	if err != nil {
		return nil, err
	}
	v.Short.Set.into(a)
	return a, v.Check(a)
}

// Payload reads the arguments of a command from its payload. A JSON object is read like the body of a request, unless the parameter of
// the topic is a body or a percentage. Missing arguments come from the topic's field Set.
func (v *Verb) Payload(t Topic, payload []byte) (Args, error) {
	a := Args{}
	if t.Param != "" {
		p := v.Param(t.Param)
		if looksLikeObject(payload) && p.Kind != Body && !t.Percent {
			a, _, err := v.Decode(payload, false)
			if err == nil {
				t.Set.into(a)
			}
			return a, err
		}
		value, err := t.read(p, payload)
		if err != nil {
			return nil, err
		}
		a[t.Param] = value
	}
	t.Set.into(a)
	return a, nil
}

// into() adds the arguments in `set` to a. It does not change arguments that a already has.
func (set Args) into(a Args) {
	for name, value := range set {
		if _, given := a[name]; !given {
			a[name] = value
		}
	}
}

func looksLikeObject(payload []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(payload), []byte("{"))
}

// errPercent is returned for an invalid percentage.
var errPercent = errors.New("the brightness must be a number from 0 to 100")

// read converts a payload to the value of the topic's parameter.
func (t *Topic) read(p *Param, payload []byte) (any, error) {
	if !t.Percent {
		return p.parse(string(payload))
	}
	percent, err := strconv.ParseFloat(string(payload), 64)
	if err != nil || !(percent >= 0 && percent <= 100) {
		return nil, errPercent
	}
	return percent / 100, nil
}
