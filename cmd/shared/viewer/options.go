package viewer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dashboard/cmd/shared/cli"
	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/wall/daemon"

	"github.com/spf13/cobra"
)

// options contains the checked options of the command line.
type options struct {
	cli.ClientOptions
	version   string // version of the program
	configDir string // DIR or --config-dir
	config    string // path of client.yaml; before the call of enter it may be ""
	home      string // folder at which relative paths begin; enter sets it
	root      *folder.Root
}

// parseArgs parses the command line. `version` is the version of the program. If the user requests a text, such as the help, parseArgs
// prints it.
func parseArgs(version string, args []string, stdout io.Writer) (*options, error) {
	o := &options{version: version}
	root := cli.Client(&o.ClientOptions, strings.TrimSpace(version+" "+daemon.Revision()))
	if err := cli.Parse(root, args, stdout); err != nil {
		return nil, err
	}
	if o.Command == "" {
		return nil, daemon.ErrAnswered
	}
	o.config, o.configDir = o.Config, cmp.Or(o.ConfigDir, o.Folder)
	return o, o.folder(root)
}

// folder checks the argument for the folder. If this folder does not exist, the error may suggest a command with a similar name.
func (o *options) folder(root *cobra.Command) error {
	switch _, err := os.Stat(o.Folder); {
	case o.Folder != "" && o.ConfigDir != "":
		return fmt.Errorf("%s and --config-dir %s: there can be only one folder", o.Folder, o.ConfigDir)
	case o.Folder != "" && errors.Is(err, fs.ErrNotExist):
		return cli.NoFolder(root, o.Folder, "")
	}
	return nil
}

// wrong() returns the error of a start with an invalid configuration. The errors in the configuration were logged before. The returned
// error contains the command that lists them again.
func (o *options) wrong() error {
	check := Name + " check"
	if o.Config != "" {
		check += " --config " + cli.ShellWord(o.Config)
	}
	if o.configDir != "" {
		check += " " + cli.ShellWord(o.configDir)
	}
	return fmt.Errorf("the configuration is wrong; '%s' lists every error", check)
}

// enter sets the folder of the configuration. If the user has named no folder and no file, enter searches for client.yaml.
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

// files() returns the file system of the configuration. Relative paths start at the folder of the configuration.
func (o *options) files() *folder.Root {
	if o.root == nil {
		o.root = folder.Dir(o.home)
	}
	return o.root
}

// systemFolder is the folder of the configuration if systemd starts the program.
const systemFolder = "/etc/dashboard"

// places() returns the folders in which client.yaml is searched, in order.
func places() []string {
	all := []string{"."}
	if home, err := os.UserConfigDir(); err == nil { // the user of a service has no home folder
		all = append(all, filepath.Join(home, "dashboard"))
	}
	return append(all, systemFolder)
}

// find returns the first of the folders that contains client.yaml. For the current folder it
// returns "". If no folder contains the file, find returns an error.
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
