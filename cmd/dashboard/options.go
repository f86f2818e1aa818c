package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dashboard/config"
	"dashboard/internal/cli"
	"dashboard/internal/daemon"
	"dashboard/internal/folder"
)

// options are the command line.
type options struct {
	command   string // "", init, check or render
	configDir string
	widgets   string
	theme     string
	demo      bool
	size      config.Size // zero: the configured resolution
	out       string      // absolute
	json      bool
	sample    string // what init writes; "" is the starter
	strict    bool   // unknown widget parameters are errors

	home string       // the folder of the configuration, absolute
	root *folder.Root // its files, and all others by their absolute names
	temp string       // the folder of the built-in configuration, removed at the end
}

// parseArgs reads the command line. It prints the texts that can be asked for.
func parseArgs(args []string, stdout io.Writer) (*options, error) {
	program := cli.Dashboard()
	call, err := program.Parse(args)
	switch {
	case err != nil:
		return nil, err
	case call.Has("help"):
		fmt.Fprint(stdout, program.Help(call.Command))
		return nil, daemon.ErrAnswered
	case call.Has("version"):
		fmt.Fprintln(stdout, "dashboard", version, daemon.Revision())
		return nil, daemon.ErrAnswered
	case call.Command.Name == "completion":
		fmt.Fprint(stdout, program.Completion(call.Operands[0]))
		return nil, daemon.ErrAnswered
	}
	o := &options{
		command: call.Command.Name, configDir: call.Value("config-dir"), widgets: call.Value("widgets"), theme: call.Value("theme"),
		demo: call.Has("demo"), json: call.Has("json"), sample: call.Value("sample"), strict: call.Command.Name == "check",
	}
	if o.out, err = filepath.Abs(call.Value("o")); err != nil { // it counts from where the command was typed
		return nil, err
	}
	if err := o.folder(program, call); err != nil {
		return nil, err
	}
	return o, o.parseSize(call.Value("size"))
}

// folder takes the folder that is named without an option. What is no folder may be a misspelt command.
func (o *options) folder(program *cli.Program, call *cli.Call) error {
	if len(call.Operands) > 0 {
		dir := call.Operands[0]
		if _, err := os.Stat(dir); err != nil && o.command == "" {
			return noFolder(program, dir)
		}
		if o.configDir != "" {
			return fmt.Errorf("%s and --config-dir %s: there can be only one folder", dir, o.configDir)
		}
		o.configDir = dir
	}
	if o.demo && o.configDir != "" {
		return errors.New("--demo has a configuration of its own: leave out the folder")
	}
	return nil
}

func noFolder(program *cli.Program, word string) error {
	if near := program.Misspelt(word); near != "" {
		return fmt.Errorf("there is no command %q; is '%s' meant?", word, near)
	}
	return fmt.Errorf("there is no folder %s; 'dashboard init %s' makes one with a wall in it", word, word)
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

// files is what the files of the configuration are opened with: every relative path in them counts from its folder.
func (o *options) files() *folder.Root {
	if o.root == nil {
		o.root = folder.Dir(o.home)
	}
	return o.root
}

// enter finds the folder of the configuration.
func (o *options) enter() error {
	dir := o.configDir
	if o.demo {
		var err error
		if dir, err = unpackDemo(); err != nil {
			return err
		}
		o.temp = dir
	}
	var err error
	if o.home, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := daemon.Folder(o.home, dir); err != nil {
		return err
	}
	return o.anyWall()
}

// anyWall reports a folder that has nothing of a wall: who starts the program there wants to know how to get one.
func (o *options) anyWall() error {
	for _, name := range []string{config.ConfName, o.widgets} {
		if _, err := o.files().Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return fmt.Errorf("there is no %s and no %s in %s; 'dashboard init DIR' makes a wall, 'dashboard --demo' shows one", config.ConfName, o.widgets, o.home)
}

func (o *options) leave() {
	if o.temp != "" {
		os.RemoveAll(o.temp)
	}
}
