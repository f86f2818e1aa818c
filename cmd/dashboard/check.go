package main

import (
	"fmt"
	"io"
	"os"
)

// check tells everything that is wrong with a configuration, and returns 1 if anything is.
func check(o *options, stdout io.Writer) int {
	w := newWorkshop(func() {}, discardLog())
	defer w.providers.Close()
	_, report := w.load(o)
	if o.json {
		data, err := report.JSON()
		if err != nil {
			fmt.Fprintln(stdout, err)
			return 1
		}
		fmt.Fprintln(stdout, string(data))
	} else if err := report.Pretty(stdout, isTerminal(stdout)); err != nil {
		return 1
	}
	errs, warnings := len(report.Errors()), len(report.Warnings())
	if !o.json {
		fmt.Fprintln(stdout, verdict(errs, warnings))
	}
	if errs > 0 {
		return 1
	}
	return 0
}

func verdict(errs, warnings int) string {
	if errs == 0 && warnings == 0 {
		return "The configuration is right."
	}
	return fmt.Sprintf("%s, %s.", count(errs, "error"), count(warnings, "warning"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// isTerminal reports whether a person reads w, who likes colours.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
