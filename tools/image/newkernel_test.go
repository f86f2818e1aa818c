package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
	"dashboard/tools/command"
)

// partsOf returns an update's root file system, and the archive of its kernel if the update has a kernel. The update must not be signed.
func partsOf(update []byte) (root, archive []byte) {
	root = update[:len(update)-card.TrailerSize]
	end := len(root) - card.KernelEnd
	if n, ok := card.ParseKernelEnd(root[end:]); ok {
		return root[:end-int(n)], root[end-int(n) : end]
	}
	return root, nil
}

// unpackedArchive returns the files of a kernel's archive.
func unpackedArchive(archive []byte) (map[string][]byte, error) {
	files, r := map[string][]byte{}, tar.NewReader(bytes.NewReader(archive))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}

// A newKernel is an update whose kernel differs from the image's kernel. It holds the files of both kernels. The keys are the folders
// that contain these files after the update.
type newKernel struct {
	update  []byte
	archive []byte
	folders map[string]map[string][]byte
}

// otherKernel creates an update. It contains the root file system `root`, or the image's own root file system if `root` is nil, and a
// kernel with a changed initramfs.
func (t *tester) otherKernel(root []byte, change func(initrd []byte) []byte) (n newKernel, err error) {
	update, err := os.ReadFile(t.updateFile())
	if err != nil {
		return n, err
	}
	own, archive := partsOf(update)
	if root == nil {
		root = own
	}
	old, err := unpackedArchive(archive)
	if err != nil {
		return n, err
	}
	fresh, tree := map[string][]byte{}, fstest.MapFS{}
	for name, content := range old {
		if name == "initrd.img" {
			content = change(content)
		}
		fresh[name], tree[name] = content, &fstest.MapFile{Data: content}
	}
	n.folders = map[string]map[string][]byte{"a": old, "b": fresh}
	if n.archive, err = archiveOf(tree); err != nil {
		return n, err
	}
	n.update, err = updateOf(root, n.archive, "")
	return n, err
}

// longer() returns an initramfs with zeros at its end. The kernel ignores the zeros, so the new file has the same effect as the old file.
func longer(initrd []byte) []byte { return slices.Concat(initrd, make([]byte, 512)) }

// rubbish() returns an initramfs without a first process, so the kernel panics.
func rubbish([]byte) []byte { return bytes.Repeat([]byte("no archive "), 1000) }

// startFirmware starts a machine as a Raspberry Pi's firmware would. It loads the kernel from the folder of the card that `config` names,
// which is config.txt or tryboot.txt.
func (t *tester) startFirmware(ctx context.Context, d *disk, config, name, more string) (*machine, error) {
	partition, err := t.bootOf(d)
	if err != nil {
		return nil, err
	}
	on, k := *t, *t.kit
	if k.dir, err = os.MkdirTemp(t.kit.dir, "firmware-"); err != nil {
		return nil, err
	}
	if err := k.load(ctx, partition, config, filepath.Base(k.tree)); err != nil {
		return nil, err
	}
	k.tree, on.kit = t.kit.tree, &k // this device tree contains the screen
	return on.start(ctx, d, name, more)
}

