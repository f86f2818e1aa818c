package cli

import (
	"fmt"
	"strings"

	"dashboard/samples"

	"github.com/spf13/cobra"
)

// Options are the options on the command line of dashboard.
type Options struct {
	Command   string // name of the command, such as Show; "" after a requested text was printed
	Folder    string // DIR
	Name      string // provider for the commands values and connect, or search word for the command icons
	ConfigDir string
	Widgets   string
	Theme     string
	Size      string
	Panel     string
	Listen    string
	StateDir  string
	Output    string
	Sheet     string // file into which icons or themes are drawn, or ""
	Sample    string
	List      bool // true if the command init lists the samples
	URL       string
	Demo      bool
	KeepGoing bool
	JSON      bool
	Fetch     bool // true if the command check sends requests to the sources
	Text      bool // true if the command render prints text

	AddressFile string // file that contains the address for the commands pull and relay
	Client      bool   // true if the command pull fetches the files of a remote screen

	Verb   string // subcommand of recipe. The field Name contains the argument after it
	Yes    bool   // true if the command recipe update replaces the recipe
	Device bool   // true if the command connect shows a code for another device
	Made   string // name of the widget from which recipe new creates a recipe
}

// Show is the command that runs if the user names no command. It shows the wall.
const Show = "show"

// Dashboard returns the command tree of dashboard. Parsing the command line sets the fields of o.
func Dashboard(o *Options, version string) *cobra.Command {
	root := &cobra.Command{
		Use: "dashboard [options] [DIR]", Short: "Draw a wall of widgets", Version: version,
		Long: "Draw a wall of widgets until the program is stopped.\n\nYAML files in a folder describe the wall: conf.yaml, widgets.yaml and, if they exist, " +
			"providers.yaml and secrets.yaml. Paths in these files are relative to the folder. conf.yaml lists the outputs: " +
			"screens, browsers, remote screens, uploads and files.",
		Example: "  dashboard --demo     the built-in example, at http://127.0.0.1:5000/\n" +
			"  dashboard my-wall    the wall of a folder",
		Annotations: map[string]string{Manual: dashboardManual},
	}
	o.folder(root, Show)
	o.wall(root)
	root.Flags().StringVar(&o.Listen, "listen", "", "listen at `ADDRESS`, such as 127.0.0.1:5000 or :8080, instead of server.host and server.port")
	root.Flags().StringVar(&o.StateDir, "state-dir", "", "keep the last values of providers and the last good files in this `folder`, for the next start; none keeps nothing (default: the state directory of systemd, or dashboard in the user's cache)")
	root.Flags().BoolVar(&o.KeepGoing, "keep-going", false, "if the files have an error, start with the last good files or with a clock, and show the error on the wall; for services")
	root.AddCommand(o.initCommand(), o.edit(), o.check(), o.render(), o.values(), o.reload(), o.health(), o.display(), o.icons(), o.themes(),
		o.recipe(), o.connect(), o.pull(), o.relay(), completion("dashboard"), versionCommand(version))
	for _, c := range append(root.Commands(), root) {
		offerAll(c)
	}
	return finish(root)
}

// versionCommand returns a command that prints the same text as --version. It is not listed in the help.
func versionCommand(version string) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Long: "Print the version.", Args: cobra.NoArgs, Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(c.OutOrStdout(), "%s %s\n", c.Root().Name(), version)
			return err
		},
	}
}

// otherWords maps the names of commands in other programs to commands of this program.
var otherWords = map[string]string{
	"serve": "dashboard DIR", "run": "dashboard DIR", "start": "dashboard DIR", "show": "dashboard DIR", "up": "dashboard DIR",
	"doctor": "dashboard check DIR", "validate": "dashboard check DIR", "lint": "dashboard check DIR", "test": "dashboard check DIR",
	"new": "dashboard init DIR", "create": "dashboard init DIR", "samples": "dashboard init --list", "list": "dashboard init --list",
	"status": "dashboard health DIR", "draw": "dashboard render DIR", "preview": "dashboard render DIR", "screenshot": "dashboard render DIR",
}

