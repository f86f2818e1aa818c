// Package examples contains an example of each kind of widget. The reference and the gallery of the editor show them.
package examples

import "embed"

// Files are the examples, each named KIND.yaml.
//
//go:embed *.yaml
var Files embed.FS
