package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/settings"
	"dashboard/appliance/setup/flow"
	"dashboard/appliance/setup/words"
	"dashboard/appliance/startscreen"
	"dashboard/render/text"
)

const (
	misspelled = "wifi_contry = JP" // line of settings.txt
	corrected  = "wifi_country = JP"
	proposal   = "wifi_country = ••••••••" // the value under an unknown name could be a secret, so dots stand for it

	wallConf                = card.ConfigFolder + "/" + about.WallConf
	rightKey, misspelledKey = "outputs:", "outpust:" // lines of conf.yaml

	misspelledRole, rightRole = "rloe = client\r\n", "role = ••••••••"
)

// The set-up can read the wall's folder, which boot.go mounts for root and the group video. This group gives it nothing else: no device,
// no socket of the keeper and no settings.txt.
func TestSetupReadsTheWall(t *testing.T) {
	boot, err := os.ReadFile("appliance/boot.go")
	if err != nil || !strings.Contains(string(boot), `bootOptions = "gid=44,fmask=0137,dmask=0027,utf8=1"`) { // 44 is the group video: TestUsersAndGroups
		t.Errorf("%v: the first partition is not mounted for the group video", err)
	}
	unit, err := os.ReadFile("image/root/etc/systemd/system/appliance-setup.service")
	for _, line := range []string{
		"SupplementaryGroups=netdev video", "PrivateDevices=yes", "DevicePolicy=closed", "InaccessiblePaths=/boot -/" + about.AskSocket,
	} {
		if err != nil || !strings.Contains(string(unit), "\n"+line+"\n") {
			t.Errorf("%v: appliance-setup.service lacks %s", err, line)
		}
	}
	if strings.Contains(string(unit), "DeviceAllow=") {
		t.Error("appliance-setup.service has a device")
	}
}

// testMistake starts a board with a misspelled setting in settings.txt. The wall shows the line. A person scans the code with a phone,
// which is Chromium, and corrects the line. The board applies the new line without a restart. Then conf.yaml gets a misspelled setting, and
// the phone corrects this line too. A misspelled role follows: its correction makes the board a screen of another machine, and its removal
// makes it a wall again, both without a restart. The card contains the right lines, the other lines as before, and the old files.
func (t *tester) testMistake(ctx context.Context) error {
	l, err := t.newLogin(ctx)
	if err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	file := settingsText + misspelled + "\r\n" + strings.TrimSpace(l.line) + "\r\n"
	d, done, err := t.diskWith(ctx, map[string][]byte{card.SettingsFile: []byte(file)})
	if err != nil {
		return err
	}
	defer done()
	on := *t
	on.forward = l.forward() + fmt.Sprintf(",hostfwd=tcp:127.0.0.1:%d-:80", port)
	m, err := on.start(ctx, d, "mistake", "")
	if err != nil {
		return err
	}
	defer m.Stop()
	token, err := t.mistakeShown(ctx, m, l, file)
	if err = errors.Join(err, t.keep(m, "mistake")); err != nil {
		return err
	}
	page := fmt.Sprintf("http://127.0.0.1:%d/%s", port, token)
	if err := t.correct(ctx, page, proposal, "mistake-phone"); err != nil {
		return err
	}
	// The board has not restarted, so it applies the new line while it runs.
	if err := l.awaitText(ctx, "cat /etc/wpa_supplicant/wpa_supplicant-wlan0.conf", "country=JP"); err != nil {
		return err
	}
	wrong := strings.Replace(t.kit.files[wallConf], rightKey, misspelledKey, 1)
	if err := t.correctConf(ctx, l, page, wrong); err != nil {
		return err
	}
	right := strings.Replace(file, misspelled, corrected, 1)
	if err := t.correctRole(ctx, l, page, right); err != nil {
		return err
	}
	m.Stop()
	kit := *t.kit
	kit.files = maps.Clone(kit.files)
	kit.files[card.SettingsFile] = right
	kit.files[card.SettingsFile+".old"], kit.files[wallConf+".old"] = right+misspelledRole, wrong
	on.kit = &kit
	if err := on.configWhole(ctx, d); err != nil {
		return err
	}
	if m, err = on.startShown(ctx, d, "mistake-again", alone); err != nil {
		return err
	}
	defer m.Stop()
	return t.keep(m, "mistake-corrected")
}

// tokenWritten matches the token of the page in setup.json, where the setup stores its state.
var tokenWritten = regexp.MustCompile(`"[Tt]oken": ?"([A-Z0-9]+)"`)

// mistakeShown waits until the screen shows the mistake together with the QR code of the page, pixel by pixel. It returns the token in
// this code. The screen shows the mistake only for a minute after its first picture. So mistakeShown first stores screenshots, until the
// token is known.
func (t *tester) mistakeShown(ctx context.Context, m *machine, l login, file string) (token string, err error) {
	looks, stop := context.WithCancel(ctx)
	defer stop()
	var problem error
	go func() {
		defer stop()
		var state string
		state, problem = l.await(ctx, "cat /var/lib/private/dashboard-setup/setup.json")
		if found := tokenWritten.FindStringSubmatch(state); found != nil {
			token = found[1]
		}
	}()
	pics, err := m.notes(looks)
	if <-looks.Done(); errors.Join(err, problem) != nil || token == "" {
		return "", errors.Join(errors.New("the set-up has no token"), err, problem)
	}
	wants := mistakeGuides(file, token)
	for end := time.Now().Add(noteTime); ; time.Sleep(lookPause) {
		for _, pic := range pics {
			for _, want := range wants {
				if differ(pic, want, paintTolerance) == 0 {
					return token, nil
				}
			}
		}
		if m.last, err = m.Look(); err != nil || time.Now().After(end) {
			return "", errors.Join(errors.New("the screen did not show the mistake"), err)
		}
		pics = []*image.RGBA{m.last}
	}
}