// otherWord returns an error for a word that is a command in other programs. The error suggests the corresponding command of this program
// for the folder `dir`. For all other words, otherWord returns nil.
func otherWord(word, dir string) error {
	meant, ok := otherWords[word]
	if !ok {
		return nil
	}
	if dir != "" {
		meant = strings.Replace(meant, "DIR", dir, 1)
	}
	return fmt.Errorf("there is no command %q; write '%s'", word, meant)
}

// folder adds the argument DIR to the command c. When c runs, it sets o.Command to `name`.
func (o *Options) folder(c *cobra.Command, name string) {
	c.Args = operand("DIR", name == "init")
	c.RunE = func(_ *cobra.Command, args []string) error {
		o.Command, o.Folder = name, strings.Join(args, "")
		return nil
	}
}

// place adds the option --config-dir to the command c.
func (o *Options) place(c *cobra.Command) {
	c.Flags().StringVar(&o.ConfigDir, "config-dir", "", "`folder` of the configuration, instead of the current one; the same as DIR")
}

// wall adds the options that select the wall and its picture to the command c.
func (o *Options) wall(c *cobra.Command) {
	o.place(c)
	c.Flags().StringVar(&o.Widgets, "widgets", "widgets.yaml", "`FILE` with the widgets")
	c.Flags().StringVar(&o.Theme, "theme", "", "theme `FILE` that replaces the theme block of the widgets file")
	c.Flags().BoolVar(&o.Demo, "demo", false, "use the built-in example; it needs no files and no network")
	c.Flags().StringVar(&o.Size, "size", "", "draw at this size in pixels, `WxH`, instead of the screen's or the configured one")
}

func (o *Options) initCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "init [options] DIR", Short: "Write a configuration to start from",
		Long: "Write a configuration to start from.\n\nComments in the files explain each part. The files need no key and no network. " +
			"Existing files are not overwritten. The samples are larger, and some of them use public services on the network.",
		Example: "  dashboard init my-wall                  make the folder my-wall\n" +
			"  dashboard init --sample epaper paper    a wall for an e-paper display\n" +
			"  dashboard init --list                   list the samples",
	}
	o.folder(c, "init")
	c.Args = func(c *cobra.Command, args []string) error { return operand("DIR", !o.List)(c, args) }
	c.Flags().BoolVar(&o.List, "list", false, "list the samples and write nothing")
	wordOption(c, &o.Sample, "sample", samples.Names(), "write the sample `NAME`, one of "+strings.Join(samples.Names(), ", "))
	return c
}

func (o *Options) edit() *cobra.Command {
	c := &cobra.Command{
		Use: "edit [options] DIR", Short: "Edit a folder in the browser",
		Long: "Edit a folder in the browser.\n\nThe program draws the wall without a screen and prints the address of the editor. " +
			"Only this machine can reach it, unless --listen names another address and conf.yaml has server.auth.config_token. " +
			"The folder may be new or empty.",
		Example: "  dashboard edit my-wall    then open http://127.0.0.1:5000/edit/",
	}
	o.folder(c, "edit")
	c.Args = operand("DIR", true)
	c.Flags().StringVar(&o.Widgets, "widgets", "widgets.yaml", "`FILE` with the widgets")
	c.Flags().StringVar(&o.Listen, "listen", "", "listen at `ADDRESS`, such as 127.0.0.1:5000")
	c.Flags().StringVar(&o.StateDir, "state-dir", "", "keep the last saves in this `folder`; none keeps nothing")
	return c
}

func (o *Options) check() *cobra.Command {
	c := &cobra.Command{
		Use: "check [options] [DIR]", Short: "List all errors of a configuration",
		Long: "List all errors of a configuration.\n\nEach error has its file, line and column and, if there is one, the most similar known word. " +
			"The wall is not started, and without --fetch no request is sent. Colors are used on a terminal, unless NO_COLOR is set. " +
			"The exit status is 1 if there is any error.",
		Example: "  dashboard check my-wall                    list the errors\n" +
			"  dashboard check --fetch my-wall            also request all sources\n" +
			"  dashboard check --json my-wall | jq .ok    for scripts",
	}
	o.folder(c, "check")
	o.wall(c)
	c.Flags().BoolVar(&o.JSON, "json", false, "print JSON")
	c.Flags().BoolVar(&o.Fetch, "fetch", false, "also request every provider once, and list missing answers and unusable parts of answers")
	return c
}

