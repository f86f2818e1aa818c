package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/internal/cli"
	"dashboard/internal/daemon"
	"dashboard/internal/folder"
)

// options are the command line.
type options struct {
	command   string // "" or check
	configDir string
	config    string // "" until enter: client.yaml, wherever it is
	home      string // from enter on: the folder that relative paths count from
	root      *folder.Root
	level     string // "": what the file says
	json      bool
}

// levels are what --log-level takes, the values of logging.level.
var levels = []string{"debug", "info", "warning"}

// parseArgs reads the command line. It prints the texts that can be asked for.
func parseArgs(args []string, stdout io.Writer) (*options, error) {
	program := cli.Client()
	call, err := program.Parse(args)
	switch {
	case err != nil:
		return nil, err
	case call.Has("help"):
		fmt.Fprint(stdout, program.Help(call.Command))
		return nil, daemon.ErrAnswered
	case call.Has("version"):
		fmt.Fprintln(stdout, name, version, daemon.Revision())
		return nil, daemon.ErrAnswered
	case call.Command.Name == "completion":
		fmt.Fprint(stdout, program.Completion(call.Operands[0]))
		return nil, daemon.ErrAnswered
	}
	o := &options{
		command: call.Command.Name, configDir: call.Value("config-dir"), config: call.Value("config"),
		level: call.Value("log-level"), json: call.Has("json"),
	}
	if o.level != "" && !slices.Contains(levels, o.level) {
		return nil, fmt.Errorf("--log-level %s: it is one of %s", o.level, strings.Join(levels, ", "))
	}
	return o, o.folder(program, call.Operands)
}

// folder takes the folder that is named without an option. What is no folder may be a misspelt command.
func (o *options) folder(program *cli.Program, operands []string) error {
	if len(operands) == 0 {
		return nil
	}
	dir := operands[0]
	if o.configDir != "" {
		return fmt.Errorf("%s and --config-dir %s: there can be only one folder", dir, o.configDir)
	}
	if _, err := os.Stat(dir); err != nil && o.command == "" && program.Misspelt(dir) != "" {
		return fmt.Errorf("there is no command %q; is '%s' meant?", dir, program.Misspelt(dir))
	}
	o.configDir = dir
	return nil
}

// enter finds the folder of the configuration. If neither folder nor file are given, it is looked for.
func (o *options) enter() error {
	dir := o.configDir
	if dir == "" && o.config == "" {
		var err error
		if dir, err = find(places()); err != nil {
			return err
		}
	}
	if o.config == "" {
		o.config = config.ClientName
	}
	var err error
	if o.home, err = filepath.Abs(dir); err != nil {
		return err
	}
	return daemon.Folder(o.home, dir)
}

// files is what the file of the configuration is opened with: every relative path in it counts from its folder.
func (o *options) files() *folder.Root {
	if o.root == nil {
		o.root = folder.Dir(o.home)
	}
	return o.root
}

// systemFolder is where the unit has the configuration.
const systemFolder = "/etc/dashboard"

// places are the folders that may have a client.yaml, the first one first.
func places() []string {
	all := []string{"."}
	if home, err := os.UserConfigDir(); err == nil { // a service has no home
		all = append(all, filepath.Join(home, "dashboard"))
	}
	return append(all, systemFolder)
}

// find returns the first folder that has a client.yaml; "" for the one it is in.
func find(places []string) (string, error) {
	for _, dir := range places {
		if _, err := os.Stat(filepath.Join(dir, config.ClientName)); err != nil {
			continue
		}
		if dir == "." {
			return "", nil
		}
		return dir, nil
	}
	return "", fmt.Errorf("there is no %s in %s; --config-dir DIR names another folder", config.ClientName, strings.Join(places, ", "))
}
