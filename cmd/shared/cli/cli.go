// Package cli defines the command lines of the programs as trees of spf13/cobra. The shell completion and the man pages are generated from
// these trees.
package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dashboard/internal/spelling"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Manual is the key of the annotation that contains additional text for a command's man page, in Markdown.
const Manual = "manual"

// Shells returns the names of the shells for which there is a completion script.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Parse parses the arguments `args`, which do not contain the program's name. A long option may begin with one or two dashes. If the user
// requests a text, such as the help, Parse prints the text to `stdout`. Parse stores the result in the Options or ClientOptions from
// which the tree was made. Their field Command stays empty if there is no command to run.
func Parse(root *cobra.Command, args []string, stdout io.Writer) error {
	root.SetArgs(twoDashes(root, args))
	root.SetOut(stdout)
	root.SetErr(io.Discard)
	return root.Execute()
}

// twoDashes adds a second dash to each long option that begins with one dash.
func twoDashes(root *cobra.Command, args []string) []string {
	long := map[string]bool{"help": true, "version": true}
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) { long[f.Name] = true })
	}
	all := append([]string{}, args...) // must not be nil, because cobra would then use the arguments of the process
	for i, arg := range all {
		if arg == "--" {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && len(name) > 1 && long[name] {
			all[i] = "-" + arg
		}
	}
	return all
}

// Completion writes the script with which a shell completes commands and options of the program.
func Completion(root *cobra.Command, shell string, w io.Writer) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(w, true)
	case "zsh":
		return root.GenZshCompletion(w)
	case "fish":
		return root.GenFishCompletion(w, true)
	}
	return noWord(shell, Shells())
}

// finish adds to a command tree the parts that all programs have. These are a help that fits in a terminal, the error messages of this
// package, and the completion.
func finish(root *cobra.Command) *cobra.Command {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.InitDefaultHelpCmd()
	for _, c := range append(root.Commands(), root) {
		c.DisableFlagsInUseLine, c.Flags().SortFlags = true, false
		c.Long = fold(c.Long, lineWidth)
		c.SetFlagErrorFunc(flagError)
		if c.ValidArgs == nil && c.ValidArgsFunction == nil {
			c.ValidArgsFunction = folders
		}
	}
	root.SetUsageFunc(usage)
	tellVersion(root)
	return root
}

// fold breaks the paragraphs of a text into lines of at most `width` characters. There are empty lines between paragraphs.
func fold(text string, width int) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteString("\n\n")
		}
		column := 0
		for _, word := range strings.Fields(paragraph) {
			switch {
			case column == 0:
			case column+1+len(word) > width:
				b.WriteByte('\n')
				column = 0
			default:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += len(word)
		}
	}
	return b.String()
}

// completion returns the command that prints a completion script.
func completion(name string) *cobra.Command {
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print completions of these commands for a shell", ValidArgs: Shells(),
		Example: fmt.Sprintf("  source <(%[1]s completion bash)   # in ~/.bashrc, for each new shell\n"+
			"  %[1]s completion zsh > ~/.zfunc/_%[1]s   # in fpath\n"+
			"  %[1]s completion fish > ~/.config/fish/completions/%[1]s.fish", name),
		Args: operand("SHELL", true),
		RunE: func(c *cobra.Command, args []string) error { return Completion(c.Root(), args[0], c.OutOrStdout()) },
	}
}

