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

// options are the options of the command line after the check.
type options struct {
	cli.ClientOptions
	version   string // version of the program
	configDir string // DIR or --config-dir
	config    string // path of client.yaml, or "" until enter has found it
	home      string // folder to which paths are relative, set by enter
	root      *folder.Root
}

// parseArgs parses the command line. version is the version of the program. It prints texts that the user requests, such as the help.
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

// folder checks the argument for the folder. If there is no such folder, the argument may be a misspelled command.
func (o *options) folder(root *cobra.Command) error {
	switch _, err := os.Stat(o.Folder); {
	case o.Folder != "" && o.ConfigDir != "":
		return fmt.Errorf("%s and --config-dir %s: there can be only one folder", o.Folder, o.ConfigDir)
	case o.Folder != "" && errors.Is(err, fs.ErrNotExist):
		return cli.NoFolder(root, o.Folder, "")
	}
	return nil
}

// enter finds the folder of the configuration. If the user has named no folder and no file, it searches for the folder.
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

// files returns the file system of the configuration. Relative paths start at its folder.
func (o *options) files() *folder.Root {
	if o.root == nil {
		o.root = folder.Dir(o.home)
	}
	return o.root
}

// systemFolder is the folder of the configuration for the systemd unit.
const systemFolder = "/etc/dashboard"

// places returns the possible folders of client.yaml, in the order of the search.
func places() []string {
	all := []string{"."}
	if home, err := os.UserConfigDir(); err == nil { // a service has no home folder
		all = append(all, filepath.Join(home, "dashboard"))
	}
	return append(all, systemFolder)
}

// find returns the first folder that contains a client.yaml. If there is none, it returns "" for the current folder.
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
