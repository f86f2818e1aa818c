package wall

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// editConf returns the conf.yaml of a wall without a screen, in a size that is typical for editing.
func editConf(port int) string {
	return fmt.Sprintf("server: {port: %d}\n%s", port, editSize)
}

const editSize = "graphics:\n  resolution: [1280, 720]\n  motion: reduced\noutputs:\n  - {type: stream, image_format: png}\nlocation: {latitude: 51.48, longitude: 0.0}\n"

// walkHelp finds the control that a person would press, by the words that the page shows or that a screen reader reads.
const walkHelp = `
window.failures = [];
addEventListener('error', (e) => failures.push(e.error?.stack ?? e.message));
addEventListener('unhandledrejection', (e) => failures.push(e.reason?.stack ?? e.reason));
window.shown = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== 'hidden';
window.named = (e) => (e.getAttribute('aria-label') || e.textContent || '').trim().replace(/\s+/g, ' ');
window.labelled = (e) => e.id && document.querySelector('label[for="' + e.id + '"]') ? named(document.querySelector('label[for="' + e.id + '"]')) : named(e);
window.able = () => [...document.querySelectorAll('button, a, input, textarea, select, [role=treeitem]')].filter((e) => shown(e) && e.getAttribute('aria-disabled') !== 'true');
window.find = (words) => able().find((e) => labelled(e) === words) ?? able().find((e) => labelled(e).startsWith(words));
true`

// A walker uses the editor like a person, either with one finger or only with the keyboard. It counts the actions.
type walker struct {
	t     *testing.T
	ctx   context.Context
	keys  bool
	taps  int
	began time.Time
}

// walk opens the editor of a program in a browser window.
func walk(t *testing.T, p *program, width, height int64, keys bool) *walker {
	t.Helper()
	w := &walker{t: t, ctx: newChromium(t), keys: keys}
	options := []chromedp.EmulateViewportOption{}
	if !keys && width < 720 {
		options = append(options, chromedp.EmulateTouch)
	}
	w.do(chromedp.EmulateViewport(width, height, options...), chromedp.Navigate(p.url("/edit/")))
	w.until("document.querySelector('header h1')")
	w.run(walkHelp)
	w.began = time.Now()
	return w
}

func (w *walker) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := chromedp.Do(w.ctx, actions...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *walker) run(script string) {
	w.t.Helper()
	if _, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](script)); err != nil {
		w.t.Fatalf("%s: %v", script, err)
	}
}

// is evaluates an expression and returns whether it is true.
func (w *walker) is(expression string) bool {
	w.t.Helper()
	yes, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
	if err != nil {
		w.t.Fatalf("%s: %v", expression, err)
	}
	return yes
}

// until waits until an expression is true.
func (w *walker) until(expression string) {
	w.t.Helper()
	for end := time.Now().Add(patience); !w.is(expression); time.Sleep(30 * time.Millisecond) {
		if time.Now().After(end) {
			page, _ := chromedp.Run(w.ctx, chromedp.Evaluate[string]("document.body.innerText + ' errors: ' + window.failures"))
			w.keep("stuck")
			w.t.Fatalf("%s never holds; the page shows %q", expression, page)
		}
	}
}

// reaction is shorter than the time that a person needs between two taps.
const reaction = 80 * time.Millisecond

// press uses the control that has these words.
func (w *walker) press(words string) {
	w.t.Helper()
	time.Sleep(reaction)
	w.until(fmt.Sprintf("window.find && find(%q)", words))
	w.taps++
	if w.keys {
		w.tabTo(words)
		if !w.is("document.activeElement.matches('input, textarea, select, [role=treeitem]')") {
			w.do(chromedp.KeyEvent(kb.Enter))
		}
		return
	}
	at, err := chromedp.Run(w.ctx, chromedp.Evaluate[[]float64](fmt.Sprintf(`(() => { const e = find(%q); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`, words)))
	if err != nil {
		w.t.Fatal(err)
	}
	w.do(chromedp.TapXY(at[0], at[1]))
}

// mostTabs is the maximum number of key presses on the way to a control.
const mostTabs = 120

// tabTo moves the focus with Tab, and inside of a tree with the arrow keys.
func (w *walker) tabTo(words string) {
	w.t.Helper()
	there := fmt.Sprintf("document.activeElement === find(%q)", words)
	inTree := fmt.Sprintf("document.activeElement.closest('[role=tree]') && find(%q)?.closest('[role=tree]')", words)
	for range mostTabs {
		if w.is(there) {
			return
		}
		key := kb.Tab
		if w.is(inTree) {
			key = kb.ArrowDown
			if w.is(fmt.Sprintf("find(%q).compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING", words)) {
				key = kb.ArrowUp
			}
		}
		w.do(chromedp.KeyEvent(key))
		time.Sleep(20 * time.Millisecond)
	}
	w.keep("lost")
	w.t.Fatalf("the keyboard does not reach %q", words)
}

