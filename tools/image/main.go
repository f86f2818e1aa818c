// Command image makes the SD card image of an appliance. The test of this package boots the image in QEMU.
//
//	image needs    lists the missing packages that a build needs
//	image build    writes dist/dashboard.img and dist/dashboard.update
//	image update F writes F.update, the update that puts the root file system F into a slot
//
// It runs as root on Debian, needs no loop device, and lists missing packages.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"dashboard/tools/command"
)

// Exit statuses.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		if errors.Is(err, errUsage) {
			os.Exit(exitUsage)
		}
		os.Exit(exitFailed)
	}
}

var errUsage = errors.New("usage: image needs, image build [options], or image update FILE")

// Architectures of processors, as Debian names them.
const (
	arm64 = "arm64"
	amd64 = "amd64"
)

// options are the options on the command line.
type options struct {
	out    string // folder for the results
	arch   string // arm64 or amd64
	number string // version of the dashboard. "" means the commit
	cache  string // cache folder, which is kept between runs
	kernel string // folder with another kernel. "" means Debian's kernel
	key    string // file with minisign's private key for signing updates, or ""
	renew  bool
	next   string // file with a second public key for later updates, or ""
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	var o options
	flags := flag.NewFlagSet("image "+args[0], flag.ContinueOnError)
	flags.StringVar(&o.out, "o", "dist", "`folder` of the image")
	flags.StringVar(&o.arch, "arch", arm64, "`processor`: arm64 for a Raspberry Pi, amd64 for a PC")
	flags.StringVar(&o.number, "version", "", "`version` of the programs; without it the commit")
	flags.StringVar(&o.cache, "cache", "", "`folder` for Debian's packages; without it one in the user's cache")
	flags.StringVar(&o.kernel, "kernel", "", "take the kernel from this `folder`, a Debian package of one that was unpacked, and not Debian's")
	flags.StringVar(&o.key, "key", "", "sign updates with minisign's private key in this `file`, and have the image take no others")
	flags.BoolVar(&o.renew, "renew", false, "get Debian's packages anew")
	flags.StringVar(&o.next, "next-key", "", "have the image take releases of minisign's public key in this `file` as well")
	if err := flags.Parse(args[1:]); err != nil {
		return errUsage
	}
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	if o.arch != arm64 && o.arch != amd64 {
		return errUsage
	}
	if args[0] == "update" { // paths are relative to the folder of the caller
		return update(flags.Args(), o.key, say)
	}
	if err := o.absolute(); err != nil {
		return err
	}
	switch args[0] {
	case "needs":
		return ready()
	case "build":
		return build(ctx, o, say)
	}
	return errUsage
}

// update makes an update from a root file system that another program has made.
func update(files []string, key string, say func(string, ...any)) error {
	if len(files) != 1 {
		return errUsage
	}
	say("%s", files[0]+".update")
	return makeUpdate(files[0], nil, files[0]+".update", key)
}

// absolute makes the paths of folders absolute, and changes to the top folder of the repository.
func (o *options) absolute() error {
	if o.cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.cache = filepath.Join(base, "dashboard-image")
	}
	mod, err := command.Run(context.Background(), nil, "go", "env", "GOMOD")
	if err != nil {
		return err
	}
	top := filepath.Dir(strings.TrimSpace(mod))
	for _, p := range []*string{&o.out, &o.cache, &o.key, &o.kernel, &o.next} {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(top, *p)
		}
	}
	return os.Chdir(top)
}
