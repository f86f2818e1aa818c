package provider

// A Plainer is a typed value for widgets that also has a plain form for jq programs. The plain form consists of mappings, lists, texts,
// numbers and booleans.
type Plainer interface {
	// Plain returns the plain form. The result never changes, so the caller may store it.
	Plain() any
}

// Plain returns the plain form of v for jq programs. If v has no separate plain form, it returns v.
func Plain(v any) any {
	if p, ok := v.(Plainer); ok {
		return p.Plain()
	}
	return v
}

// A Partial is a value that may be incomplete.
type Partial interface {
	// LeftOut returns the number of missing entries, and the reasons why the first few of them are missing.
	LeftOut() (n int, why []string)
}

// LeftOut returns the number of entries that are missing in a value, and the reasons why the first few of them are missing.
func LeftOut(v any) (n int, why []string) {
	if p, ok := v.(Partial); ok {
		return p.LeftOut()
	}
	return 0, nil
}

// A Warner is a value with warnings.
type Warner interface {
	// Warnings lists likely mistakes in the value, each as one or two sentences. The list must not change.
	Warnings() []string
}

// Warnings lists likely mistakes in a value, such as events with an unknown time zone.
func Warnings(v any) []string {
	if w, ok := v.(Warner); ok {
		return w.Warnings()
	}
	return nil
}
