package main

import (
	"bytes"
	"strings"
	"time"

	"dashboard/cmd/shared/cli"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// commandPages returns the manual pages of a program and its subcommands, by file name: dashboard.1, dashboard-check.1 and so on.
func commandPages(root *cobra.Command, date time.Time) (map[string]string, error) {
	pages := map[string]string{}
	for _, c := range append(root.Commands(), root) {
		if c.Name() == "help" || c.Hidden {
			continue
		}
		described := *c
		described.Long += "\n" + c.Annotations[cli.Manual]
		described.DisableAutoGenTag = true
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		var b bytes.Buffer
		err := doc.GenMan(&described, &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Source: "dashboard", Manual: " ", Date: &date}, &b)
		if err != nil {
			return nil, err
		}
		pages[name+".1"] = strings.ReplaceAll(b.String(), "--", `\-\-`) // escape dashes, so that readers can copy them from the page
	}
	return pages, nil
}
