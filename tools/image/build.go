package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dashboard/packaging/debian"
	"dashboard/tools/command"
)

// A builder builds one image.
type builder struct {
	options
	base    string    // folder with Debian's files
	from    string    // folder with the kernel's files
	work    string    // folder for temporary files
	made    time.Time // time of all files in the image. Because the time is fixed, the same tree gives the same image
	version string
}

// results() returns the names of the result files. One folder can contain the files for a PC and for a board.
func results(arch string) (image, update string) {
	if arch == amd64 {
		return "dashboard-amd64.img", "dashboard-amd64.update"
	}
	return "dashboard.img", "dashboard.update"
}

func (b *builder) image() string  { name, _ := results(b.arch); return filepath.Join(b.out, name) }
func (b *builder) update() string { _, name := results(b.arch); return filepath.Join(b.out, name) }

// build builds the image and the update.
func build(ctx context.Context, o options, say func(string, ...any)) error {
	began := time.Now()
	if err := ready(); err != nil {
		return err
	}
	base, err := getBase(ctx, o, say)
	if err != nil {
		return err
	}
	b := &builder{options: o, base: base}
	if err := b.identify(ctx); err != nil {
		return err
	}
	if b.work, err = os.MkdirTemp(o.cache, "work-"); err != nil { // next to the packages, because hard links need the same file system
		return err
	}
	defer os.RemoveAll(b.work)
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"kernel", b.takeKernel}, {"programs", b.buildAppliance}, {"root file system", b.makeRoot},
		{"initramfs", b.makeInitramfs}, {"boot partition", b.makeBoot}, {"card", b.makeCard},
	} {
		began := time.Now()
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		say("%-18s %5.1f s", step.name, time.Since(began).Seconds())
	}
	err = debian.WriteList(strings.TrimSuffix(b.image(), ".img")+".packages", b.base, b.arch)
	say("%s of version %s in %.0f s", b.image(), b.version, time.Since(began).Seconds())
	return errors.Join(err, b.sizes(say))
}

// identify determines the version, and the time of the files: SOURCE_DATE_EPOCH if it is set, otherwise the time of the latest commit.
func (b *builder) identify(ctx context.Context) error {
	version, err := command.Run(ctx, nil, "git", "describe", "--tags", "--always", "--dirty")
	if err != nil {
		return err
	}
	b.version = strings.TrimSpace(version)
	b.number = cmp.Or(b.number, b.version)
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		if epoch, err = command.Run(ctx, nil, "git", "log", "-1", "--format=%ct"); err != nil {
			return err
		}
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(epoch), 10, 64)
	b.made = time.Unix(seconds, 0).UTC()
	return err
}

// appliance returns the path of the image's first process.
func (b *builder) appliance() string { return filepath.Join(b.work, "appliance") }

// program returns the path of the card's program. This one file is the wall, the remote screen, the setup and the keeper of the card.
func (b *builder) program() string { return filepath.Join(b.work, "dashboard") }

func (b *builder) buildAppliance(ctx context.Context) error {
	env := []string{"GOOS=linux", "GOARCH=" + b.arch, "CGO_ENABLED=0"}
	built := fmt.Sprintf("-s -w -X dashboard/appliance.built=%d", b.made.Unix())
	for _, p := range []struct{ out, from, tag, flags string }{
		{b.appliance(), "./cmd/appliance", "initramfs", ""},
		{b.program(), "./cmd/dashboard", "appliance", fmt.Sprintf(" -X main.version=%s -X dashboard/wall/daemon.commit=%s", b.number, b.version)},
	} {
		_, err := command.Run(ctx, env, "go", "build", "-trimpath", "-tags=nethttpomithttp2,"+p.tag, "-ldflags", built+p.flags, "-o", p.out, p.from)
		if err != nil {
			return err
		}
	}
	return nil
}

// sizes() reports the sizes of the result files.
func (b *builder) sizes(say func(string, ...any)) error {
	for _, name := range []string{b.root(), b.initrd(), b.image(), b.update()} {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		say("%-18s %6.1f MB", filepath.Base(name), float64(info.Size())/1e6)
	}
	return nil
}
