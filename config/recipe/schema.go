package recipe

import (
	"maps"
	"strconv"
)

// JSONSchema returns the JSON Schema of the parameter's values. Editors use it for completion and checks. The caller owns the result.
func (p *Parameter) JSONSchema() map[string]any {
	s := p.shape()
	s["description"] = p.Help
	if !p.Required() {
		if v := p.Default.Value(); v != nil {
			s["default"] = v
		}
		s = map[string]any{"anyOf": []any{s, map[string]any{"type": "null"}}, "description": p.Help}
	}
	return s
}

func (p *Parameter) shape() map[string]any {
	text := func() map[string]any {
		return map[string]any{"type": []any{"string", "number", "boolean"}}
	}
	switch p.Type {
	case "number":
		return p.bounded(map[string]any{"type": "number"})
	case "boolean":
		return map[string]any{"type": "boolean"}
	case "enumeration":
		return p.words()
	case "icon":
		return map[string]any{"type": "string", "pattern": "^mdi:"}
	case "address":
		return map[string]any{"type": "string", "pattern": "^https?://"}
	case "color":
		return map[string]any{"type": []any{"string", "array"}}
	case "place":
		degrees := map[string]any{"type": []any{"number", "string"}}
		return map[string]any{"type": "object", "required": []any{"latitude", "longitude"}, "properties": map[string]any{
			"latitude": degrees, "longitude": degrees, "name": text(),
		}}
	case "list":
		return map[string]any{"type": "array", "maxItems": p.Most, "items": text()}
	}
	return text()
}

// words() returns the schema of an enumeration. If a word looks like a number, the schema also accepts the number.
func (p *Parameter) words() map[string]any {
	var all []any
	numbers := false
	for _, v := range p.Values {
		all = append(all, v)
		_, err := strconv.ParseFloat(v, 64)
		numbers = numbers || err == nil
	}
	if !numbers {
		return map[string]any{"enum": all}
	}
	return map[string]any{"anyOf": []any{map[string]any{"enum": all}, map[string]any{"type": "number"}}}
}

func (p *Parameter) bounded(s map[string]any) map[string]any {
	if p.Min != nil {
		s["minimum"] = *p.Min
	}
	if p.Max != nil {
		s["maximum"] = *p.Max
	}
	return s
}

// Schema returns the JSON Schema of a use of this recipe with its parameters.
func (r *Recipe) Schema() map[string]any {
	properties, required := map[string]any{}, []any{}
	for i := range r.Parameters {
		p := &r.Parameters[i]
		properties[p.Name] = p.JSONSchema()
		if p.Required() {
			required = append(required, p.Name)
		}
	}
	return map[string]any{"properties": properties, "required": required}
}

// UseSchema returns the JSON Schema of a widget of the kind use. The valid parameters depend on the name of the recipe. `all` contains the
// recipes in the program, but not the recipes of the wall. `common` contains the schemas of the keys that every widget has.
func UseSchema(all []*Recipe, common map[string]any) map[string]any {
	var names, each []any
	for _, r := range all {
		names = append(names, r.Name)
		chosen := map[string]any{"properties": map[string]any{"recipe": map[string]any{"const": r.Name}}, "required": []any{"recipe"}}
		each = append(each, map[string]any{"if": chosen, "then": r.Schema()})
	}
	text := map[string]any{"type": "string"}
	properties := map[string]any{
		"widget": map[string]any{"const": Kind},
		"recipe": map[string]any{"description": "Name of the recipe.", "anyOf": []any{map[string]any{"enum": names}, text}},
		"allow":  map[string]any{"description": "Actions that the recipe may have, by their names.", "type": "array", "items": text},
		"name":   map[string]any{"description": "A name by which others find this widget.", "type": "string"},
	}
	maps.Copy(properties, common)
	return map[string]any{"type": "object", "required": []any{"widget", "recipe"}, "properties": properties, "allOf": each}
}
