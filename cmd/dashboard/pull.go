package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/cmd/shared/cli"
	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/internal/pause"
	"dashboard/internal/pull"
	"dashboard/wall/daemon"
	"dashboard/wall/scene"
)

// maxAddress is the maximum size of the file that contains the address of the wall's files, in bytes.
const maxAddress = 4 << 10

// pullWall fetches the files of a wall. The appliance runs it.
func pullWall(ctx context.Context, o *options) error {
	address, err := folder.Read(folder.Dir(""), o.AddressFile, maxAddress)
	if err != nil {
		return err
	}
	if o.StateDir == "" {
		return errors.New("pull: --state-dir says where the copy is kept")
	}
	client, err := pull.NewClient("")
	if err != nil {
		return err
	}
	p := &pull.Puller{
		Client: client, Source: pull.Source{Address: strings.TrimSpace(string(address))}, Dir: o.StateDir,
		Version: version + daemon.Revision(),
		Check:   func(dir string) error { return wallIsRight(dir, o.Client) }, Now: time.Now, Sleep: pause.For,
	}
	if err := pull.CheckAddress(p.Address); err != nil {
		return fmt.Errorf("pull: the address is not %w", err)
	}
	return p.Pull(ctx)
}

// wallIsRight returns an error if the files in `dir` cannot be shown. `client` is true for the files of a remote screen.
func wallIsRight(dir string, client bool) error {
	if client {
		r, files := &config.Report{}, folder.Dir(dir)
		config.LoadClient(files, "client.yaml", r, daemon.Secrets(files))
		return r.Err()
	}
	if _, err := os.Stat(filepath.Join(dir, "widgets.yaml")); errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no widgets.yaml in it")
	}
	o := &options{Options: cli.Options{Widgets: "widgets.yaml"}, configDir: dir, wall: scene.Folder{Widgets: "widgets.yaml"}}
	if err := o.enter(); err != nil {
		return err
	}
	b := scene.NewBuilder(scene.Parts{Version: version, Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	_, report := b.Load(o.wall, scene.Alone(func() {}))
	return report.Err()
}
