// Command docgen writes the reference: docs/widgets.md and docs/classic-widgets.md with a picture of every widget, docs/configuration.md,
// schema/openapi.json, and the JSON Schemas in schema/. It also writes the generated regions of hand-written pages.
//
// The facts come from the program: its catalog of widgets, the tags of the structs that read the files, and its renderer. templates/ and
// examples/ add the explanations.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", ".", "`folder` of the repository")
	flag.Parse()
	if err := run(*root); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

// run writes all files below root.
func run(root string) error {
	all, err := Generate(root)
	if err != nil {
		return err
	}
	return all.Write(root)
}
