// Package examples holds an example of each kind of widget, which the reference and the editor's gallery show.
package examples

import "embed"

// Files are the examples, each named KIND.yaml.
//
//go:embed *.yaml
var Files embed.FS
