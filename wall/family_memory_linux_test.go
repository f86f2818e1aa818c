package wall

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The limits are the maximum resident memory, in bytes, of the family sample at 1920x1080 with three sizes of its stream.
const (
	// familyMemory is the limit of 60 MB and one more frame, which a busy machine needs while a reader of the stream is late.
	familyMemory = 60_000_000 + 4*1920*1080
	// japaneseMemory is the limit with Japanese fonts.
	japaneseMemory = 80_000_000
	// warmMemory is the limit if the kernel has just written the program. The kernel then maps blocks of 2 MiB of the program.
	warmMemory = 82_000_000
)

// familyEvents are the titles of the events in the calendars of the family sample.
var familyEvents = []string{"Swimming lesson", "Dentist", "School trip", "Paper bin"}

// TestFamilyMemory starts the family sample with its sources, and reads its stream in three sizes.
func TestFamilyMemory(t *testing.T) {
	wall := familyWall(t)
	streamedMemory(t, wall, familyEvents, coldProgram(t), familyMemory)
}

// TestWarmMemory is like TestFamilyMemory, with a program that was just written, as after an update.
func TestWarmMemory(t *testing.T) {
	wall := familyWall(t)
	streamedMemory(t, wall, familyEvents, copiedProgram(t), warmMemory)
}

// TestJapaneseMemory is like TestFamilyMemory, with Japanese words, titles and events.
func TestJapaneseMemory(t *testing.T) {
	const font = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
	if _, err := os.Stat(font); err != nil {
		t.Skip("SKIPPED, memory of a Japanese wall NOT checked: ", err)
	}
	wall := familyWall(t)
	wall["conf.yaml"] = strings.Replace(wall["conf.yaml"], "locale: en-GB", "locale: ja-JP", 1)
	for from, to := range map[string]string{"title: Calendar": "title: カレンダー", "title: Birthdays": "title: 誕生日", "title: Bins": "title: 資源ごみ"} {
		wall["widgets.yaml"] = strings.Replace(wall["widgets.yaml"], from, to, 1)
	}
	streamedMemory(t, wall, []string{"水泳教室", "歯医者の予約", "遠足のお弁当", "燃えるごみの日"}, coldProgram(t), japaneseMemory)
}

// familyWall returns the files of the family sample. Its window has no screen.
func familyWall(t *testing.T) files {
	t.Helper()
	if testing.Short() {
		t.Skip("it reads a stream for many frames")
	}
	wall := files{}
	for _, name := range []string{"conf.yaml", "providers.yaml", "widgets.yaml", "secrets.yaml", "photos/lake.jpg"} {
		b, err := os.ReadFile(filepath.Join("../samples/family", name))
		if err != nil {
			t.Fatal(err)
		}
		wall[name] = string(b)
	}
	wall["conf.yaml"] = strings.Replace(wall["conf.yaml"], "  - type: window", fmt.Sprintf("  - {type: window, driver: fbdev, device: %s/none, tty: none}\n#", t.TempDir()), 1)
	return wall
}

