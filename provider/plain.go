package provider

// A Plainer is a typed value for widgets that also has a plain form for expressions: mappings, lists, texts, numbers and booleans.
type Plainer interface {
	// Plain returns the plain form. The caller may keep it. It does not change.
	Plain() any
}

// Plain returns a value in the form for expressions.
func Plain(v any) any {
	if p, ok := v.(Plainer); ok {
		return p.Plain()
	}
	return v
}

// A Partial is a value that may be incomplete.
type Partial interface {
	// LeftOut returns the number of missing entries, and the reasons of the first few.
	LeftOut() (n int, why []string)
}

// LeftOut returns the number of entries that are missing in a value, and the reasons of the first few.
func LeftOut(v any) (n int, why []string) {
	if p, ok := v.(Partial); ok {
		return p.LeftOut()
	}
	return 0, nil
}

// A Warner is a value with warnings.
type Warner interface {
	// Warnings lists possible errors in the value, each in a few sentences. The list does not change.
	Warnings() []string
}

// Warnings lists possible errors of a value, such as events with an unknown time zone.
func Warnings(v any) []string {
	if w, ok := v.(Warner); ok {
		return w.Warnings()
	}
	return nil
}
