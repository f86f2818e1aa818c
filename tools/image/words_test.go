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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/appliance/card"
	"dashboard/appliance/startscreen"
	"dashboard/internal/state"
	"dashboard/render/text"
)

// wordsFiles is the test's wall with every kind of file that a wall has, and a picture for the server.
//
//go:embed words
var wordsFiles embed.FS

// A mistake is a typical error of a user in a file of the wall.
type mistake struct {
	file, old, wrong string
	says             string // start of the message on the screen
	note             bool   // true if the message is on the note, because the rest of the wall continues
}

var mistakes = []mistake{
	{"conf.yaml", "port: 5000", "prot: 5000", "conf.yaml:7:3: ", false},
	{"widgets.yaml", "widget: label", "widget: lable", "widgets.yaml:19:", false},
	{"providers.yaml", "type: rest", "type: rets", "providers.yaml:3:11: ", true}, // no widget uses this provider, so the wall continues
	{"secrets.yaml", `house"`, "house", "secrets.yaml:1:8: ", true},
	{"themes/mine.yaml", "screen", "scren", "themes/mine.yaml:1:1: ", false},
}

// wrongSettings has three invalid lines. wrongTold lists the messages about them.
var (
	wrongSettings = settingsText + "hostnme = kitchen\nwifi_name = Home\nwifi_password = short\naddress = here\n"
	wrongTold     = []string{
		`settings.txt:4: there is no setting "hostnme"; is hostname meant?`,
		"settings.txt:6: wifi_password must be 8 to 63 characters or 64 hex digits: not joined",
		"settings.txt:7: address must be an address and the length of its network's prefix, as 192.168.1.20/24",
	}
)

// testWords makes mistakes in the files of the wall, as a new owner could. It begins with settings.txt on the card, and then changes the
// other files one after the other. The wall comes from a zip file, and the board has neither a clock nor a time server. The screen must
// report each problem.
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
	// The machine's clock begins in 2000, as if its battery were empty. The image contains a later time.
	on.forward, on.more = l.forward(), []string{"-rtc", "base=2000-01-01"}
	on.kit = t.kit.told(wrongTold)
	m, err := on.start(ctx, d, "words", "appliance.data=100")
	if err != nil {
		return err
	}
	defer m.Stop()
	token, err := on.settingsTold(ctx, m, l)
	if err != nil {
		return err
	}
	return on.mistakesTold(ctx, m, l, func(lines []string) startscreen.Content {
		return on.kit.noteOf(token, false, nil, slices.Concat(wrongTold, lines))
	})
}

// told() returns a kit for a machine with two kinds of problems: its screen reports `problems` of the settings, and its clock is not set.
func (k *kit) told(problems []string) *kit {
	with := *k
	with.starts = []*image.RGBA{k.startOf(false, problems...)}
	_, with.note = startscreen.Note(screenSize, k.noteOf(longest, false, nil, problems), true, text.NewCache(1<<20))
	with.band = image.Rect(0, screenSize.Y*3/4, screenSize.X, screenSize.Y)
	return &with
}

// settingsTold waits for the wall of the zip file, pixel by pixel. The start screen must appear
// before the wall, and the note must appear on the wall. It returns the token in the note.
func (t *tester) settingsTold(ctx context.Context, m *machine, l login) (token string, err error) {
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		return "", errors.Join(err, t.keep(m, "words-zip"))
	}
	if !m.began {
		return "", errors.New("no start screen told of the settings")
	}
	// The note disappears some time after the machine has connected to its network. So screenshots
	// are taken until the token is known, and compared afterwards.
	looks, stop := context.WithCancel(ctx)
	defer stop()
	var problem error
	go func() {
		defer stop()
		token, problem = l.await(ctx, "cat /var/lib/private/dashboard/"+state.Name("control-token", ""))
	}()
	pics, err := m.notes(looks)
	if <-looks.Done(); errors.Join(err, problem) != nil {
		return "", errors.Join(err, problem)
	}
	note := t.kit.noteOf(token, false, nil, wrongTold)
	if noteShown(pics, note) != nil {
		err = m.awaitNote(ctx, noteTime, note)
	}
	if err := errors.Join(err, t.keep(m, "words-settings")); err != nil {
		return "", err
	}
	// The program started before the data partition existed. It must still see the partition at the place where it stores its state.
	const sees = " /var/lib/private/dashboard rw,nosuid,nodev,noexec,noatime shared:"
	if err := l.awaitText(ctx, "cat /proc/$(systemctl show -P MainPID dashboard.service)/mountinfo", sees); err != nil {
		return "", fmt.Errorf("the data partition does not reach the program: %w", err)
	}
	// If the Wi-Fi password is invalid, the machine must not join the network without a password.
	out, err := l.run(ctx, "owner", "grep -c network= /etc/wpa_supplicant/wpa_supplicant-wlan0.conf; systemctl is-active wpa_supplicant@wlan0.service || true")
	if err != nil || out != "0\ninactive\n" {
		return "", fmt.Errorf("with a password that cannot be one: %q, %w", out, err)
	}
	return token, nil
}

