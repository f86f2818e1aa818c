package fetch

import "context"

// partKey is the context key under which WithPart stores the name of a part.
type partKey struct{}

// WithPart returns a context for the requests of one part of a source, such as one of several calendars.
func WithPart(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, partKey{}, name)
}

// PartOf returns the name of the part of a source to which a request with the context ctx belongs, or "".
func PartOf(ctx context.Context) string {
	name, _ := ctx.Value(partKey{}).(string)
	return name
}