// copiedProgram returns a copy of the program that was just written.
func copiedProgram(t *testing.T) string {
	t.Helper()
	program, err := os.ReadFile(executable(t, "dashboard"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "dashboard")
	if err := os.WriteFile(path, program, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// coldProgram returns a copy of the program that is not in the kernel's cache, as after the start of the machine. Of a file that was just
// written, the kernel would map blocks of 2 MiB, even if the process reads only one page of a block.
func coldProgram(t *testing.T) string {
	t.Helper()
	path := copiedProgram(t)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)); err != nil {
		t.Fatal(err)
	}
	return path
}

// streamedMemory starts the copied program with a wall at 1920x1080 and reads its stream in three sizes. It fails if the resident memory
// stays above the parameter `most`, in bytes.
func streamedMemory(t *testing.T, wall files, events []string, program string, most int) {
	t.Helper()
	port := freePort(t)
	wall["conf.yaml"] += fmt.Sprintf("\nserver: {port: %d}\n", port)
	b := prepare(t, port, wall, "--size", "1920x1080")
	proxy, roots := internet(t, events)
	b.Process.Cmd.Env = append(os.Environ(), "HTTPS_PROXY="+proxy, "NO_PROXY=127.0.0.1", "SSL_CERT_FILE="+roots)
	b.Process.Cmd.Path = program
	b.Run()
	eventually(t, "all sources have answered", func() bool {
		_, health := b.get("/healthz")
		return strings.Count(health, `"seconds_since_value":`) == 2
	})
	var streams []*bufio.Reader
	for _, query := range []string{"", "?width=1366&height=768", "?width=800&height=480"} {
		resp, err := http.Get(b.url("/stream.mjpg" + query))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		streams = append(streams, bufio.NewReader(resp.Body))
	}
	eventually(t, fmt.Sprintf("it takes at most %d MB", most/1_000_000), func() bool {
		for _, in := range streams {
			readFrames(t, in, 5)
		}
		now := b.Memory("VmRSS")
		t.Logf("%.1f MB, of which %.1f are the program's own pages", float64(now)/1e6, float64(b.Memory("RssFile"))/1e6)
		return now <= most
	})
}

// readFrames reads n frames of a stream of JPEG pictures.
func readFrames(t *testing.T, in *bufio.Reader, n int) {
	t.Helper()
	for seen := 0; seen < n; {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(line, "Content-Type: image/") {
			seen++
		}
	}
}

// internet answers requests to the sources of the family sample. It returns the address of a proxy, and the path of a file with the
// certificate of the sources.
func internet(t *testing.T, events []string) (proxy, roots string) {
	t.Helper()
	cert, pemBytes := certificate(t, "api.open-meteo.com", "air-quality-api.open-meteo.com", "calendar.example.org", "town.example.org")
	services := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".ics") {
			io.WriteString(w, calendarNow(events))
			return
		}
		_, _ = w.Write(weatherNow(t, r.Host))
	}))
	services.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	services.StartTLS()
	t.Cleanup(services.Close)
	tunnel := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "not recorded", http.StatusNotFound)
			return
		}
		to, err := net.Dial("tcp", services.Listener.Addr().String())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusOK)
		from, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			to.Close()
			return
		}
		go func() { _, _ = io.Copy(to, from); to.Close() }()
		go func() { _, _ = io.Copy(from, to); from.Close() }()
	}))
	t.Cleanup(tunnel.Close)
	roots = filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(roots, pemBytes, 0o600); err != nil {
		t.Fatal(err)
	}
	return tunnel.URL, roots
}

// certificate returns a self-signed certificate and its PEM form.
func certificate(t *testing.T, names ...string) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: names, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// calendarNow returns a calendar with an event of each name on each of the next days.
func calendarNow(names []string) string {
	var b bytes.Buffer
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n")
	today := time.Now().UTC().Truncate(24 * time.Hour)
	for day := range 30 {
		for i, name := range names {
			at := today.AddDate(0, 0, day).Add(time.Duration(8+3*i) * time.Hour).Format("20060102T150405Z")
			fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%d-%d\r\nDTSTAMP:%s\r\nDTSTART:%s\r\nDURATION:PT1H\r\nSUMMARY:%s %d\r\nEND:VEVENT\r\n", day, i, at, at, name, day)
		}
	}
	b.WriteString("END:VCALENDAR\r\n")
	return b.String()
}

// recordedDay is the time of the recorded weather, as Unix time.
const recordedDay = 1747267200

// weatherNow returns the recorded answer of a weather service, with its times moved to today.
func weatherNow(t *testing.T, host string) []byte {
	name := "weather.json"
	if strings.HasPrefix(host, "air") {
		name = "air.json"
	}
	b, err := os.ReadFile(filepath.Join("scene/testdata/answers", name))
	if err != nil {
		t.Error(err)
	}
	moved := time.Now().UTC().Truncate(24*time.Hour).Unix() - recordedDay
	return regexp.MustCompile(`\b1747\d{6}\b|\b1748\d{6}\b`).ReplaceAllFunc(b, func(s []byte) []byte {
		n, _ := strconv.ParseInt(string(s), 10, 64)
		return strconv.AppendInt(nil, n+moved, 10)
	})
}
