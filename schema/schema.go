// Package schema holds the JSON Schemas of the configuration files, which editors complete and check with. They are written
// by tools/docgen from the types that read the files.
package schema

import "embed"

// Files are the schemas: conf.json, widgets.json, providers.json, secrets.json, theme.json and client.json.
//
//go:embed *.json
var Files embed.FS