// write types a text into the field that has these words.
func (w *walker) write(words, text string) {
	w.t.Helper()
	w.press(words)
	w.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(text))
	w.until(fmt.Sprintf("[...document.querySelectorAll('input, textarea')].some((e) => e.value === %q)", text))
}

// saved waits until the draft has the given number of changes.
func (w *walker) saved(changes int) {
	w.t.Helper()
	w.until(fmt.Sprintf("document.title.includes(', %d changes') || (%d === 0 && document.title.startsWith('Edit'))", changes, changes))
}

// keep saves a picture among the artifacts of go test -artifacts.
func (w *walker) keep(name string) {
	w.t.Helper()
	png, err := chromedp.Run(w.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(w.t.ArtifactDir(), name+".png"), png, 0o644)
	}
	if err != nil {
		w.t.Log(err)
	}
}

// apply accepts all warnings and saves the files.
func (w *walker) apply() {
	w.t.Helper()
	w.press("Apply")
	w.until("document.querySelector('h1')?.textContent.startsWith('Apply')")
	for range 9 {
		if w.until("document.querySelector('.at-foot .main')"); w.is("document.querySelector('.at-foot .main').getAttribute('aria-disabled') !== 'true'") {
			break
		}
		w.press("Accept this warning")
		w.until("document.querySelector('.check[aria-checked=true]:not([aria-label])')")
		w.run("document.querySelector('.check[aria-checked=true]:not([aria-label])').setAttribute('aria-label', 'accepted'), true")
	}
	w.keep("apply")
	w.press("Apply to ")
	w.until("document.querySelector('.toast')?.textContent.includes('on the wall')")
}

func (w *walker) report(name string) {
	w.t.Logf("%s: %d taps, %.0f s of a tireless user", name, w.taps, time.Since(w.began).Seconds())
}

func (p *program) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// familyWritten is the wall that makeFamily makes, as a person with knowledge of YAML would write it.
const familyWritten = `widgets:
  - widget: layout
    areas: ["clock weather weather", "calendar weather weather", "calendar photos more"]
    columns: [1.4, 1, 1]
    rows: [4, 4, 5]
    children:
      - {widget: clock, area: clock}
      - {widget: weather, area: weather}
      - {widget: agenda, area: calendar, title: Family, days: 8}
      - {widget: sunpath, area: photos}
      - {widget: moon, area: more}
`

// makeFamily makes a family's wall in an empty folder, as a person without knowledge of YAML.
func makeFamily(t *testing.T, width int64, keys bool) {
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port)}, "--keep-going")
	p.serves("/edit", 200)
	w := walk(t, p, width, 844, keys)
	w.press("Family")
	w.saved(1)
	w.keep("first")
	if width < 720 {
		w.press("Choose nothing")
	}
	w.press("Data")
	w.until("document.querySelector('h1').textContent === 'Data' || document.querySelector('[aria-current=page]')?.textContent === 'Data'")
	w.press("Add")
	w.press("Weather")
	w.press("Add and test")
	w.until("document.querySelector('h1')?.textContent === 'weather'")
	w.press("Done")
	w.press("Add")
	w.press("Calendar")
	w.write("Name", "Anna")
	w.write("Private address", "file:///nowhere/anna.ics")
	w.press("Add and test")
	w.until("document.querySelector('h1')?.textContent === 'anna_calendar'")
	w.press("Done")
	w.press(map[bool]string{true: "Wall", false: "Back"}[width >= 720])
	for _, one := range [][3]string{ // the place, the title, and the text below the title
		{"clock", "Clock", "The time"}, {"weather", "Weather", "Weather of"}, {"calendar", "Calendar", "Events of"}, {"photos", "Sun path", ""}, {"more", "Moon", "The phase"},
	} {
		w.press("Free place “" + one[0] + "”")
		w.press("Fill")
		w.write("Find a widget", one[1])
		w.press(one[1] + one[2])
		w.until(fmt.Sprintf("document.querySelector('.tree') && !find('Free place “%s”')", one[0]))
	}
	w.press("Calendar")
	if width < 720 {
		w.press("Edit")
	}
	w.write("Title", "Family")
	w.press("Days, more")
	w.saved(10)
	w.keep("form")
	if width < 720 {
		w.press("Done")
	}
	w.apply()
	w.keep("done")
	w.report(map[bool]string{true: "keyboard", false: "finger"}[keys])
	if got := p.read("widgets.yaml"); got != familyWritten {
		t.Errorf("got\n%s\nwant\n%s", got, familyWritten)
	}
	if got := p.read("providers.yaml"); !strings.Contains(got, "url: !secret anna_ics") || strings.Contains(got, "nowhere") {
		t.Errorf("got providers.yaml\n%s", got)
	}
	eventually(t, "the wall has read it", func() bool { return strings.Contains(p.log.String(), "the editor saved files") && reloads(p.log) > 0 })
}

