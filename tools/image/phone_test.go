package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// phoneTime is the maximum time of one step on the phone. It is long enough for a busy machine.
const phoneTime = 15 * time.Minute

// A phone is a browser with the size of a phone's screen.
type phone struct {
	ctx context.Context
	end func()
}

// newPhone starts a browser. All its connections go to the port `port` of this machine. If `port` is 0, the connections go to their real
// addresses.
func (t *tester) newPhone(ctx context.Context, port int) (*phone, error) {
	dir, err := os.MkdirTemp(t.kit.dir, "phone-")
	if err != nil {
		return nil, err
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.UserDataDir(dir), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-background-networking", true),
	}
	if port != 0 {
		options = append(options, chromedp.Flag("proxy-server", fmt.Sprintf("http://127.0.0.1:%d", port)))
	}
	ctx, cancelAlloc := chromedp.NewExecAllocator(ctx, options...)
	ctx, cancelTab := chromedp.NewContext(ctx)
	p := &phone{ctx, func() { cancelTab(); cancelAlloc() }}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)); err != nil {
		p.end()
		return nil, err
	}
	return p, nil
}

// keep() stores a picture of the page.
func (p *phone) keep(path string) error {
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	return errors.Join(err, os.WriteFile(path, shot, 0o644))
}

// A tap is a step of a person on the phone. The step ends when the page has the element `ends`.
type tap struct {
	do   []chromedp.Action[chromedp.Void]
	ends string // selector of the element
}

const (
	next   = "footer .main" // button that opens the next page
	secret = "#password"
)

// page returns the selector of an element on a page.
func page(name, element string) string { return fmt.Sprintf("body[data-page=%s] %s", name, element) }

// choose selects an option of a list.
func choose(list, value string) chromedp.Action[chromedp.Void] {
	return chromedp.SetValue(list, value)
}

// taps are the steps of the setup, by the names that the machine under test announces.
var taps = map[string]tap{
	"open":      {ends: page("language", next)},
	"speak":     {[]chromedp.Action[chromedp.Void]{chromedp.Click("input[value=en]"), choose("#country", "DE"), chromedp.Click(next)}, page("list", "button[value='Home Net']")},
	"choose":    {[]chromedp.Action[chromedp.Void]{chromedp.Click("button[value='Home Net']")}, page("password", secret)},
	"wrong":     {[]chromedp.Action[chromedp.Void]{chromedp.SetValue(secret, "wrong-password"), chromedp.Click(next)}, page("trying", "[role=status]")},
	"refused":   {ends: page("password", ".alert")},
	"right":     {[]chromedp.Action[chromedp.Void]{chromedp.SetValue(secret, "Kirschbaum-0815"), chromedp.Click(next)}, page("trying", "[role=status]")},
	"noaddress": {ends: page("password", ".alert")},
	"again":     {[]chromedp.Action[chromedp.Void]{chromedp.Click(next)}, page("trying", "[role=status]")},
	"home":      {ends: page("place", next)},
	"settle":    {[]chromedp.Action[chromedp.Void]{chromedp.SetValue("#name", "kitchen"), choose("#place", "Europe/Berlin"), choose("#zone", "Europe/Berlin"), chromedp.Click(next)}, page("wall", "button[value=family]")},
	"prefer":    {[]chromedp.Action[chromedp.Void]{chromedp.Click("button[value=family]")}, page("wall", "img.large")},
	"finish":    {[]chromedp.Action[chromedp.Void]{chromedp.Click(next)}, page("done", "a.main")},
}

// tap does one step. `words` are the name of the step and, for some steps, the address to open.
func (p *phone) tap(words string) error {
	name, address, _ := strings.Cut(words, " ")
	step, ok := taps[name]
	if !ok {
		return fmt.Errorf("there is no step %q", name)
	}
	ctx, cancel := context.WithTimeout(p.ctx, phoneTime)
	defer cancel()
	if address != "" {
		if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
			return fmt.Errorf("%s: %w", words, err)
		}
	}
	err := chromedp.Do(ctx, append(step.do, chromedp.WaitVisible(step.ends))...)
	if err != nil {
		seen, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		return fmt.Errorf("%s: %w; the page is %q", words, err, seen)
	}
	return nil
}

// phonePicture returns the path of the picture after step n of the setup.
func (t *tester) phonePicture(n int) string {
	return filepath.Join(t.dir, fmt.Sprintf("setup-%02d-phone.png", n))
}
