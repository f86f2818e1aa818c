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

// A Partial is a value that may not hold all that its source gave.
type Partial interface {
	// LeftOut tells how much is not in it, and why, of the first few.
	LeftOut() (n int, why []string)
}

// LeftOut tells how much of what a source gave is not in its value, and why, of the first few.
func LeftOut(v any) (n int, why []string) {
	if p, ok := v.(Partial); ok {
		return p.LeftOut()
	}
	return 0, nil
}

// A Warner is a value that was read with a doubt.
type Warner interface {
	// Warnings lists what may be wrong with the value, a few sentences. It is not changed.
	Warnings() []string
}

// Warnings lists what may be wrong with a value, such as events with an unknown time zone.
func Warnings(v any) []string {
	if w, ok := v.(Warner); ok {
		return w.Warnings()
	}
	return nil
}
