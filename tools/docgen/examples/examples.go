// Package examples holds a widget of each kind, as the reference and the gallery of the editor show it.
package examples

import "embed"

// Files are the examples, KIND.yaml.
//
//go:embed *.yaml
var Files embed.FS
