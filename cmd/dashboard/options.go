package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"dashboard/config"
)

// errAnswered says that the arguments asked for a text, which has been printed.
var errAnswered = errors.New("answered")

// options are the command line.
type options struct {
	command   string // "", check or render
	configDir string
	widgets   string
	theme     string
	demo      bool
	size      config.Size // zero: the configured resolution
	out       string
	json      bool
	strict    bool // unknown widget parameters are errors

	temp string // the folder of the built-in configuration, removed at the end
}

const usage = `Usage: dashboard [check|render] [options]

Draws the dashboard described in a folder of YAML files:
conf.yaml, widgets.yaml, and, where they exist, providers.yaml and secrets.yaml.

  dashboard --demo                      the built-in example, at http://127.0.0.1:5000/
  dashboard --config-dir DIR            the dashboard of a folder
  dashboard check --config-dir DIR      tell everything that is wrong with it
  dashboard render --config-dir DIR -o wall.png --size 800x480
                                        draw one picture of it

Options:
`

func parseArgs(args []string, stdout io.Writer) (*options, error) {
	o := &options{}
	if len(args) > 0 && (args[0] == "check" || args[0] == "render") {
		o.command, args = args[0], args[1:]
	}
	o.strict = o.command == "check"
	fs := flag.NewFlagSet("dashboard", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	showVersion := fs.Bool("version", false, "print the version and end")
	size := fs.String("size", "", "render at `WxH` pixels instead of the configured resolution")
	fs.StringVar(&o.configDir, "config-dir", "", "`folder` of the configuration; paths in it are relative to it")
	fs.StringVar(&o.widgets, "widgets", "widgets.yaml", "`file` with the widgets")
	fs.StringVar(&o.theme, "theme", "", "theme `file` that replaces the theme block of the widgets file")
	fs.BoolVar(&o.demo, "demo", false, "use the built-in configuration")
	fs.StringVar(&o.out, "o", "dashboard.png", "`file` that render writes, PNG")
	fs.BoolVar(&o.json, "json", false, "check answers in JSON")
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return nil, errAnswered
	case err != nil:
		return nil, fmt.Errorf("%w (dashboard --help lists what there is)", err)
	case fs.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q (dashboard --help lists what there is)", fs.Arg(0))
	case *showVersion:
		fmt.Fprintln(stdout, "dashboard", version, revision())
		return nil, errAnswered
	case o.demo && o.configDir != "":
		return nil, errors.New("--demo has a configuration of its own: leave out --config-dir")
	}
	return o, o.parseSize(*size)
}

func (o *options) parseSize(s string) error {
	if s == "" {
		return nil
	}
	var w, h int
	if n, err := fmt.Sscanf(strings.ToLower(s), "%dx%d", &w, &h); n != 2 || err != nil {
		return fmt.Errorf("--size %s: want WIDTHxHEIGHT, such as 800x480", s)
	}
	if err := o.size.SetValue([]any{w, h}); err != nil {
		return fmt.Errorf("--size %s: %w", s, err)
	}
	return nil
}

// enter goes to the folder of the configuration: every relative path in it counts from there.
func (o *options) enter() error {
	dir := o.configDir
	if o.demo {
		var err error
		if dir, err = unpackDemo(); err != nil {
			return err
		}
		o.temp = dir
	}
	if dir == "" {
		return nil
	}
	if err := os.Chdir(dir); err != nil {
		return fmt.Errorf("--config-dir %s: %w", dir, errors.Unwrap(err))
	}
	return nil
}

func (o *options) leave() {
	if o.temp != "" {
		os.RemoveAll(o.temp)
	}
}

// revision is the commit the program was built from, if the build knew it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "(" + s.Value[:min(12, len(s.Value))] + ")"
		}
	}
	return ""
}
