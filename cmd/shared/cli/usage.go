package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// lineWidth is the maximum width of a line of the help in characters, so that it fits in a terminal with 80 columns.
const lineWidth = 80

// usage prints how a command is used, in lines that fit in a terminal. It does not use cobra's template. With text/template, which finds
// methods by name, the linker would keep every exported method of the program. This would take 3 MB.
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

// tellVersion adds the option --version, which prints the name and the version of the program. With this option, all other arguments are
// ignored. Cobra's own option would need a template for this text.
func tellVersion(root *cobra.Command) {
	version, args, run := root.Version, root.Args, root.RunE
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.Version = "" // otherwise cobra handles --version itself
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
