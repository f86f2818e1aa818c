package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
	"dashboard/tools/command"
)

// bootOf copies the current first partition of a disk to a file.
func (t *tester) bootOf(d *disk) (string, error) {
	p := card.Layout()[card.Boot]
	path := filepath.Join(t.kit.dir, "boot.vfat")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := f.Truncate(p.Size); err != nil {
		return "", err
	}
	if err := copySparse(f, io.NewSectionReader(d.Base(), p.Start, p.Size)); err != nil {
		return "", err
	}
	return path, d.Changes(f, p.Start, p.Size)
}

// configWhole checks the first partition after a power cut. The file system must have no errors, and each file of the configuration must be
// complete.
func (t *tester) configWhole(ctx context.Context, d *disk) error {
	path, err := t.bootOf(d)
	if err != nil {
		return err
	}
	// If the partition was mounted for writing during the cut, it is marked as not unmounted. The partition must have no other fault.
	if out, err := command.Run(ctx, nil, "fsck.vfat", "-n", path); err != nil && !onlyDirty(out) {
		return fmt.Errorf("%w: %s", err, out)
	}
	for name, want := range t.kit.files {
		got, err := command.Run(ctx, nil, "mtype", "-i", path, "::"+name)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%s: %d bytes are not what was written there", name, len(got))
		}
	}
	return nil
}

// dirty is the output of fsck.vfat for a file system that is sound, but was not unmounted.
var dirty = []string{
	"fsck.fat ", "Dirty bit is set.", " Automatically removing dirty bit.", "Leaving filesystem unchanged.",
	// The mark of a missing unmount is in byte 65 of the first sector, and not in the copy of this sector.
	"There are differences between boot sector and its backup.", "This is mostly harmless. Differences:", "  65:01/00\n",
	"  Not automatically fixing this.",
}

// onlyDirty reports whether the only fault that fsck.vfat found is a missing unmount. The last line of `out` counts the files.
func onlyDirty(out string) bool {
	for line := range strings.Lines(out) {
		known := func(begin string) bool { return strings.HasPrefix(line, begin) }
		if !slices.ContainsFunc(dirty, known) && !strings.Contains(line, " files, ") && strings.TrimSpace(line) != "" {
			return false
		}
	}
	return strings.Contains(out, "Dirty bit is set.")
}

// stateOf reads the state of a disk.
func stateOf(d *disk) (state.Record, error) {
	p := card.Layout()[card.State]
	return state.Load(io.NewSectionReader(d, p.Start, p.Size))
}

// reportOf returns the report that the machine has written, or "".
func (t *tester) reportOf(ctx context.Context, d *disk) (string, error) {
	path, err := t.bootOf(d)
	if err != nil {
		return "", err
	}
	text, err := command.Run(ctx, nil, "mtype", "-i", path, "::"+card.ReportFile)
	if err != nil {
		return "", nil // there is no report yet
	}
	return strings.ReplaceAll(text, "\r", ""), nil
}

// awaitReport waits for a report with the given text.
func (t *tester) awaitReport(ctx context.Context, d *disk, says string, limit time.Duration) (string, error) {
	report := ""
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(reportPause) {
		var err error
		if report, err = t.reportOf(ctx, d); err != nil {
			return report, err
		}
		if strings.Contains(report, says) {
			return report, nil
		}
	}
	return report, fmt.Errorf("after %v the report does not say %q", limit, says)
}

// field returns the value of a line of the report.
func field(report, title string) string {
	for line := range strings.Lines(report) {
		if value, ok := strings.CutPrefix(line, title+": "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// announced() reports whether a machine announced its name by multicast DNS (RFC 6762). The announcement is a packet to port 5353 that
// contains the labels of the name.
func (m *machine) announced(host string) (bool, error) {
	packets, err := os.ReadFile(filepath.Join(m.dir, "net.pcap"))
	if err != nil {
		return false, err
	}
	label := append([]byte{byte(len(host))}, host...)
	name := append(label, "\x05local"...)
	port := []byte{5353 >> 8, 5353 & 0xff}
	return bytes.Contains(packets, name) && bytes.Contains(packets, append(port, port...)), nil
}
