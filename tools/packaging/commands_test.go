package main

import (
	"strings"
	"testing"
	"time"

	"dashboard/cmd/shared/cli"
)

// Every command has a page, which names its options. The program's page describes the files, environment, signals and
// exit codes.
func TestCommandPages(t *testing.T) {
	pages, err := commandPages(cli.Dashboard(&cli.Options{}, "1"), time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for page, wants := range map[string][]string{
		"dashboard.1":            {`\-\-config-dir`, `\-\-demo`, ".SH FILES", ".SH SIGNALS", ".SH EXIT STATUS", "SIGUSR1", "dashboard-check(1)", "dashboard-conf(5)"},
		"dashboard-check.1":      {`\-\-json`, "most similar"},
		"dashboard-init.1":       {`\-\-sample`, "epaper"},
		"dashboard-render.1":     {`\-\-output`},
		"dashboard-reload.1":     {`\-\-url`},
		"dashboard-display.1":    {`probe`},
		"dashboard-icons.1":      {`mdi:sofa`, `\-\-output`},
		"dashboard-themes.1":     {`\-\-output`},
		"dashboard-health.1":     {`\-\-url`},
		"dashboard-values.1":     {"!data"},
		"dashboard-pull.1":       {`\-\-address-file`},
		"dashboard-completion.1": {"SHELL"},
		"dashboard-connect.1":    {"PROVIDER"},
		"dashboard-edit.1":       {"DIR"},
		"dashboard-recipe.1":     {"import"},
		"dashboard-relay.1":      {"release"},
	} {
		for _, want := range wants {
			if !strings.Contains(pages[page], want) {
				t.Errorf("%s does not have %q:\n%s", page, want, pages[page])
			}
		}
		delete(pages, page)
	}
	if len(pages) > 0 {
		t.Errorf("got more pages than are known: %v", pages)
	}
}
