package wall

import (
	"bytes"
	endian "encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"dashboard/internal/testing/thorough"
)

// The program that reads the log has ended. A write to the log then fails with EPIPE, which normally ends the writing program.
func TestLogNobodyReads(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	b := launchLogging(t, w)
	r.Close()
	b.stillObeys()
}

// The program is started without standard input, output and error. Files that the program opens must not get the numbers 0 to 2, because
// otherwise it would write its log into the framebuffer.
func TestNoStandardFiles(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	b := prepare(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
	b.Cmd = exec.Command("/bin/sh", append([]string{"-c", `exec "$0" "$@" <&- >&- 2>&-`}, b.Cmd.Args...)...)
	b.Cmd.Dir = b.dir
	b.Run()
	b.shows(1, 1, red)
	for fd := range 3 {
		if to, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", b.Pid(), fd)); to != os.DevNull {
			t.Errorf("file %d is %q, want %s", fd, to, os.DevNull)
		}
	}
	b.stillObeys()
}

// openFiles returns the number of files that the process has open.
func (b *binary) openFiles() int {
	b.t.Helper()
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", b.Pid()))
	if err != nil {
		b.t.Fatal(err)
	}
	return len(list)
}

// limitFiles changes the maximum number of open files of the process, prlimit(2).
func (b *binary) limitFiles(n int) {
	b.t.Helper()
	limit := syscall.Rlimit{Cur: uint64(n), Max: 4096}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(b.Pid()), syscall.RLIMIT_NOFILE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		b.t.Fatal("prlimit:", errno)
	}
}

// The program cannot open files or connections any more. The screen still changes, and a reload is
// refused. When the program can open files again, everything works as before.
func TestNoFilesLeft(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	const spare = 5
	b := launchTicking(t, nil)
	b.limitFiles(b.openFiles() + spare)
	var guests []net.Conn
	for range 4 * spare {
		// The kernel accepts connections even if the program does not.
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", b.port))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprint(c, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
		guests = append(guests, c)
	}
	eventually(t, "too many files are open", func() bool {
		b.reload()
		return strings.Contains(b.Log.String(), "too many open files")
	})
	b.ticks()
	for _, c := range guests {
		c.Close()
	}
	b.serves("/frame", 200)
	b.limitFiles(4096)
	eventually(t, "a reload works again", func() bool {
		b.change(files{})
		return b.config().OK
	})
	b.goesOn()
}

// ticks() waits for two changes of the clock on the screen.
func (b *binary) ticks() {
	b.t.Helper()
	screen := func() string {
		raw, err := os.ReadFile(filepath.Join(b.dir, "screen.raw"))
		if err != nil {
			b.t.Fatal(err)
		}
		return string(raw)
	}
	for range 2 {
		before := screen()
		eventually(b.t, "the clock on the screen goes on", func() bool { return screen() != before })
	}
}

// noise returns a PNG of random pixels, which compression does not make smaller. `side` is the length of its sides in px.
func noise(side int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	r := rand.NewChaCha8([32]byte{})
	_, _ = r.Read(m.Pix)
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255 // opaque, because an opaque pixel has three bytes in the file
	}
	var b bytes.Buffer
	_ = (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, m) // writing to a buffer never fails
	return b.Bytes()
}

// Pictures just below the limit of 16 MiB arrive at the same time, repeatedly. Some other pictures
// are larger, or claim more pixels than fit in memory.
func TestPicturesAsLargeAsTheyMayBe(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	const most = 256 << 20 // MemoryMax of the systemd unit
	cells := 3
	if *inFull {
		cells = 6
	}
	large, huge := noise(2360), noise(8)
	copy(huge[16:], "\x00\x00\xff\xff\x00\x00\xff\xff") // width and height in the chunk IHDR; the next line sets its checksum
	endian.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	if len(large) > 16<<20 || len(large) < 15<<20 {
		t.Fatalf("the picture has %d bytes, want just under 16 MiB", len(large))
	}
	var sent atomic.Int64
	source := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/endless"):
			endless(w, r)
		case strings.HasPrefix(r.URL.Path, "/huge"):
			_, _ = w.Write(huge)
		default:
			n := sent.Add(1)
			_, _ = w.Write(large)
			fmt.Fprint(w, n) // the number after the picture makes each answer different
		}
	}))
	defer source.Close()
	defer source.CloseClientConnections()
	b := launchWall(t, func(f files) {
		wall := "widgets:\n  - widget: grid\n    rows: 3\n    columns: 3\n    padding: 4\n    background_color: red\n    children:\n      - {widget: dateclock, time_format: '%S', color: white}\n"
		for i := range cells {
			wall += fmt.Sprintf("      - {widget: restimage, url: '%s/large%d', update_frequency: 1}\n", source.URL, i)
		}
		f["widgets.yaml"] = wall + fmt.Sprintf("      - {widget: restimage, url: '%s/endless', update_frequency: 1}\n      - {widget: restimage, url: '%s/huge', update_frequency: 1}\n", source.URL, source.URL)
	})
	eventually(t, "every picture has come", func() bool { return sent.Load() >= int64(cells) })
	b.ticks()
	eventually(t, "what cannot be shown is told", func() bool {
		_, body := b.get("/healthz")
		return strings.Contains(body, "answer too large") && strings.Contains(body, "65535x65535 pixels")
	})
	eventually(t, "they come again", func() bool { return sent.Load() >= int64(2*cells) })
	b.ticks()
	b.serves("/frame", 200)
	peak := b.Memory("VmHWM")
	t.Logf("peak %d MB with %d pictures of %d MB", peak>>20, cells, len(large)>>20)
	if peak > most {
		t.Errorf("got a peak of %d MB, want at most %d", peak>>20, most>>20)
	}
	b.change(files{"widgets.yaml": plainWall("blue")})
	b.shows(1, 1, blue)
}
