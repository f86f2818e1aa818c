package initramfs_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dashboard/tools/image/initramfs"
)

func modules() *initramfs.Modules {
	return initramfs.ParseModules(
		`kernel/fs/overlayfs/overlay.ko.xz:
kernel/drivers/gpu/drm/vc4/vc4.ko.xz: kernel/drivers/gpu/drm/drm_helper.ko.xz kernel/drivers/gpu/drm/drm.ko.xz
kernel/drivers/gpu/drm/drm_helper.ko.xz: kernel/drivers/gpu/drm/drm.ko.xz
kernel/drivers/gpu/drm/drm.ko.xz:
kernel/drivers/block/virtio-blk.ko.xz: kernel/drivers/gpu/drm/drm.ko.xz
`,
		`# Aliases extracted from modules themselves.
alias of:N*T*Cbrcm,bcm2711-vc5C* vc4
alias of:N*T*Cbrcm,bcm2711-vc5 vc4
alias of:N*T*Cbrcm,bcm2835-vc4 vc4
alias of:N*T*Cregulator-fixed fixed
alias pci:v00001AF4d* virtio-blk
`,
		"kernel/drivers/regulator/fixed.ko\nkernel/drivers/mmc/core/mmc_block.ko\n")
}

// Known returns the modules that the kernel has as a file or built in, and leaves out the modules that the kernel lacks.
func TestKnown(t *testing.T) {
	if got := modules().Known([]string{"vc4", "no_such_driver", "virtio_blk", "mmc_block"}); strings.Join(got, " ") != "vc4 virtio_blk mmc_block" {
		t.Errorf("got %q", got)
	}
}

