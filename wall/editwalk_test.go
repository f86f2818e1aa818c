package wall

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// editConf returns the conf.yaml of a wall without a screen. The wall has 1280x720 pixels.
func editConf(port int) string {
	return fmt.Sprintf("server: {port: %d}\n%s", port, editSize)
}

const editSize = "graphics:\n  resolution: [1280, 720]\n  motion: reduced\noutputs:\n  - {type: stream, image_format: png}\nlocation: {latitude: 51.48, longitude: 0.0}\n"

func (p *program) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// familyWritten is the YAML of the wall that makeFamily makes. A person who knows YAML would write the same text.
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

// makeFamily makes a family's wall in an empty folder with the editor. A person who uses the editor needs no knowledge of YAML.
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
	for _, one := range [][3]string{ // free place, title of the widget, text below the title
		{"clock", "Clock", "The time"}, {"weather", "Weather", "Current weather"}, {"calendar", "Calendar", "Events of"}, {"photos", "Sun path", ""}, {"more", "Moon", "The phase"},
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

// A person makes a family's wall in an empty folder, only with the keyboard.
func TestEditFamilyByKeys(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	makeFamily(t, 1280, true)
}

// If a wall does not start because of an error in its files, the editor on the wall's page can repair them. A button next to the error
// opens the field with the error. The other lines of the file stay unchanged. A phone and the keyboard alone can do this.
func TestEditMendsAWall(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	good := "# the hall\nwidgets:\n  - widget: row\n    children:\n      - {widget: clock, week: true}   # large\n      - {widget: moon,   title: 'Moon'}\n"
	for _, keys := range []bool{false, true} {
		port := freePort(t)
		p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": strings.Replace(good, "week: true", "week: maybe", 1)}, "--keep-going")
		p.serves("/edit", 200)
		w := walk(t, p, map[bool]int64{false: 390, true: 1280}[keys], 844, keys)
		w.until("document.querySelector('.error-card')?.textContent.includes('line 5')")
		w.keep("error")
		w.press("Go there")
		w.until("document.querySelector('.wrong')?.textContent.includes('must be true or false')")
		w.keep("field")
		w.press("Week")
		w.until("!document.querySelector('.wrong')")
		if !keys {
			w.press("Done")
		}
		w.apply()
		w.report("an error is corrected")
		if got := p.read("widgets.yaml"); got != good {
			t.Errorf("got\n%s\nwant\n%s", got, good)
		}
		eventually(t, "the wall runs", func() bool { return reloads(p.log) > 0 })
		p.end()
	}
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
	replace(t, p.dir, "widgets.yaml", disk)
	b.apply()
	want := strings.NewReplacer("week: false", "week: true", "title: Moon", "title: Moon tonight", "title: Christmas", "title: Xmas").Replace(wall)
	if got := p.read("widgets.yaml"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b.write("Title", "Christmas Eve")
	b.saved(1)
	disk = strings.NewReplacer("title: Xmas", "title: Yule", "# the hall", "# the kitchen").Replace(want)
	replace(t, p.dir, "widgets.yaml", disk)
	b.press("Apply")
	b.until("document.querySelector('h1').textContent.startsWith('Apply') || document.querySelector('.sides')")
	if b.is("document.querySelector('.at-foot')") {
		b.press("Apply to ")
	}
	b.until("document.querySelector('.side.theirs')?.textContent.includes('Yule')")
	b.keep("conflict")
	b.press("Use mine")
	b.press("Apply")
	b.until(onTheWall)
	want = strings.NewReplacer("title: Xmas", "title: Christmas Eve", "# the hall", "# the kitchen").Replace(want)
	b.until("document.querySelector('h1')?.textContent !== 'Two saves changed the same lines' && document.title.startsWith('Edit')")
	if got := p.read("widgets.yaml"); got != want {
		t.Errorf("the chosen title, and the other change of the text editor: got\n%s\nwant\n%s", got, want)
	}
	a.report("two browsers and a text editor")
}

// If a person pauses after a space, the saved title has no space at its end, so YAML needs no
// quotation marks. The words that follow are saved even if the person leaves the field at once.
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

// If a draft was deleted, the page still shows the draft's text, both after a change and after the browser has loaded the page again. The
// person puts the text into a new draft, or downloads it as a file. The file also contains the text that was typed last.
func TestEditKeepsTheText(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	wall := "widgets:\n  - {widget: moon, title: Moon}\n"
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": wall})
	p.serves("/edit", 200)
	w := walk(t, p, 390, 844, false)
	// `stored` is true if the tab holds the newest text. `remove` deletes the draft as another device does, before any other script of the
	// page runs.
	const stored = "sessionStorage.dashboard_texts?.includes(sessionStorage.dashboard_draft) && sessionStorage.dashboard_texts.includes('Full moon')"
	const remove = "(() => { const r = new XMLHttpRequest(); r.open('DELETE', '/edit/drafts/' + sessionStorage.dashboard_draft, false); r.send(); return r.status < 300; })()"
	w.press("Moon")
	w.press("Edit")
	w.write("Title", "Full moon")
	w.saved(1)
	w.until(stored)
	w.run(remove + " && ((e) => { e.value = 'Full moon tonight'; e.dispatchEvent(new Event('input', {bubbles: true})); return true; })(find('Title'))")
	w.until("document.querySelector('.gone')?.textContent.includes('Typed last: Full moon title: Full moon tonight')")
	w.keep("gone")
	w.run("(URL.createObjectURL = (blob) => { blob.text().then((text) => { window.text = text; }); return '#'; }, true)")
	w.press("Download my text")
	w.until("window.text?.includes('# widgets.yaml') && window.text.includes('title: Full moon}') && window.text.includes('Full moon tonight')")
	w.press("Put it into a new draft")
	w.until("find('Undo') && document.querySelector('.gone') && !find('Put it into')")
	w.press("Throw away")
	w.until("!document.querySelector('.gone')")
	w.until(stored)
	w.run(remove)
	w.do(chromedp.Reload())
	w.until("document.querySelector('.gone')?.textContent.includes('widgets.yaml')")
	w.run(walkHelp)
	w.keep("gone-again")
	w.press("Put it into a new draft")
	w.until("!document.querySelector('.gone')")
	w.apply()
	if got, want := p.read("widgets.yaml"), strings.Replace(wall, "title: Moon", "title: Full moon", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// needsBrowser skips a test that needs a browser, except in make long.
func needsBrowser(t *testing.T) {
	t.Helper()
	if !*inFull {
		t.Skip("make long walks through the editor in a browser")
	}
}
