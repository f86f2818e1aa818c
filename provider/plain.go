package provider

// A Plainer is a value that programs cannot read as it is: typed for widgets, whose plain form is made of mappings, lists,
// texts, numbers and booleans.
type Plainer interface {
	// Plain returns that form. It may be kept, and is not changed.
	Plain() any
}

// Plain is a value as programs read it.
func Plain(v any) any {
	if p, ok := v.(Plainer); ok {
		return p.Plain()
	}
	return v
}
