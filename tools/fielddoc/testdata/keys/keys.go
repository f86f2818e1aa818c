// Package keys has fields with and without comments.
package keys

// Keys are an example.
type Keys struct {
	// The first key,
	// on two lines.
	One int `yaml:"one"`
	Two int `yaml:"two"` // not a text for the reference

	// The third.
	Three int `yaml:"three"`
}