func (o *Options) render() *cobra.Command {
	c := &cobra.Command{
		Use: "render [options] [DIR]", Short: "Draw one picture of a wall",
		Long: "Draw one picture of a wall.\n\nThe command waits up to five seconds for the first values of all providers, and lists missing values. The picture is a PNG.",
		Example: "  dashboard render --size 800x480 -o wall.png my-wall    on a small screen\n" +
			"  dashboard render --panel waveshare-7in5-v2 my-wall     as e-paper shows it\n" +
			"  dashboard render --text my-wall        as a screen reader reads it",
	}
	o.folder(c, "render")
	c.Flags().BoolVar(&o.Text, "text", false, "print the wall as text, as GET /text does, and write no picture")
	c.Flags().StringVarP(&o.Output, "output", "o", "dashboard.png", "`FILE` to write; - is the standard output")
	c.Flags().StringVar(&o.Panel, "panel", "", "draw the wall in the inks of the panel `NAME`, or of a palette such as spectra6")
	o.wall(c)
	return c
}

func (o *Options) values() *cobra.Command {
	c := &cobra.Command{
		Use: "values [options] DIR [NAME]", Short: "Request all providers once and print their values",
		Long: "Request all providers once and print their values.\n\nThe command waits up to five seconds. It prints JSON: value, time and error of each provider. " +
			"Secrets are masked, and large values are cut. With NAME it prints only this provider, and the exit status is 1 if there is no value.",
		Example: "  dashboard values my-wall            all providers\n" +
			"  dashboard values my-wall weather    the value of .weather in !data programs",
	}
	c.Args = cobra.MaximumNArgs(2)
	c.RunE = func(_ *cobra.Command, args []string) error {
		o.Command = "values"
		for i, into := range []*string{&o.Folder, &o.Name} {
			if i < len(args) {
				*into = args[i]
			}
		}
		return nil
	}
	o.wall(c)
	return c
}

func (o *Options) reload() *cobra.Command {
	c := &cobra.Command{
		Use: "reload [options] [DIR]", Short: "Make a running wall read its files again",
		Long: "Make a running wall read its files again.\n\nThe command uses the address and the control token in the folder's conf.yaml. The wall applies all files. " +
			"If a file has an error, the wall applies none, and the command prints the errors and has the exit status 1.",
	}
	o.folder(c, "reload")
	o.running(c)
	return c
}

func (o *Options) health() *cobra.Command {
	c := &cobra.Command{
		Use: "health [options] [DIR]", Short: "Report whether a running wall is healthy",
		Long: "Report whether a running wall is healthy.\n\nThe exit status is 0 if the wall is painted, and 1 if it is not or does not answer. " +
			"For containers: HEALTHCHECK CMD [\"dashboard\", \"health\", \"/config\"].",
	}
	o.folder(c, "health")
	o.running(c)
	return c
}

func (o *Options) display() *cobra.Command { return display("dashboard", &o.Command) }

// display returns the command that describes the screens of the machine.
func display(program string, command *string) *cobra.Command {
	return &cobra.Command{
		Use: "display probe", Short: "List the screens and their capabilities", ValidArgs: []string{"probe"},
		Long: "List the screens and their capabilities.\n\nFor each connector of a graphics card, the command lists its name (key connector), its screen, its modes (key mode), " +
			"the values of rgb_range and the ways to switch the screen off. Then it lists framebuffers and backlights. It changes nothing and does not disturb a running wall.",
		Example: "  " + program + " display probe",
		Args:    operand("probe", true),
		RunE: func(_ *cobra.Command, args []string) error {
			if args[0] != "probe" {
				return noWord(args[0], []string{"probe"})
			}
			*command = "display"
			return nil
		},
	}
}