// folders() makes the shell complete the name of a folder.
func folders(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// offer sets the function that completes the values of an option.
func offer(c *cobra.Command, option string, f cobra.CompletionFunc) {
	if c.Flags().Lookup(option) != nil {
		_ = c.RegisterFlagCompletionFunc(option, f) // fails only if the option does not exist
	}
}

// offerAll sets the completion of the options that several commands have.
func offerAll(c *cobra.Command) {
	offer(c, "config-dir", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	for _, name := range []string{"size", "listen", "url"} {
		offer(c, name, cobra.NoFileCompletions)
	}
}

// operand returns a check of the arguments besides the options. It accepts at most one argument, or exactly one if `required` is true.
// `name` is the argument's name in errors.
func operand(name string, required bool) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 1 && c == c.Root() && c.Name() == "dashboard" && otherWord(args[0], args[1]) != nil:
			return otherWord(args[0], args[1])
		case len(args) == 0 && required:
			return fmt.Errorf("%s: %s is missing", c.UseLine(), name)
		case len(args) > 1 && c == c.Root() && Misspelt(c, args[0]) != "":
			return noCommand(args[0], Misspelt(c, args[0]))
		case len(args) > 1:
			return fmt.Errorf("unexpected argument %q; it is: %s", args[1], c.UseLine())
		case len(args) == 1 && len(c.ValidArgs) > 0 && !slices.Contains(c.ValidArgs, args[0]):
			return noWord(args[0], c.ValidArgs)
		}
		return nil
	}
}

// nothing is a check that accepts no argument besides the options.
func nothing(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q; it is: %s", args[0], c.UseLine())
	}
	return nil
}

// Misspelt returns the name of a command that is similar to `word`. If there is none, it returns "".
func Misspelt(root *cobra.Command, word string) string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return spelling.Nearest(word, names)
}

func noCommand(word, near string) error {
	return fmt.Errorf("there is no command %q; is '%s' meant?", word, near)
}

// NoFolder returns the error for an argument that is not the name of a folder. The argument may be
// a misspelled command. `hint` is an additional sentence for the user, or "".
func NoFolder(root *cobra.Command, word, hint string) error {
	if err := otherWord(word, ""); err != nil && root.Name() == "dashboard" {
		return err
	}
	if near := Misspelt(root, word); near != "" {
		return noCommand(word, near)
	}
	if hint != "" {
		hint = "; " + hint
	}
	return fmt.Errorf("there is no folder %s%s", word, hint)
}

// noWord returns the error for a word that is not in the list `words`.
func noWord(word string, words []string) error {
	if near := spelling.Nearest(word, words); near != "" {
		return fmt.Errorf("%q is none of %s; is %s meant?", word, strings.Join(words, ", "), near)
	}
	return fmt.Errorf("%q is none of %s", word, strings.Join(words, ", "))
}

// flagError returns the error for an invalid option. If the user has probably misspelled an option, the error names the right option.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var lacking *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownOption(c, unknown.GetSpecifiedName())
	case errors.As(err, &lacking):
		f := lacking.GetFlag()
		value, _ := pflag.UnquoteUsage(f)
		return fmt.Errorf("--%s needs a value: --%s %s", f.Name, f.Name, value)
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool":
		return fmt.Errorf("--%s takes no value", invalid.GetFlag().Name)
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, errors.Unwrap(invalid))
	}
	return err
}

func unknownOption(c *cobra.Command, name string) error {
	var all []string
	c.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	if near := spelling.Nearest(name, all); near != "" {
		return fmt.Errorf("unknown option --%s; is --%s meant?", name, near)
	}
	for _, other := range append(c.Root().Commands(), c.Root()) {
		if other.Flags().Lookup(name) != nil {
			return fmt.Errorf("--%s is an option of '%s'", name, other.CommandPath())
		}
	}
	dashes := "--"
	if len(name) == 1 {
		dashes = "-"
	}
	return fmt.Errorf("unknown option %s%s; %s --help lists what there is", dashes, name, c.CommandPath())
}

// A word is the value of an option that accepts only certain words.
type word struct {
	to    *string
	words []string
}

func (w word) String() string { return *w.to }
func (w word) Type() string   { return "string" }

func (w word) Set(s string) error {
	if !slices.Contains(w.words, s) {
		return noWord(s, w.words)
	}
	*w.to = s
	return nil
}

// wordOption adds an option that accepts only certain words.
func wordOption(c *cobra.Command, to *string, name string, words []string, usage string) {
	c.Flags().Var(word{to, words}, name, usage)
	offer(c, name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
