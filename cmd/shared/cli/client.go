package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// ClientOptions are the options on the command line of dashboard-client.
type ClientOptions struct {
	Command   string // Show or the name of another command; "": a requested text was printed
	Folder    string // DIR
	ConfigDir string
	Config    string
	LogLevel  string
	StateDir  string
	KeepGoing bool
	JSON      bool
}

// Levels returns the possible values of the option --log-level. They are the same as for the key logging.level.
func Levels() []string { return []string{"debug", "info", "warning"} }

// Client returns the command tree of dashboard-client. Parsing the command line sets the fields of o.
func Client(o *ClientOptions, version string) *cobra.Command {
	root := &cobra.Command{
		Use: "dashboard-client [options] [DIR]", Short: "Show the wall of another machine", Version: version,
		Long: "Show the wall of another machine until it is stopped.\n\nThe client fetches frames of a dashboard over HTTP in the size of its screen and shows them. " +
			"It needs no widgets, providers, fonts or pictures. If the connection is lost, the last frame stays, " +
			"and a warning appears after a while.\n\n" +
			"Without FILE and DIR the client reads client.yaml in the current folder, ~/.config/dashboard or " +
			"/etc/dashboard. Paths in this file are relative to its folder.",
		Example:     "  dashboard-client kitchen    the screen that kitchen/client.yaml describes",
		Annotations: map[string]string{Manual: clientManual},
	}
	o.folder(root, Show)
	wordOption(root, &o.LogLevel, "log-level", Levels(), "`LEVEL`: debug, info or warning, instead of logging.level of the file")
	root.Flags().StringVar(&o.StateDir, "state-dir", "", "keep the last good files in this `folder`, for the next start; none keeps nothing (default: the state directory of systemd)")
	root.Flags().BoolVar(&o.KeepGoing, "keep-going", false, "if the files have an error, start with the last good files or show the error, and apply the files when they are corrected; for services")
	check := &cobra.Command{
		Use: "check [options] [DIR]", Short: "List all errors of a configuration",
		Long: "List all errors of a configuration.\n\nThe client is not started, and no request is sent. Colors are used on a terminal, unless NO_COLOR is set. " +
			"The exit status is 1 if there is any error.",
	}
	o.folder(check, "check")
	check.Flags().BoolVar(&o.JSON, "json", false, "print JSON")
	root.AddCommand(check, display("dashboard-client", &o.Command), completion("dashboard-client"))
	offerAll(root)
	offerAll(check)
	return finish(root)
}

// folder adds the argument DIR and the options --config-dir and --config to the command c. When c runs, it sets o.Command to `name`.
func (o *ClientOptions) folder(c *cobra.Command, name string) {
	c.Args = operand("DIR", false)
	c.RunE = func(_ *cobra.Command, args []string) error {
		o.Command, o.Folder = name, strings.Join(args, "")
		return nil
	}
	c.Flags().StringVar(&o.ConfigDir, "config-dir", "", "`folder` of the configuration, instead of the current one; the same as DIR")
	c.Flags().StringVar(&o.Config, "config", "", "`FILE` to read instead of client.yaml")
}

const clientManual = `
# FILES
**client.yaml**
: Address of the wall, and the screen.

**secrets.yaml**
: Values of "!secret name". Optional. Credentials of systemd override it.

` + commonManual + `
# SEE ALSO
**dashboard(1)**
`