// asksTryboot starts a machine. It expects that the machine writes the update and restarts with tryboot.txt.
func (t *tester) asksTryboot(ctx context.Context, d *disk, name string, n newKernel) error {
	m, err := t.startFirmware(ctx, d, card.FirmwareFile, name, alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := t.awaitEnd(ctx, m); err != nil {
		return err
	}
	log, err := os.ReadFile(filepath.Join(t.dir, name+".log"))
	if err != nil || !bytes.Contains(log, []byte("Restarting system with command '0 tryboot'")) {
		return fmt.Errorf("the restart did not ask for tryboot: %w", err)
	}
	if r, err := stateOf(d); err != nil || r.Trial != state.B || r.Good != state.A || r.Kernel != state.B {
		return fmt.Errorf("the update is written, and the state is %+v: %w", r, err)
	}
	if folder, err := t.bootable(ctx, d, n); err != nil || folder != "a" {
		return fmt.Errorf("the update is written, and config.txt names %q: %w", folder, err)
	}
	return nil
}

// bootable() checks the card after a power cut. config.txt must name a folder with an intact kernel, and the user's files must be
// complete. It returns the name of this folder.
func (t *tester) bootable(ctx context.Context, d *disk, n newKernel) (folder string, err error) {
	partition, err := t.bootOf(d)
	if err != nil {
		return "", err
	}
	if out, err := command.Run(ctx, nil, "fsck.vfat", "-n", partition); err != nil && !onlyLost(out) {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	if err := t.mended(ctx, partition); err != nil {
		return "", err
	}
	config, err := command.Run(ctx, nil, "mtype", "-i", partition, "::"+card.FirmwareFile)
	if err != nil {
		return "", err
	}
	folder, slash := strings.CutSuffix(prefixOf(config), "/")
	files, known := n.folders[folder]
	if !known || !slash {
		return "", fmt.Errorf("%s: got %q", card.FirmwareFile, config)
	}
	if err := t.sameFiles(ctx, partition, folder, files); err != nil {
		return "", err
	}
	for name, want := range t.kit.files {
		if got, err := command.Run(ctx, nil, "mtype", "-i", partition, "::"+name); err != nil || got != want {
			return "", fmt.Errorf("%s: %d bytes are not what was written there: %w", name, len(got), err)
		}
	}
	return folder, nil
}

// sameFiles compares the files in a folder of a first partition with the expected files. The command line in this folder must name the
// folder.
func (t *tester) sameFiles(ctx context.Context, partition, folder string, files map[string][]byte) error {
	dir, err := os.MkdirTemp(t.kit.dir, "folder-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := command.Run(ctx, nil, "mcopy", "-s", "-n", "-i", partition, "::"+folder, dir); err != nil {
		return err
	}
	got := os.DirFS(filepath.Join(dir, folder))
	for name, want := range files {
		if have, err := fs.ReadFile(got, name); err != nil || !bytes.Equal(have, want) {
			return fmt.Errorf("%s/%s: %d bytes are not those of the kernel: %w", folder, name, len(have), err)
		}
	}
	line, err := fs.ReadFile(got, card.CommandLine)
	if err != nil || !strings.HasSuffix(string(line), " "+card.FolderWord+folder+"\n") {
		return fmt.Errorf("%s/%s: got %q: %w", folder, card.CommandLine, line, err)
	}
	return nil
}

// testNewKernel writes an update with another kernel to the card. The machine writes the kernel into folder b, tries it, and keeps it, so
// config.txt names folder b. If the power is cut at any moment, one of the two kernels must start.
func (t *tester) testNewKernel(ctx context.Context) error {
	if processor() == amd64 {
		return nil // a PC has one kernel
	}
	n, d, done, err := t.diskWithKernel(ctx, nil, longer)
	if err != nil {
		return err
	}
	defer done()
	if err := t.asksTryboot(ctx, d, "newkernel-a", n); err != nil {
		return err
	}
	if err := t.configWhole(ctx, d); err != nil {
		return err
	}
	if err := t.keepsKernel(ctx, d, n); err != nil {
		return fmt.Errorf("the trial: %w", err)
	}
	m, err := t.startFirmware(ctx, d, card.FirmwareFile, "newkernel-kept", "appliance.report=5 "+alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	return t.reports(ctx, m, d, "Slot: b (good b, on trial none, trials failed 0)", "Kernel's folder: b (on trial none)")
}

// keepsKernel starts the new kernel with tryboot.txt and waits until the machine keeps it. At each recorded moment, config.txt must name
// a folder with an intact kernel. At the end, config.txt must name folder b.
func (t *tester) keepsKernel(ctx context.Context, d *disk, n newKernel) error {
	const each = 40 // average number of written blocks between two samples
	d.Sample(t.rand, each)
	m, err := t.startFirmware(ctx, d, card.TryFile, "newkernel-b", "appliance.report=5 "+longTrial+" "+alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	err = t.reports(ctx, m, d, "Slot: b (good b, on trial none, trials failed 0)", "Kernel's folder: b (on trial none)")
	d.Sample(nil, 0)
	if err != nil {
		return err
	}
	m.Stop()
	counts := map[string]int{}
	for i, s := range append(d.Samples(), d) {
		folder, err := t.bootable(ctx, s, n)
		if err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
		counts[folder]++
	}
	t.say("      config.txt named a at %d moments of a cut, b at %d, each with the kernel whole", counts["a"], counts["b"])
	if counts["b"] == 0 {
		return errors.New("config.txt does not name b")
	}
	return nil
}

// reports() waits for the picture, and for reports that contain the given lines.
func (t *tester) reports(ctx context.Context, m *machine, d *disk, lines ...string) error {
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		return err
	}
	for _, line := range lines {
		if report, err := t.awaitReport(ctx, d, line, reportTime); err != nil {
			return fmt.Errorf("%w but %q, %q, %q", err, field(report, "Slot"), field(report, "Kernel's folder"), field(report, "KERNEL NOT REPLACED"))
		}
	}
	return nil
}

// testDeaf writes an update with another kernel to the card of a board whose firmware does not support tryboot. The update's root file
// system then runs with the old kernel. In testUnbootable, the firmware supports tryboot, but the new kernel panics.
func (t *tester) testDeaf(ctx context.Context) error { return t.oldKernel(ctx, "deaf", longer, false) }

func (t *tester) testUnbootable(ctx context.Context) error {
	return t.oldKernel(ctx, "unbootable", rubbish, true)
}

// oldKernel expects that the update's root file system runs with the old kernel. The start screen and the report must name this problem,
// and the next start must not write the update again.
func (t *tester) oldKernel(ctx context.Context, name string, change func([]byte) []byte, follows bool) error {
	if processor() == amd64 {
		return nil
	}
	n, d, done, err := t.diskWithKernel(ctx, nil, change)
	if err != nil {
		return err
	}
	defer done()
	if err := t.asksTryboot(ctx, d, name+"-a", n); err != nil {
		return err
	}
	if follows {
		if err := t.panics(ctx, d, name+"-panic"); err != nil {
			return err
		}
	}
	on := t.missing(state.NotStarted)
	m, err := on.startFirmware(ctx, d, card.FirmwareFile, name+"-old", "appliance.report=5 "+longTrial+" "+alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	err = on.reports(ctx, m, d, "Slot: b (good b, on trial none, trials failed 0)", "Kernel's folder: a (on trial none)", "KERNEL NOT REPLACED: "+state.NotStarted.String())
	if err := errors.Join(err, t.keep(m, name)); err != nil {
		return err
	}
	if !m.began {
		return errors.New("the start screen does not say that the kernel is not used")
	}
	m.Stop()
	return t.notAgain(ctx, d, name+"-again", n)
}

// notAgain() starts the machine again and checks that it does not write the update again.
func (t *tester) notAgain(ctx context.Context, d *disk, name string, n newKernel) error {
	before, _ := d.Written()
	m, err := t.startFirmware(ctx, d, card.FirmwareFile, name, "appliance.report=5 "+alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := t.reports(ctx, m, d, "Slot: b (good b, on trial none, trials failed 0)"); err != nil {
		return err
	}
	m.Stop()
	if written, _ := d.Written(); written-before > int64(len(n.archive)) {
		return fmt.Errorf("%d bytes were written at a start after the update", written-before)
	}
	if folder, err := t.bootable(ctx, d, n); err != nil || folder != "a" {
		return fmt.Errorf("config.txt names %q: %w", folder, err)
	}
	return nil
}

// panics() starts a kernel that cannot run, and expects that it restarts the machine.
func (t *tester) panics(ctx context.Context, d *disk, name string) error {
	m, err := t.startFirmware(ctx, d, card.TryFile, name, alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := t.awaitEnd(ctx, m); err != nil {
		return fmt.Errorf("a kernel without a first process: %w", err)
	}
	log, err := os.ReadFile(filepath.Join(t.dir, name+".log"))
	if err != nil || !bytes.Contains(log, []byte("Kernel panic")) {
		return fmt.Errorf("the kernel did not panic: %w", err)
	}
	return nil
}

// prefixOf chooses the same folder as a Raspberry Pi's firmware does.
func TestPrefixOf(t *testing.T) {
	for config, want := range map[string]string{"": "", "kernel=x\r\nos_prefix=a/\r\n": "a/", "#os_prefix=a/\n": "", "os_prefix=a/\nos_prefix=b/\n": "b/"} {
		if got := prefixOf(config); got != want {
			t.Errorf("%q: got %q, want %q", config, got, want)
		}
	}
}

// The parts of an update with a kernel can be extracted again. The archive has all files of the kernel's folder, except the command line.
// An archive that is too large is an error.
func TestArchiveOf(t *testing.T) {
	tree := fstest.MapFS{"vmlinuz": {Data: []byte("kernel")}, "overlays/x.dtbo": {Data: []byte("x")}, card.CommandLine: {Data: []byte("mine")}}
	archive, err := archiveOf(tree)
	if err != nil {
		t.Fatal(err)
	}
	update, err := updateOf([]byte("root"), archive, "")
	if err != nil {
		t.Fatal(err)
	}
	root, again := partsOf(update)
	files, err := unpackedArchive(again)
	if err != nil || string(root) != "root" || len(files) != 2 || string(files["vmlinuz"]) != "kernel" || string(files["overlays/x.dtbo"]) != "x" {
		t.Errorf("got %q, %q, %v", root, files, err)
	}
	tree["large"] = &fstest.MapFile{Data: make([]byte, card.MaxKernel)}
	if _, err := archiveOf(tree); err == nil {
		t.Error("got an archive beyond its bound")
	}
}

// A new card starts from folder a, whose name is in the command line. Folder b is reserved for the next kernel.
func TestInFolder(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(copyTree("image/raspberry", dir), inFolder(dir)); err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(dir, card.FirmwareFile))
	if err != nil || prefixOf(string(config)) != "a/" || !strings.Contains(string(config), "\n"+upstreamLine) {
		t.Errorf("got %q, %v", config, err)
	}
	was, _ := os.ReadFile("image/raspberry/cmdline.txt")
	line, err := os.ReadFile(filepath.Join(dir, "a", card.CommandLine))
	if want := strings.TrimSpace(string(was)) + " appliance.folder=a\n"; err != nil || string(line) != want {
		t.Errorf("got %q, %v, want %q", line, err, want)
	}
	if _, err := os.Stat(filepath.Join(dir, card.CommandLine)); err == nil {
		t.Error("the command line is beside the folder too")
	}
	if info, err := os.Stat(filepath.Join(dir, "b")); err != nil || !info.IsDir() {
		t.Errorf("no folder b: %v", err)
	}
}
