package viewer

import (
	"encoding/json"
	"fmt"
	"image"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"dashboard/internal/testing/programtest"
)

// askInside is the main function of the test's executable when ask runs it in a network namespace. It sends a request to the wall there.
func askInside() {
	r, err := http.NewRequest(os.Getenv("ASK_METHOD"), os.Getenv("ASK_URL"), strings.NewReader(os.Getenv("ASK_BODY")))
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Header.Set("Authorization", "Bearer lever")
	r.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Body.Close()
	io.Copy(os.Stdout, a.Body)
}

// ask sends a request to the wall in a network namespace.
func ask(t *testing.T, netns, method, path, body string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("ip", "netns", "exec", netns, self)
	c.Env = append(os.Environ(), "ASK_METHOD="+method, "ASK_URL=http://127.0.0.1:5000"+path, "ASK_BODY="+body)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// inside() runs one of the programs in a network namespace.
func inside(t *testing.T, netns, dir, which string, args ...string) *programtest.Process {
	t.Helper()
	return programtest.Inside(t, netns, dir, nil, program(t, which), append([]string{"--config-dir", dir}, args...)...)
}

// The type listed is the body of the answer to GET /devices.
type listed struct {
	Waiting []struct{ Code, Name string }
	Devices []struct{ ID, Name string }
}

func screens(t *testing.T, netns string) (l listed) {
	t.Helper()
	if err := json.Unmarshal([]byte(ask(t, netns, "GET", "/devices", "")), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestFindsAndPairs starts a screen whose settings name no wall. The screen finds the wall. After a person has allowed the screen, it
// shows the wall's frames and stores the token that it got from the wall. The
// token is valid although the wall was renamed. When the token is revoked, the screen shows a message.
func TestFindsAndPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	t.Parallel() // parallel, because the test mostly waits
	a, b := programtest.Cable(t, "seek", "10.9.1")
	wallDir := t.TempDir()
	conf := fmt.Sprintf("graphics: {resolution: [%d, %d]}\noutputs: [{type: stream, image_format: png}]\nnotifications: card\n", wallSize.X, wallSize.Y) +
		"server: {host: 0.0.0.0, announce: %s, auth: {stream_token: watch, control_token: lever}}\n"
	programtest.Write(t, wallDir, map[string]string{"conf.yaml": fmt.Sprintf(conf, "Den"), "widgets.yaml": plain("red")})
	wallArgs := []string{"--state-dir", t.TempDir()}
	w := inside(t, a, wallDir, "dashboard", wallArgs...)
	w.Says("the wall is announced")

	v := &viewerProcess{t: t, dir: t.TempDir()}
	programtest.Write(t, v.dir, map[string]string{"client.yaml": fmt.Sprintf(
		"graphics: {resolution: [%d, %d]}\noutputs: [{type: window, driver: virtual, device: screen.raw}]\n", screenSize.X, screenSize.Y)})
	state := t.TempDir()
	start := func() { v.Process = inside(t, b, v.dir, Name, "--state-dir", state) }
	start()
	v.Says("Looking for a dashboard")
	v.Says("Show Den?")
	v.showsWords()
	l := screens(t, a)
	if len(l.Waiting) != 1 || len(l.Waiting[0].Code) != 6 {
		t.Fatalf("waiting: %+v", l)
	}
	digits := l.Waiting[0].Code[:3] + " " + l.Waiting[0].Code[3:]
	programtest.Eventually(t, "the wall shows the digits", func() bool { return strings.Contains(ask(t, a, "GET", "/notify", ""), digits) })
	if got := ask(t, a, "POST", "/devices", `{"code":"`+l.Waiting[0].Code+`"}`); !strings.Contains(got, `"success":true`) {
		t.Fatal(got)
	}
	middle := image.Pt(100, 60)
	v.shows(middle, red)
	v.Says("this screen was paired")
	programtest.Eventually(t, "the digits are removed", func() bool { return !strings.Contains(ask(t, a, "GET", "/notify", ""), digits) })

	v.End(syscall.SIGTERM) // both programs are restarted and the wall is renamed. The token must still be valid
	w.End(syscall.SIGTERM)
	programtest.Write(t, wallDir, map[string]string{"conf.yaml": fmt.Sprintf(conf, "Study"), "widgets.yaml": plain("blue")})
	w = inside(t, a, wallDir, "dashboard", wallArgs...)
	start()
	v.shows(middle, blue)
	v.Says("a dashboard was found") // wait for the log, which comes through a pipe later than the pixels
	if v.Log.Count("Show Study?") > 0 {
		t.Error("asked again although it was paired")
	}
	found := map[string]int{} // the wall may be found at two addresses, because a late answer may add a better address
	for _, service := range regexp.MustCompile(`a dashboard was found.* service=(\S+)`).FindAllStringSubmatch(v.Log.String(), -1) {
		found[service[1]]++
	}
	for service, n := range found {
		if n != 1 {
			t.Errorf("the wall was found %d times at %s, want once", n, service)
		}
	}

	l = screens(t, a)
	if len(l.Devices) != 1 {
		t.Fatalf("devices: %+v", l)
	}
	ask(t, a, "DELETE", "/devices/"+l.Devices[0].ID, "")
	v.Says("the service has removed this screen")
	v.showsWords()
	v.End(syscall.SIGTERM) // the program ends at once, but the next start must not use the token any more
	start()
	v.Says("Show Study?")
	if v.Log.Count("a dashboard was found") > 0 {
		t.Error("a removed screen used its old token again")
	}
	for _, log := range []string{w.Log.String(), v.Log.String()} {
		if strings.Contains(log, l.Devices[0].ID+"\"") || strings.Contains(log, "Bearer") {
			t.Errorf("the log tells too much:\n%s", log)
		}
	}
}
