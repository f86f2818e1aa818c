package main

import (
	"archive/zip"
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dashboard/appliance/card"
	"dashboard/internal/qrcode"
	"dashboard/internal/startscreen"
	"dashboard/internal/state"
	"dashboard/render/text"
)

// wordsFiles is the test's wall with every kind of file that a wall has, and a picture for whoever asks.
//
//go:embed words
var wordsFiles embed.FS

// A mistake is one that a person makes in a file of the wall.
type mistake struct {
	file, old, wrong string
	says             string // begin of what must be told
}

var mistakes = []mistake{
	{"conf.yaml", "port: 5000", "prot: 5000", "conf.yaml:7:3: "},
	{"widgets.yaml", "widget: label", "widget: lable", "widgets.yaml:19:"},
	{"providers.yaml", "type: rest", "type: rets", "providers.yaml:3:11: "},
	{"secrets.yaml", `house"`, "house", "secrets.yaml:1:8: "},
	{"themes/mine.yaml", "screen", "scren", "themes/mine.yaml:1:1: "},
}

// wrongSettings are three lines that cannot be used, and what is told of them.
var (
	wrongSettings = settingsText + "hostnme = kitchen\nwifi_name = Home\nwifi_password = short\naddress = here\n"
	wrongTold     = []string{
		`settings.txt:4: there is no setting "hostnme"`,
		"settings.txt:6: wifi_password must be 8 to 63 characters, or 64 hexadecimal digits: the network is not joined",
		"settings.txt:7: address must be an address with its network's bits, as 192.168.1.20/24",
	}
)

// testWords has a new owner make a mistake in each file: settings.txt on the card, the others one after the other. The wall comes
// out of a zip file, the board has no clock and no time server, and each thing is told on the screen.
func (t *tester) testWords(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	l, err := t.newLogin(ctx)
	if err != nil {
		return err
	}
	content, err := zipOf("words")
	if err != nil {
		return err
	}
	d, done, err := t.diskWith(ctx, map[string][]byte{card.SettingsFile: []byte(wrongSettings + l.line), card.ConfigZip: content})
	if err != nil {
		return err
	}
	defer done()
	on := *t
	on.forward, on.more = l.forward(), []string{"-rtc", "base=2000-01-01"} // a clock whose battery is empty: the time of the image
	on.kit = t.kit.told(wrongTold)
	m, err := on.start(ctx, d, "words", "")
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := on.settingsTold(ctx, m, l); err != nil {
		return err
	}
	return on.mistakesTold(ctx, m, l)
}

// told is a kit for a machine that tells of mistakes in its settings, and that the time is not set.
func (k *kit) told(problems []string) *kit {
	with := *k
	with.starts = nil
	cache := text.NewCache(1 << 20)
	c := startscreen.Content{Name: "cut-test", Version: k.version, Lines: []startscreen.Line{
		{Icon: "progress-clock", Text: "Starting"}, {Icon: "clock-alert-outline", Role: "warn", Text: "The time is not set yet"},
	}}
	c.Lines = append(c.Lines, problemLines(problems)...)
	pic := image.NewRGBA(image.Rectangle{Max: screenSize})
	startscreen.Screen(pic, c, cache)
	with.starts = append(with.starts, pic)
	_, with.note = startscreen.Note(screenSize, noteOf(k.version, problems, "", true), true, cache)
	_, coded := startscreen.Note(screenSize, noteOf(k.version, problems, strings.Repeat("A", 26), true), true, cache)
	with.note = with.note.Union(coded)
	with.band = image.Rect(0, screenSize.Y*3/4, screenSize.X, screenSize.Y)
	return &with
}

func problemLines(problems []string) (lines []startscreen.Line) {
	for _, p := range problems {
		lines = append(lines, startscreen.Line{Icon: "alert", Role: "warn", Text: p})
	}
	return lines
}

// noteOf is the note of the test's machine in QEMU's network.
func noteOf(version string, problems []string, token string, addressed bool) startscreen.Content {
	c := startscreen.Content{Name: "cut-test", Version: version, Lines: []startscreen.Line{
		{Icon: "lan-connect", Role: "good", Text: "10.0.2.15"},
		{Icon: "web", Text: "cut-test.local:5000"},
		{Icon: "clock-alert-outline", Role: "warn", Text: "The time is not set yet: no time server has answered"},
	}}
	c.Lines = append(c.Lines, problemLines(problems)...)
	if addressed && token != "" {
		c.Code, _ = qrcode.Encode("http://10.0.2.15:5000/#token=" + token)
	}
	return c
}

// settingsTold waits for the wall of the zip file, with the start screen before it and the note on it, pixel by pixel.
func (t *tester) settingsTold(ctx context.Context, m *machine, l login) error {
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		return errors.Join(err, t.keep(m, "words-zip"))
	}
	if !m.began {
		return errors.New("no start screen told of the settings")
	}
	notes := m.notes(ctx)
	token, err := l.await(ctx, "cat /var/lib/private/dashboard/"+state.Name("control-token", ""))
	if err != nil {
		return err
	}
	if err := errors.Join(t.keep(m, "words-settings"), noteShown(notes, noteOf(t.kit.version, wrongTold, token, true))); err != nil {
		return err
	}
	// A password that cannot be one never makes the network an open one.
	out, err := l.run(ctx, "owner", "! grep -rs Home /etc/wpa_supplicant; date -u +%Y; systemctl is-active wpa_supplicant@wlan0.service")
	if err == nil || !strings.HasSuffix(out, "\ninactive\n") || strings.Contains(out, "ssid") {
		return fmt.Errorf("with a password that cannot be one: %q, %w", out, err)
	}
	return nil
}

