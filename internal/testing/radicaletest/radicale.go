// Package radicaletest runs a CalDAV server for tests.
package radicaletest

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var listening = regexp.MustCompile(`Listening on '\[?127\.0\.0\.1\]?:(\d+)'`)

// Start starts Debian's CalDAV server and returns its address. The server runs until the test ends. Its user is "me" with the password
// "hush". If radicale is not installed, Start skips the test, unless DASHBOARD_CI is set.
func Start(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("radicale")
	if err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal("radicale is missing")
		}
		t.Skip("needs radicale: apt install radicale")
	}
	dir := t.TempDir()
	users := filepath.Join(dir, "users")
	if err := os.WriteFile(users, []byte("me:hush\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--config", "", "--server-hosts", "127.0.0.1:0", "--auth-type", "htpasswd", "--auth-htpasswd-filename", users,
		"--auth-htpasswd-encryption", "plain", "--auth-delay", "0",
		"--storage-filesystem-folder", filepath.Join(dir, "store"), "--logging-level", "info")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	port, done := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(done)
		for s := bufio.NewScanner(log); s.Scan(); {
			if m := listening.FindStringSubmatch(s.Text()); m != nil {
				port <- m[1]
			}
		}
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-done; _ = cmd.Wait() })
	select {
	case p := <-port:
		return "http://127.0.0.1:" + p
	case <-done:
		t.Fatal("radicale ended at once")
	case <-time.After(3 * time.Minute):
		t.Fatal("radicale is not ready after 3 minutes")
	}
	return ""
}

// Send sends a request as the user "me". It returns the body and the ETag of the response.
func Send(t testing.TB, method, url, kind, body string) (text, tag string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("me", "hush")
	req.Header.Set("Content-Type", kind)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %s", method, url, resp.Status)
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), resp.Header.Get("ETag")
}

// MakeCalendar makes a calendar for the given kinds of components, such as "VEVENT VTODO".
func MakeCalendar(t testing.TB, url, components string) {
	t.Helper()
	set := ""
	for c := range strings.FieldsSeq(components) {
		set += fmt.Sprintf(`<C:comp name="%s"/>`, c)
	}
	Send(t, "MKCALENDAR", url, "application/xml", `<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>`+
		`<C:supported-calendar-component-set>`+set+`</C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>`)
}

// Put stores an event or a task. `lines` contains further properties.
func Put(t testing.TB, url, kind, uid, lines string) {
	t.Helper()
	begin := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:" + kind + "\r\nUID:" + uid + "\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:" + uid
	Send(t, http.MethodPut, url, "text/calendar", begin+"\r\n"+lines+"\r\nEND:"+kind+"\r\nEND:VCALENDAR\r\n")
}
