package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// lineWidth is the greatest width of a line of help, for terminals of the usual 80 columns.
const lineWidth = 80

// usage writes how a command is used, as cobra's own template does but with lines that fit a terminal. It is no template:
// text/template finds methods by name, for which the linker keeps every exported method of the program, 3 MB.
func usage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:")
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if c.HasExample() {
		b.WriteString("\n\nExamples:\n" + c.Example)
	}
	listCommands(&b, c)
	if c.HasAvailableLocalFlags() {
		b.WriteString("\n\nOptions:\n" + strings.TrimRight(c.LocalFlags().FlagUsagesWrapped(lineWidth), " \n"))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse \"%s [command] --help\" for more information about a command.", c.CommandPath())
	}
	_, err := fmt.Fprintln(c.OutOrStderr(), b.String())
	return err
}

func listCommands(w io.Writer, c *cobra.Command) {
	if !c.HasAvailableSubCommands() {
		return
	}
	fmt.Fprint(w, "\n\nAvailable Commands:")
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			fmt.Fprintf(w, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
}

// tellVersion gives a program the option --version, which prints its name and version and looks at nothing else. Cobra's
// own words for it can be changed by a template alone.
func tellVersion(root *cobra.Command) {
	version, args, run := root.Version, root.Args, root.RunE
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.Version = "" // or cobra would answer
	asked := func() bool {
		yes, err := root.Flags().GetBool("version")
		return yes && err == nil
	}
	root.Args = func(c *cobra.Command, words []string) error {
		if asked() {
			return nil
		}
		return args(c, words)
	}
	root.RunE = func(c *cobra.Command, words []string) error {
		if !asked() {
			return run(c, words)
		}
		_, err := fmt.Fprintln(c.OutOrStdout(), c.Name(), version)
		return err
	}
}
