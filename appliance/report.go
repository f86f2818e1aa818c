//go:build linux

package appliance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/state"
	"dashboard/internal/folder"
	kept "dashboard/internal/state"
)

// report writes the state of the appliance to the card. An owner can read the report on the card with a laptop, without a keyboard on the
// appliance and without a network.
func (k *keeper) report(ctx context.Context) error {
	text := k.text(ctx)
	return errors.Join(k.keepReport(text), k.writable(func() error {
		return overwrite(filepath.Join(bootFolder, card.ReportFile), text)
	}))
}

// keptReport is the path of the last report on the data partition. The first report after a start repeats the end of this report. This
// end can show the cause of a hang.
var keptReport = filepath.Join(dataFolder, card.ReportFile)

// keepReport saves a report for the next start, if there is a data partition.
func (k *keeper) keepReport(text []byte) error {
	if !isMount(dataFolder) {
		return nil
	}
	return kept.Replace(keptReport, text)
}

// isMount reports whether a folder is a mount point.
func isMount(folder string) bool {
	var at, above unix.Stat_t
	return unix.Stat(folder, &at) == nil && unix.Stat(filepath.Dir(folder), &above) == nil && at.Dev != above.Dev
}

// beforeSize is the maximum number of bytes that a report repeats from the last report before this start. These bytes contain about 80
// lines of the log.
const beforeSize = 8 << 10

// lastBefore returns the last beforeSize bytes of the report that was written before this start.
func lastBefore(path string) []byte {
	text, err := folder.Read(os.DirFS(filepath.Dir(path)), filepath.Base(path), 4*card.ReportSize)
	if err != nil {
		return nil
	}
	text = bytes.TrimRight(bytes.ReplaceAll(text, []byte("\r"), nil), "\n")
	return text[max(0, len(text)-beforeSize):]
}

// writable() mounts the first partition for writing, calls f, and mounts the partition read-only again. While the partition is mounted
// read-only, a power cut cannot damage it. A lock ensures that "appliance update" and the keeper do not use the partition at the same time.
func writable(f func() error) error {
	lock, err := os.Open(bootFolder)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("%s: lock: %w", bootFolder, err)
	}
	remount := func(flags uintptr) error {
		return unix.Mount("", bootFolder, "", unix.MS_REMOUNT|bootFlags|flags, bootOptions)
	}
	if err := remount(0); err != nil {
		return fmt.Errorf("remount: %w", err)
	}
	return errors.Join(f(), remount(unix.MS_RDONLY))
}

// overwrite writes a report over the existing file, which always has card.ReportSize bytes. In the file system, only the file's time
// changes, so a power cut never damages the file system. At worst the file contains half of this report and half of the previous report.
func overwrite(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(fit(content, card.ReportSize), 0)
	return errors.Join(err, f.Sync(), f.Close())
}

// cutMark replaces the middle of a report that is too long. The end is kept, because it has the latest lines of the log.
const cutMark = "\r\n[...]\r\n"

// fit makes a text exactly `size` bytes long. It adds blank lines at the end, or removes the middle.
func fit(text []byte, size int) []byte {
	if len(text) > size {
		head := size / 4
		tail := size - head - len(cutMark)
		return slices.Concat(text[:head], []byte(cutMark), text[len(text)-tail:])
	}
	return slices.Concat(text, bytes.Repeat([]byte("\n"), size-len(text)))
}

// text() returns the report, with line ends that the editors of all laptops understand.
func (k *keeper) text(ctx context.Context) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Report of %s, %s after the start\n", time.Now().Format(time.RFC1123), sinceStart().Round(time.Second))
	if k.confirmed {
		fmt.Fprintf(&b, "First frame: %.1f s after the kernel's start\n", k.frame.Seconds())
	} else {
		fmt.Fprintf(&b, "First frame: NONE YET\n")
	}
	if r, err := state.Load(k.store); err == nil {
		fmt.Fprintf(&b, "Slot: %v (good %v, on trial %v, trials failed %d)\n", k.slot, r.Good, r.Trial, r.Failed)
		fmt.Fprintf(&b, "Kernel's folder: %v (on trial %v)\n", k.folder, r.Kernel)
		if r.Missed != state.NotMissed {
			fmt.Fprintf(&b, "KERNEL NOT REPLACED: %v\n", r.Missed)
		}
	}
	if k.refused != "" {
		fmt.Fprintf(&b, "UPDATE NOT TAKEN: %s\n", k.refused)
	}
	if u, ok := about.ReadUpdate(os.DirFS("/")); ok {
		reportUpdate(&b, &u)
	}
	k.wall.report(&b)
	if k.names.problem != "" {
		fmt.Fprintf(&b, "%s\n", k.names.problem)
	}
	writeFile(&b, "Image", versionFile)
	writeFile(&b, "Kernel", "/proc/sys/kernel/osrelease")
	writeFile(&b, "Board", "/sys/firmware/devicetree/base/model")
	writeFile(&b, "Machine", "/sys/class/dmi/id/product_name")
	writeFile(&b, "Host name", "/etc/hostname")
	writeFile(&b, "Access point", "/"+about.PointFile)
	fmt.Fprintf(&b, "Addresses: %s\n", strings.Join(addresses(), " "))
	writeFile(&b, "Problems with the settings", problemsFile)
	if k.before != nil {
		fmt.Fprintf(&b, "\nThe end of the report before this start:\n%s\n", k.before)
	}
	for _, command := range [][]string{
		{"systemctl", "--no-pager", "--failed", "--no-legend", "--plain"},
		{"journalctl", "--no-pager", "--lines=300", "--output=short-monotonic", "--no-hostname"},
	} {
		fmt.Fprintf(&b, "\n$ %s\n%s", strings.Join(command, " "), output(ctx, command))
	}
	return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n"))
}

// reportUpdate adds the state of updates from a network.
func reportUpdate(b *bytes.Buffer, u *about.Update) {
	if u.Source {
		fmt.Fprintf(b, "Updates: %s, %s, asked %s\n", u.Channel, u.Window, u.Asked.Format(time.RFC1123))
	}
	for title, text := range map[string]string{"UPDATE NOT TAKEN": u.Problem, "Updates": u.Warning} {
		if text != "" {
			fmt.Fprintf(b, "%s: %s\n", title, text)
		}
	}
	if u.Failed != "" {
		fmt.Fprintf(b, "UPDATE GIVEN UP: %s %s\n", u.Failed, u.Why)
	}
}

func writeFile(b *bytes.Buffer, title, path string) {
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 {
		fmt.Fprintf(b, "%s: %s\n", title, strings.Trim(string(text), "\n\x00"))
	}
}

// addresses() returns the network addresses of the appliance.
func addresses() (list []string) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return []string{err.Error()}
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() {
			list = append(list, a.String())
		}
	}
	return list
}

// outputTime limits the run time of a program for the report. The journal of a slow card takes a second.
const outputTime = 20 * time.Second

func output(ctx context.Context, command []string) []byte {
	ctx, cancel := context.WithTimeout(ctx, outputTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput()
	if err != nil {
		out = fmt.Appendf(out, "%v\n", err)
	}
	return out
}