// A person makes a family's wall in an empty folder, with one finger on a phone.
func TestEditFamilyByFinger(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	makeFamily(t, 390, false)
}

// A person makes the same wall only with the keyboard.
func TestEditFamilyByKeys(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	makeFamily(t, 1280, true)
}

// If a wall does not start because of an error, its own page can repair it. The error leads to the field, and the other lines stay.
func TestEditMendsAWall(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	good := "# the hall\nwidgets:\n  - widget: row\n    children:\n      - {widget: clock, week: true}   # large\n      - {widget: moon,   title: 'Moon'}\n"
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": strings.Replace(good, "week: true", "week: maybe", 1)}, "--keep-going")
	p.serves("/edit", 200)
	w := walk(t, p, 390, 844, false)
	w.until("document.querySelector('.error-card')?.textContent.includes('line 5')")
	w.keep("error")
	w.press("Go there")
	w.until("document.querySelector('.wrong')?.textContent.includes('must be true or false')")
	w.keep("field")
	w.press("Week")
	w.until("!document.querySelector('.wrong')")
	w.press("Done")
	w.apply()
	w.report("an error is corrected")
	if got := p.read("widgets.yaml"); got != good {
		t.Errorf("got\n%s\nwant\n%s", got, good)
	}
	eventually(t, "the wall runs", func() bool { return reloads(p.log) > 0 })
}

// Two browsers and an editor on the machine change one file at the same time. Nothing is lost. Only changes of the same value cause a
// conflict.
func TestEditTogether(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	wall := "# the hall\nwidgets:\n  - widget: column\n    children:\n      - {widget: clock, week: false}   # large\n      - {widget: moon, title: Moon}\n\n      - {widget: countdown, to: 2031-12-25, title: Christmas}\n"
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": wall})
	p.serves("/edit", 200)
	a, b := walk(t, p, 390, 844, false), walk(t, p, 1280, 800, false)
	b.press("Christmas")
	b.write("Title", "Xmas")
	b.saved(1)
	a.press("Moon")
	a.press("Edit")
	a.write("Title", "Moon tonight")
	a.saved(1)
	a.press("Done")
	a.apply()
	b.until("document.querySelector('.toast')?.textContent.includes('widgets.yaml') || find('Moon tonight')")
	disk := strings.Replace(p.read("widgets.yaml"), "week: false", "week: true", 1)
	if err := os.WriteFile(filepath.Join(p.dir, "widgets.yaml"), []byte(disk), 0o644); err != nil {
		t.Fatal(err)
	}
	b.apply()
	want := strings.NewReplacer("week: false", "week: true", "title: Moon", "title: Moon tonight", "title: Christmas", "title: Xmas").Replace(wall)
	if got := p.read("widgets.yaml"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b.write("Title", "Christmas Eve")
	b.saved(1)
	disk = strings.NewReplacer("title: Xmas", "title: Yule", "# the hall", "# the kitchen").Replace(want)
	if err := os.WriteFile(filepath.Join(p.dir, "widgets.yaml"), []byte(disk), 0o644); err != nil {
		t.Fatal(err)
	}
	b.press("Apply")
	b.until("document.querySelector('h1').textContent.startsWith('Apply') || document.querySelector('.sides')")
	if b.is("document.querySelector('.at-foot')") {
		b.press("Apply to ")
	}
	b.until("document.querySelector('.side.theirs')?.textContent.includes('Yule')")
	b.keep("conflict")
	b.press("Use mine")
	b.press("Apply")
	b.until("document.querySelector('.toast')?.textContent.includes('on the wall')")
	want = strings.NewReplacer("title: Xmas", "title: Christmas Eve", "# the hall", "# the kitchen").Replace(want)
	b.until("document.querySelector('h1')?.textContent !== 'Two saves changed the same lines' && document.title.startsWith('Edit')")
	if got := p.read("widgets.yaml"); got != want {
		t.Errorf("the chosen title, and the other change of the text editor: got\n%s\nwant\n%s", got, want)
	}
	a.report("two browsers and a text editor")
}

// If a person pauses after a blank, the file contains no quotation marks for the blank. The words that follow are saved even if the
// person leaves the field at once.
func TestEditPausesWhileTyping(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	wall := "widgets:\n  - {widget: moon, title: Moon}\n"
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": wall})
	p.serves("/edit", 200)
	w := walk(t, p, 390, 844, false)
	w.press("Moon")
	w.press("Edit")
	w.write("Title", "Full ")
	w.saved(1)
	w.do(chromedp.KeyEvent("moon"))
	w.press("Done")
	w.apply()
	if got, want := p.read("widgets.yaml"), strings.Replace(wall, "title: Moon", "title: Full moon", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// needsBrowser skips a test with a browser, except in make long.
func needsBrowser(t *testing.T) {
	t.Helper()
	if !*inFull {
		t.Skip("make long walks through the editor in a browser")
	}
}