// mistakesTold makes the mistakes on the emulated machine, and also in the files of a dashboard on the host. The host's dashboard paints
// the expected picture.
func (t *tester) mistakesTold(ctx context.Context, m *machine, l login, note func(lines []string) startscreen.Content) error {
	folder, stateDir := filepath.Join(t.kit.dir, "words"), filepath.Join(t.kit.dir, "words-state")
	files, err := fs.Sub(wordsFiles, "words")
	if err != nil {
		return err
	}
	if err := os.CopyFS(folder, files); err != nil {
		return err
	}
	kept := func(*image.RGBA) bool { all, _ := filepath.Glob(stateDir + "/config-*"); return len(all) > 0 }
	if _, _, err := t.twin(ctx, folder, stateDir, kept); err != nil { // the dashboard stores the files as the last good files
		return err
	}
	t.kit.band, t.kit.mistake = image.Rectangle{}, true
	for _, e := range mistakes {
		if err := t.mistakeTold(ctx, m, l, e, folder, stateDir, note); err != nil {
			return fmt.Errorf("%s: %w", e.file, err)
		}
		t.say("      %s: told on the screen", e.says)
	}
	return nil
}

// mistakeTold makes one mistake, and repairs it when the screen has reported it.
func (t *tester) mistakeTold(ctx context.Context, m *machine, l login, e mistake, folder, stateDir string, note func([]string) startscreen.Content) error {
	path := filepath.Join(folder, e.file)
	right, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	wrong := strings.Replace(string(right), e.old, e.wrong, 1)
	if err := os.WriteFile(path, []byte(wrong), 0o644); err != nil {
		return err
	}
	var want *image.RGBA
	var said string
	want, said, err = t.twin(ctx, folder, stateDir, func(pic *image.RGBA) bool { return e.note || differ(pic, t.kit.want, jpegTolerance) > 0 })
	if err := errors.Join(err, os.WriteFile(path, right, 0o644)); err != nil {
		return err
	}
	if !strings.Contains(said, e.says) || !e.note && differ(want, t.kit.want, jpegTolerance) == 0 {
		return fmt.Errorf("the program of this machine does not say %q: %s", e.says, said)
	}
	if err := l.put(ctx, "/etc/dashboard/"+e.file, wrong, "systemctl restart dashboard.service"); err != nil {
		return err
	}
	if e.note {
		err = m.awaitNote(ctx, stepTime, note(warned(said)))
		err = errors.Join(err, t.keep(m, "words-"+strings.TrimSuffix(e.file, ".yaml")))
		return errors.Join(err, l.put(ctx, "/etc/dashboard/"+e.file, string(right), "true"))
	}
	_, err = m.await(ctx, want, jpegTolerance, time.Since(m.Began)+stepTime)
	if err := errors.Join(err, t.keep(m, "words-"+strings.ReplaceAll(strings.TrimSuffix(e.file, ".yaml"), "/", "-"))); err != nil {
		return err
	}
	return l.put(ctx, "/etc/dashboard/"+e.file, string(right), "true")
}

// aWarning matches the log line of a mistake that affects only a part of the wall.
var aWarning = regexp.MustCompile(`level=WARN msg=("[a-z/]+\.yaml:\d+.*")`)

// warned() returns the texts of the lines in a log that aWarning matches.
func warned(log string) (lines []string) {
	for _, m := range aWarning.FindAllStringSubmatch(log, -1) {
		if line, err := strconv.Unquote(m[1]); err == nil {
			lines = append(lines, line)
		}
	}
	return lines
}

// awaitText waits until the output of a command on the machine contains a text.
func (l login) awaitText(ctx context.Context, command, says string) error {
	var out string
	for end := time.Now().Add(stepTime); time.Now().Before(end); time.Sleep(reportPause) {
		var err error
		if out, err = l.await(ctx, command); err != nil || strings.Contains(out, says) {
			return err
		}
	}
	return fmt.Errorf("%s does not say %q: %q", command, says, out)
}

// stepTime is the maximum time until a program has restarted and painted.
const stepTime = 10 * time.Minute

// put writes a file on the machine and then runs a command.
func (l login) put(ctx context.Context, path, content, then string) error {
	_, err := l.run(ctx, "owner", fmt.Sprintf("cat > %s <<'END_OF_FILE' && %s\n%sEND_OF_FILE\n", path, then, content))
	return err
}

// twin() starts a dashboard on this machine with the configuration in a folder. It returns the dashboard's picture and log as soon as
// `ready` returns true for the picture, or after serverTime.
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
	_ = cmd.Wait() // the dashboard was killed
	return pic, log.String(), err
}

// zipOf packs a folder of the test as a file manager does: the zip file has one top folder that contains everything.
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
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}