// noteTime is how long the note stays, and some more for the machine to be slow.
const noteTime = 3 * time.Minute

// notes looks at the note while it is there, and returns the looks that differ, each with the whole screen.
func (m *machine) notes(ctx context.Context) (all []*image.RGBA) {
	for end := time.Now().Add(noteTime); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(lookPause) {
		got, err := m.Look()
		if err != nil {
			return all
		}
		m.last = got
		if !slices.ContainsFunc(all, func(o *image.RGBA) bool { return bytes.Equal(o.Pix, got.Pix) }) {
			all = append(all, got)
		}
		if len(all) > 3 && differ(got, m.kit.want, paintTolerance) == 0 {
			break
		}
	}
	return all
}

// noteShown reports whether one of the pictures has a note, by day or by night. Its corners are not compared.
func noteShown(pics []*image.RGBA, c startscreen.Content) error {
	cache, least := text.NewCache(1<<20), screenSize.X*screenSize.Y
	for _, night := range []bool{true, false} {
		note, at := startscreen.Note(screenSize, c, night, cache)
		for _, pic := range pics {
			n := 0
			for y := range note.Rect.Dy() {
				for x := range note.Rect.Dx() {
					want := note.Pix[note.PixOffset(x, y):]
					if want[3] == 0xff && apart(pic.Pix[pic.PixOffset(at.Min.X+x, at.Min.Y+y):], want, paintTolerance) {
						n++
					}
				}
			}
			least = min(least, n)
		}
	}
	if least > 0 {
		return fmt.Errorf("the note was not seen: %d pixels of the most alike differ", least)
	}
	return nil
}

// mistakesTold makes the mistakes on the machine, and again on a dashboard of this one, which paints what must be seen.
func (t *tester) mistakesTold(ctx context.Context, m *machine, l login) error {
	folder, stateDir := filepath.Join(t.kit.dir, "words"), filepath.Join(t.kit.dir, "words-state")
	files, err := fs.Sub(wordsFiles, "words")
	if err != nil {
		return err
	}
	if err := os.CopyFS(folder, files); err != nil {
		return err
	}
	kept := func(*image.RGBA) bool { all, _ := filepath.Glob(stateDir + "/config-*"); return len(all) > 0 }
	if _, _, err := t.twin(ctx, folder, stateDir, kept); err != nil { // it keeps the files that are right
		return err
	}
	t.kit.band = image.Rectangle{}
	for _, e := range mistakes {
		if err := t.mistakeTold(ctx, m, l, e, folder, stateDir); err != nil {
			return fmt.Errorf("%s: %w", e.file, err)
		}
		t.say("      %s: told on the screen", e.says)
	}
	return nil
}

// mistakeTold makes one mistake, and mends it when it was seen.
func (t *tester) mistakeTold(ctx context.Context, m *machine, l login, e mistake, folder, stateDir string) error {
	path := filepath.Join(folder, e.file)
	right, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	wrong := strings.Replace(string(right), e.old, e.wrong, 1)
	if err := os.WriteFile(path, []byte(wrong), 0o644); err != nil {
		return err
	}
	want, said, err := t.twin(ctx, folder, stateDir, func(pic *image.RGBA) bool { return differ(pic, t.kit.want, jpegTolerance) > 0 })
	if err := errors.Join(err, os.WriteFile(path, right, 0o644)); err != nil {
		return err
	}
	if !strings.Contains(said, e.says) {
		return fmt.Errorf("the program of this machine does not say %q: %s", e.says, said)
	}
	if err := l.put(ctx, "/etc/dashboard/"+e.file, wrong, "systemctl restart dashboard.service"); err != nil {
		return err
	}
	_, err = m.await(ctx, want, jpegTolerance, time.Since(m.Began)+stepTime)
	if err := errors.Join(err, t.keep(m, "words-"+strings.ReplaceAll(strings.TrimSuffix(e.file, ".yaml"), "/", "-"))); err != nil {
		return err
	}
	return l.put(ctx, "/etc/dashboard/"+e.file, string(right), "true")
}

// stepTime is for a program to start anew and paint.
const stepTime = 10 * time.Minute

// put writes a file on the machine and then runs a command.
func (l login) put(ctx context.Context, path, content, then string) error {
	_, err := l.run(ctx, "owner", fmt.Sprintf("cat > %s <<'END_OF_FILE' && %s\n%sEND_OF_FILE\n", path, then, content))
	return err
}

// twin starts a dashboard of this machine on a folder, and returns its picture, once that is ready, and its log.
func (t *tester) twin(ctx context.Context, folder, stateDir string, ready func(*image.RGBA) bool) (*image.RGBA, string, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	port, err := freePort()
	if err != nil {
		return nil, "", err
	}
	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, t.kit.dashboard, "--config-dir", folder, "--keep-going", "--state-dir", stateDir, "--listen", fmt.Sprintf("127.0.0.1:%d", port))
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	pic, err := t.shown(ctx, port)
	for end := time.Now().Add(serverTime); err == nil && !ready(pic) && time.Now().Before(end); time.Sleep(lookPause) {
		pic, err = t.shown(ctx, port)
	}
	stop()
	_ = cmd.Wait() // it was killed
	return pic, log.String(), err
}

// zipOf packs a folder of the test, as a file manager does: everything in one folder.
func zipOf(dir string) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := fs.WalkDir(wordsFiles, dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := wordsFiles.ReadFile(path)
		if err != nil {
			return err
		}
		w, err := z.Create(path)
		if err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	return b.Bytes(), errors.Join(err, z.Close())
}