func TestOrder(t *testing.T) {
	for _, tt := range []struct {
		name   string
		wanted []string
		want   string
	}{
		{"none", nil, ""},
		{"needs before needing", []string{"vc4"}, "drm drm_helper vc4"},
		{"once", []string{"vc4", "drm_helper", "overlay"}, "drm drm_helper vc4 overlay"},
		{"hyphen for underscore", []string{"virtio_blk"}, "drm virtio-blk"},
		{"in the kernel", []string{"mmc_block", "overlay"}, "overlay"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files, err := modules().Order(tt.wanted...)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(files); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if _, err := modules().Order("nonsense"); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("got %v, want an error that names the module", err)
	}
}

func names(files []string) string {
	var all []string
	for _, f := range files {
		name, _, _ := strings.Cut(filepath.Base(f), ".")
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

func TestPlan(t *testing.T) {
	plan, err := modules().Plan([]string{"virtio_blk"}, []string{"brcm,bcm2711-vc5", "brcm,bcm2835-vc4", "regulator-fixed", "unknown"})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, l := range plan {
		got += fmt.Sprintf("%s%v ", names([]string{l.File}), l.For)
	}
	const want = "drm[] virtio-blk[] drm_helper[brcm,bcm2711-vc5 brcm,bcm2835-vc4] vc4[brcm,bcm2711-vc5 brcm,bcm2835-vc4] "
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The program cpio, an independent reader of the format, lists the files of the archive.
func TestArchive(t *testing.T) {
	cpio, err := exec.LookPath("cpio")
	switch {
	case err != nil && os.Getenv("DASHBOARD_CI") != "":
		t.Fatal(err)
	case err != nil:
		t.Skip("no cpio here: TestArchiveBytes reads the archive anyway")
	}
	var b bytes.Buffer
	write(t, &b)
	cmd := exec.Command(cpio, "--list", "--verbose", "--quiet")
	cmd.Stdin = &b
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-rwxr-xr-x", "-rw-r--r--", "drwxr-xr-x", "crw-------", "usr/lib/a.ko"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("got %s, want %q in it", out, want)
		}
	}
}

func write(t *testing.T, b *bytes.Buffer) {
	t.Helper()
	a := initramfs.NewArchive(b)
	a.Device("dev/console", 5, 1)
	a.Program("/init", []byte("program"))
	a.File("usr/lib/a.ko", []byte("x"))
	a.File("usr/lib/empty", nil)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestArchiveBytes(t *testing.T) {
	var b bytes.Buffer
	write(t, &b)
	var got []string
	for rest := b.Bytes(); ; {
		if len(rest) < 110 || string(rest[:6]) != "070701" {
			t.Fatalf("got %q, want a header", rest[:min(len(rest), 110)])
		}
		size, nameSize := hex(t, rest[54:62]), hex(t, rest[94:102])
		name := string(rest[110 : 110+nameSize-1])
		content := round(110 + nameSize)
		if name == "TRAILER!!!" {
			break
		}
		got = append(got, fmt.Sprintf("%s %s %s", name, bytes.ToLower(rest[14:22]), rest[content:content+size]))
		rest = rest[round(content+size):]
	}
	want := []string{"dev 000041ed ", "dev/console 00002180 ", "init 000081ed program", "usr 000041ed ", "usr/lib 000041ed ",
		"usr/lib/a.ko 000081a4 x", "usr/lib/empty 000081a4 "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func hex(t *testing.T, digits []byte) (n int) {
	t.Helper()
	if _, err := fmt.Sscanf(string(digits), "%x", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func round(n int) int { return (n + 3) &^ 3 }

// A tree is an unfinished flattened device tree.
type tree struct{ structure, names []byte }

func (t *tree) word(n int) { t.structure = binary.BigEndian.AppendUint32(t.structure, uint32(n)) }
func (t *tree) bytes(b string) {
	t.structure = append(t.structure, b...)
	t.structure = append(t.structure, make([]byte, -len(t.structure)&3)...)
}
func (t *tree) begin(name string) { t.word(1); t.bytes(name + "\x00") }
func (t *tree) end()              { t.word(2) }
func (t *tree) property(name, value string) {
	t.word(3)
	t.word(len(value))
	t.word(len(t.names))
	t.names = append(t.names, name+"\x00"...)
	t.bytes(value)
}

func (t *tree) file() []byte {
	t.word(9)
	var b []byte
	for _, n := range []int64{0xd00dfeed, 0, 40, int64(40 + len(t.structure)), 0, 17, 16, 0, int64(len(t.names)), int64(len(t.structure))} {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return append(append(b, t.structure...), t.names...)
}

func board() []byte {
	var d tree
	d.begin("")
	d.property("compatible", "raspberrypi,4-model-b\x00brcm,bcm2711\x00")
	d.begin("soc")
	d.word(4)
	d.property("model", "compatible\x00")
	d.property("compatible", "simple-bus\x00")
	d.begin("gpu")
	d.property("compatible", "brcm,bcm2711\x00")
	d.end()
	d.end()
	d.end()
	return d.file()
}

func TestCompatible(t *testing.T) {
	got, err := initramfs.Compatible(board())
	if want := []string{"brcm,bcm2711", "raspberrypi,4-model-b", "simple-bus"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func FuzzCompatible(f *testing.F) {
	f.Add(board())
	f.Add([]byte{0xd0, 0x0d, 0xfe, 0xed})
	f.Fuzz(func(t *testing.T, dtb []byte) {
		found, err := initramfs.Compatible(dtb)
		if err != nil && !errors.Is(err, initramfs.ErrTree) {
			t.Errorf("got %v, want ErrTree", err)
		}
		for _, f := range found {
			if !bytes.Contains(dtb, []byte(f)) {
				t.Errorf("got %q, which is not in the file", f)
			}
		}
	})
}

// A driver that Without has removed is not loaded for the devices in a device tree.
func TestWithout(t *testing.T) {
	m := modules()
	m.Without("vc4", "no-such")
	plan, err := m.Plan(nil, []string{"brcm,bcm2835-vc4"})
	if err != nil || len(plan) > 0 {
		t.Errorf("got %v, %v, want nothing", plan, err)
	}
}