func (o *Options) icons() *cobra.Command {
	c := &cobra.Command{
		Use: "icons [options] WORD", Short: "List the icons for a word",
		Long:    "List the icons for a word.\n\nThe key icon takes these names of Material Design Icons. With --output the command also draws the icons.",
		Example: "  dashboard icons sofa                  mdi:sofa, mdi:sofa-outline, …\n  dashboard icons -o rain.png rain      draw the icons",
		Args:    operand("WORD", true),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Command, o.Name = "icons", args[0]
			return nil
		},
	}
	c.Flags().StringVarP(&o.Sheet, "output", "o", "", "PNG `FILE` for the drawing")
	return c
}

func (o *Options) themes() *cobra.Command {
	c := &cobra.Command{
		Use: "themes [options]", Short: "List the built-in themes",
		Long:    "List the built-in themes.\n\nEach theme has colors for day and night. With --output the command draws both on a small wall.",
		Example: "  dashboard themes                  calm, paper, amber, …\n  dashboard themes -o themes.png    draw the themes",
		Args:    nothing,
		RunE: func(_ *cobra.Command, _ []string) error {
			o.Command = "themes"
			return nil
		},
	}
	c.Flags().StringVarP(&o.Sheet, "output", "o", "", "PNG `FILE` for the drawing")
	return c
}

func (o *Options) pull() *cobra.Command {
	c := &cobra.Command{
		Use: "pull [options]", Short: "Fetch a wall's files and keep them if they have no error",
		Long: "Fetch a wall's files and keep them if they have no error.\n\nThe card runs this command for config_url. It fetches a zip file from an https address and keeps it as wall.zip, " +
			"with the server's ETag and date. Later it fetches only a changed file. If the files have an error, the last good files stay, " +
			"and the exit status is 1.",
		Example: "  dashboard pull --address-file address --state-dir copy",
		Args:    nothing,
		RunE: func(_ *cobra.Command, _ []string) error {
			o.Command = "pull"
			return o.addressed()
		},
	}
	c.Flags().StringVar(&o.AddressFile, "address-file", "", "`FILE` with the address, which may be a secret")
	c.Flags().StringVar(&o.StateDir, "state-dir", "", "keep the copy in this `folder`")
	c.Flags().BoolVar(&o.Client, "client", false, "fetch the files of a remote screen, with client.yaml")
	return c
}

func (o *Options) relay() *cobra.Command {
	c := &cobra.Command{
		Use: "relay [options]", Short: "Fetch a file of a release for the keeper of a card",
		Long: "Fetch a file of a release for the keeper of a card.\n\nThe card runs this command for update_url, because the keeper has no access to the network. " +
			"The standard input is a line with a file's name and an offset. The standard output is the file from this offset.",
		Example: "  echo stable-arm64.manifest 0 | dashboard relay --address-file address",
		Args:    nothing,
		RunE: func(_ *cobra.Command, _ []string) error {
			o.Command = "relay"
			return o.addressed()
		},
	}
	c.Flags().StringVar(&o.AddressFile, "address-file", "", "`FILE` with the address of the releases, which may be a secret")
	return c
}

// addressed returns an error if the option --address-file is missing.
func (o *Options) addressed() error {
	if o.AddressFile == "" {
		return fmt.Errorf("%s: --address-file FILE is missing", o.Command)
	}
	return nil
}

// running() adds the options that select a running dashboard to the command c.
func (o *Options) running(c *cobra.Command) {
	o.place(c)
	c.Flags().StringVar(&o.URL, "url", "", "send the request to `URL`, instead of server.host and server.port of conf.yaml")
}

const dashboardManual = `
# FILES
**conf.yaml**
: Resolution, outputs, server, and the themes for day and night.

**widgets.yaml**
: The wall: a tree of widgets, and the theme.

**providers.yaml**
: Sources of values. Optional.

**secrets.yaml**
: Values of "!secret name". Optional. Credentials of systemd override it.

` + commonManual + `
# SEE ALSO
**dashboard-client(1)**, **dashboard-conf(5)**, **dashboard-widgets(5)**, **dashboard-providers(5)**
`

const commonManual = `
# SIGNALS
**SIGUSR1**
: Read all files again. If a file has an error, nothing changes.

**SIGINT**, **SIGTERM**, **SIGHUP**
: End, and release the console.

# EXIT STATUS
**0**
: The program was stopped, or the command succeeded.

**1**
: The configuration has an error, or the command failed.

**2**
: The command line is wrong.
`