// mistakeGuides paints the screen about the misspelled line in every language of the setup, for the night and for the day.
func mistakeGuides(file, token string) (pics []*image.RGBA) {
	_, all := settings.Read(nil, []byte(file))
	m := flow.New(flow.Options{Clock: func() time.Duration { return 0 }})
	m.Warn(&about.Mistake{
		File: card.SettingsFile, Line: all[0].Line, Reason: all[0].Reason, Right: all[0].Right, Rows: all[0].Rows([]byte(file)),
	}, false)
	for _, language := range []string{"en", "de", "fr", "es"} {
		g := m.Guide(words.In(language), flow.Place{Token: token, Home: "10.0.2.15"})
		for _, night := range []bool{true, false} {
			pic := image.NewRGBA(image.Rectangle{Max: screenSize})
			startscreen.Guide(pic, *g, night, text.NewCache(1<<20))
			pics = append(pics, pic)
		}
	}
	return pics
}

// correctConf writes a conf.yaml with a misspelled setting to the card of a running board. The page proposes the right setting. When the
// phone has sent the line, the card has the right conf.yaml.
func (t *tester) correctConf(ctx context.Context, l login, page, wrong string) error {
	const fresh = "/tmp/conf.yaml"
	if err := l.put(ctx, fresh, wrong, onDrive("cat "+fresh+" >/boot/"+wallConf)); err != nil {
		return err
	}
	if err := t.correct(ctx, page, rightKey, "mistake-conf-phone"); err != nil {
		return fmt.Errorf("conf.yaml: %w", err)
	}
	out, err := l.run(ctx, "owner", "cat /boot/"+wallConf)
	if err == nil && out != t.kit.files[wallConf] {
		err = fmt.Errorf("the corrected conf.yaml is %q", out)
	}
	return err
}

// correctRole writes settings with a misspelled role to the card of a running board. When the phone has sent the right line, the board runs
// the program of the new role. With the old settings, it runs the wall again. `right` is the text of settings.txt before and after.
func (t *tester) correctRole(ctx context.Context, l login, page, right string) error {
	const fresh, started = "/tmp/settings.txt", "cat /proc/sys/kernel/random/boot_id"
	start, err := l.run(ctx, "owner", started)
	if err != nil {
		return err
	}
	apply := func(text string) error {
		return l.put(ctx, fresh, text, onDrive("cat "+fresh+" >/boot/"+card.SettingsFile)+"; systemctl start appliance-apply")
	}
	runs := func(unit, other string) error {
		return l.awaitText(ctx, "if systemctl is-active --quiet "+unit+" && ! systemctl is-active --quiet "+other+"; then echo runs; fi", "runs")
	}
	const wall, screen = "dashboard", "dashboard-client"
	for _, step := range []func() error{
		func() error { return runs(wall, screen) },
		func() error { return apply(right + misspelledRole) },
		func() error { return t.correct(ctx, page, rightRole, "mistake-role-phone") },
		func() error { return runs(screen, wall) },
		func() error { return apply(right) },
		func() error { return runs(wall, screen) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("role: %w", err)
		}
	}
	now, err := l.run(ctx, "owner", started)
	if err == nil && now != start {
		err = errors.New("a new role has restarted the board")
	}
	return err
}

// correct opens, on a phone, the page to which the QR code leads. Then it sends the corrected line that the page proposes. `pic` is the
// name of the picture of the page.
func (t *tester) correct(ctx context.Context, page, proposal, pic string) error {
	p, err := t.newPhone(ctx, 0)
	if err != nil {
		return err
	}
	defer p.end()
	ctx, cancel := context.WithTimeout(p.ctx, phoneTime)
	defer cancel()
	proposed, err := p.proposed(ctx, page)
	if err != nil || proposed != proposal {
		return fmt.Errorf("the line on the page is %q, %w, want %q", proposed, err, proposal)
	}
	if err := p.keep(filepath.Join(t.dir, pic+".png")); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.Click("button.main"), chromedp.WaitNotPresent("#line")); err != nil {
		return err
	}
	failure, err := chromedp.Run(ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("p.error")].map((e) => e.textContent).join()`))
	if err == nil && failure != "" {
		err = errors.New(failure)
	}
	return err
}

// proposed opens a page until the page has a line to correct, and returns this line. The set-up looks for mistakes every two seconds, and
// serves no page while there is none.
func (p *phone) proposed(ctx context.Context, page string) (line string, err error) {
	for ; ; time.Sleep(lookPause) {
		if err = chromedp.Do(ctx, chromedp.Navigate(page)); err == nil {
			line, err = chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector("#line")?.value ?? ""`))
		}
		if err == nil && line != "" || ctx.Err() != nil {
			return line, errors.Join(err, ctx.Err())
		}
	}
}
