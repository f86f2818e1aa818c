package wall

import (
	endian "encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/font/gofont/goregular"
)

// A cage is a control group (version 1 or 2) with a memory limit. If the test is not allowed to create a control group, the fields are
// empty, and only siege.watch checks the memory.
type cage struct {
	dir  string
	peak string // file with the peak of the memory
}

// newCage makes a control group and removes it when the test ends.
func newCage(t *testing.T, limit int) *cage {
	t.Helper()
	for _, kind := range []struct{ root, limit, peak string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"},
		{"/sys/fs/cgroup", "memory.max", "memory.peak"},
	} {
		dir := filepath.Join(kind.root, fmt.Sprintf("dashboard-test-%d-%d", os.Getpid(), time.Now().UnixNano()))
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { _ = os.Remove(dir) }) // runs after the process has ended, because prepare registers its cleanup later
		if err := os.WriteFile(filepath.Join(dir, kind.limit), []byte(strconv.Itoa(limit)), 0); err == nil {
			return &cage{dir, kind.peak}
		}
	}
	t.Log("no control group can be made here")
	return &cage{}
}

// command returns a command that runs a program in the cage. If possible, the folder `fonts` replaces the machine's fonts for this program.
func (c *cage) command(fonts string, args []string) *exec.Cmd {
	script := "exec \"$@\""
	if c.dir != "" {
		script = "echo $$ >" + filepath.Join(c.dir, "cgroup.procs") + " && " + script
	}
	if os.Getuid() == 0 {
		script = "mount --make-rprivate / && mount --bind " + fonts + " /usr/share/fonts && " + script
		return exec.Command("unshare", append([]string{"-m", "/bin/sh", "-c", script, "sh"}, args...)...)
	}
	return exec.Command("/bin/sh", append([]string{"-c", script, "sh"}, args...)...)
}

// says() returns the control group's memory peak and counters as text.
func (c *cage) says() string {
	if c.dir == "" {
		return "no control group"
	}
	text, _ := os.ReadFile(filepath.Join(c.dir, c.peak)) // an old kernel does not have this file
	peak, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	events, err := os.ReadFile(filepath.Join(c.dir, "memory.oom_control"))
	if err != nil {
		events, _ = os.ReadFile(filepath.Join(c.dir, "memory.events"))
	}
	return fmt.Sprintf("the control group's peak %d MiB with cached files, %s", peak>>20, strings.ReplaceAll(strings.TrimSpace(string(events)), "\n", ", "))
}

// fontLetters are 150 characters that no built-in font has.
var fontLetters = func() string {
	var b strings.Builder
	for i := range rune(150) {
		b.WriteRune('\u4e00' + i)
	}
	return b.String()
}()

// hostileFonts makes a font of 400 KB for each of fontLetters. A fifth of the fonts are broken.
func hostileFonts(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i, r := range []rune(fontLetters) {
		harm := 0
		if i%5 == 4 {
			harm = i
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.ttf", i)), fontOf(r, harm), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fontOf returns a font of 400 KB with one character. If `harm` is not 0, the font is cut off, or all tables except the table of
// characters have wrong bytes.
func fontOf(r rune, harm int) []byte {
	be := endian.BigEndian
	cmap := be.AppendUint16(be.AppendUint16(nil, 0), 1)
	cmap = append(cmap, 0, 3, 0, 10, 0, 0, 0, 12) // encoding record: Windows, full Unicode, at offset 12
	for _, v := range []uint32{12 << 16, 28, 0, 1, uint32(r), uint32(r), 40} {
		cmap = be.AppendUint32(cmap, v)
	}
	out := append([]byte(nil), goregular.TTF...)
	tables := int(be.Uint16(out[4:]))
	begin := 12 + 16*tables
	random := rand.New(rand.NewPCG(uint64(harm), 0))
	for i := 0; harm%2 == 1 && i < 2000; i++ {
		out[begin+random.IntN(len(out)-begin)] = byte(random.Uint32())
	}
	for i := range tables {
		if entry := out[12+16*i:]; string(entry[:4]) == "cmap" {
			be.PutUint32(entry[8:], uint32(len(out)))
			be.PutUint32(entry[12:], uint32(len(cmap)))
		}
	}
	out = append(out, cmap...)
	if harm != 0 && harm%2 == 0 {
		return append(out[:begin+harm*100], out[len(out)-len(cmap):]...)
	}
	return append(out, make([]byte, 400_000-len(out))...)
}
