package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"dashboard/cmd/shared/cli"
	"dashboard/config"
	"dashboard/render/ink"
	"dashboard/wall"
	"dashboard/wall/daemon"
	"dashboard/wall/scene"

	"github.com/spf13/cobra"
)

// options contains the checked options of the command line.
type options struct {
	cli.Options
	configDir string       // folder in the argument DIR or the option --config-dir, or "" for the current folder
	out       string       // absolute path of the file to write
	palette   *ink.Palette // palette in the option --panel, or nil
	watch     bool         // true if the files are watched, unless conf.yaml turns this off

	wall scene.Folder
	temp string // temporary folder with the built-in configuration, removed at the end; or ""
}

// parseArgs parses the command line. If the user requests a text, such as the help, it prints the text.
func parseArgs(args []string, stdout io.Writer) (*options, error) {
	o := &options{}
	root := cli.Dashboard(&o.Options, strings.TrimSpace(version+" "+daemon.Revision()))
	if err := cli.Parse(root, args, stdout); err != nil {
		return nil, err
	}
	if o.Command == "" {
		return nil, daemon.ErrAnswered
	}
	var err error
	if o.out, err = filepath.Abs(o.Output); err != nil { // relative to the current folder, not to the wall's folder
		return nil, err
	}
	if err := o.checkOutput(); err != nil {
		return nil, err
	}
	o.wall.Strict = o.Command == "check"
	o.wall.Screenless = o.Command == "edit"
	o.watch = o.ConfigDir == "" && !o.Demo
	if err := checkListen(o.Listen); err != nil {
		return nil, err
	}
	o.wall.Widgets, o.wall.Theme = o.Widgets, o.Theme
	if err := o.folder(root); err != nil {
		return nil, err
	}
	if o.Panel != "" {
		if o.wall.Panel, o.palette, err = panelOf(o.Panel); err != nil {
			return nil, err
		}
	}
	return o, o.parseSize(o.Size)
}

// checkListen returns an error if the value of --listen is not an address with a valid port. "" is valid.
func checkListen(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil && address != "" {
		return fmt.Errorf("--listen %s: want HOST:PORT, such as 127.0.0.1:5000 or :8080", address)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil && port != "" {
		return fmt.Errorf("--listen %s: the port must be a whole number between 0 and 65535", address)
	}
	return nil
}

// folder sets the folder of the configuration from --config-dir or the first argument. If this folder does not exist, the error may
// suggest a command with a similar name.
func (o *options) folder(root *cobra.Command) error {
	o.configDir = cmp.Or(o.ConfigDir, o.Folder)
	switch {
	case o.Folder != "" && o.ConfigDir != "":
		return fmt.Errorf("%s and --config-dir %s: there can be only one folder", o.Folder, o.ConfigDir)
	case o.Demo && o.configDir != "":
		return errors.New("--demo has a configuration of its own: leave out the folder")
	case o.Folder == "" || o.Command == "init" || o.Command == "edit":
		return nil
	}
	if _, err := os.Stat(o.Folder); errors.Is(err, fs.ErrNotExist) {
		return cli.NoFolder(root, o.Folder, fmt.Sprintf("'dashboard init %s' makes one with a wall in it", cli.ShellWord(o.Folder)))
	}
	return nil
}

// checkOutput returns an error if the output file of render is a folder, or if its name has the extension of a format other than PNG.
func (o *options) checkOutput() error {
	if o.Command != "render" || o.Output == toStdout {
		return nil
	}
	switch strings.ToLower(filepath.Ext(o.out)) {
	case ".bmp", ".gif", ".jpeg", ".jpg", ".svg", ".webp":
		return fmt.Errorf("-o %s: the picture is a PNG: name a file such as wall.png", o.Output)
	}
	if info, err := os.Stat(o.out); err == nil && info.IsDir() {
		return fmt.Errorf("-o %s: this is a folder: name a file such as %s", o.Output, filepath.Join(o.Output, "wall.png"))
	}
	return nil
}

func (o *options) parseSize(s string) error {
	if s == "" {
		return nil
	}
	width, height, _ := strings.Cut(strings.ToLower(s), "x")
	w, err := strconv.Atoi(width)
	h, err2 := strconv.Atoi(height)
	if err != nil || err2 != nil {
		return fmt.Errorf("--size %s: want WIDTHxHEIGHT, such as 800x480", s)
	}
	if err := o.wall.Size.SetValue([]any{w, h}); err != nil {
		return fmt.Errorf("--size %s: %w", s, err)
	}
	return nil
}

// enter sets the folder of the configuration and checks it.
func (o *options) enter() error {
	dir := o.configDir
	if o.Demo {
		var err error
		if dir, err = unpackDemo(); err != nil {
			return err
		}
		o.temp = dir
	}
	var err error
	if o.wall.Home, err = filepath.Abs(dir); err != nil {
		return err
	}
	if o.Command == "edit" {
		o.KeepGoing = true
		return os.MkdirAll(o.wall.Home, 0o755)
	}
	if o.KeepGoing {
		return nil // if the folder contains no wall, this is reported later
	}
	if err := daemon.Folder(o.wall.Home, dir); err != nil {
		return err
	}
	if o.URL != "" {
		return nil // with --url, the files are needed only for the token
	}
	return o.anyWall()
}

// anyWall returns an error if both conf.yaml and the widgets file are missing in the folder. The error explains how to create a wall.
func (o *options) anyWall() error {
	for _, name := range []string{config.ConfName, o.Widgets} {
		if _, err := o.wall.Open().Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	make := "dashboard init DIR"
	if o.configDir != "" {
		make = "dashboard init " + cli.ShellWord(o.configDir)
	}
	return fmt.Errorf("there is no %s and no %s in %s; '%s' makes a wall, 'dashboard --demo' shows one", config.ConfName, o.Widgets, o.wall.Home, make)
}

// usualWidgets is the default of the option --widgets.
const usualWidgets = "widgets.yaml"

// suggest() returns a command line of this program for the same wall. It contains the command `verb`, or no command if `verb` is "".
func (o *options) suggest(verb string) string {
	words := []string{"dashboard"}
	if verb != "" {
		words = append(words, verb)
	}
	switch {
	case o.Demo:
		words = append(words, "--demo")
	case o.configDir != "":
		words = append(words, cli.ShellWord(o.configDir))
	}
	if o.Widgets != "" && o.Widgets != usualWidgets {
		words = append(words, "--widgets", cli.ShellWord(o.Widgets))
	}
	if o.Theme != "" {
		words = append(words, "--theme", cli.ShellWord(o.Theme))
	}
	return strings.Join(words, " ")
}

func (o *options) leave() {
	if o.temp != "" {
		os.RemoveAll(o.temp)
	}
}

// service returns the options for the running wall.
func (o *options) service() wall.Options {
	conf, _ := demo.ReadFile("demo/" + config.ConfName) // cannot fail, because the file is embedded
	return wall.Options{
		Folder: o.wall, Version: version, StateDir: o.StateDir, Listen: o.Listen, Demo: o.Demo, KeepGoing: o.KeepGoing, Watch: o.watch, Plain: conf,
	}
}
