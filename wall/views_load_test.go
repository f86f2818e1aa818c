package wall

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// viewsLoad is the name of the environment variable that turns on measurements with many views. The
// measurements take some seconds and need an otherwise idle machine.
const viewsLoad = "DASHBOARD_VIEWS_LOAD"

// cpu returns the processor time that the process has used (proc_pid_stat(5), utime and stime, in hundredths of a second).
func (b *binary) cpu() time.Duration {
	b.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", b.Pid()))
	if err != nil {
		b.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// many starts a wall with the given number of views, which includes main. All views have the same
// size. Each view was requested once, so it is painted for a minute.
func many(t *testing.T, views int, size string) *binary {
	t.Helper()
	more := "views:\n"
	for i := 1; i < views; i++ {
		more += fmt.Sprintf("  v%d: {widgets: widgets.yaml}\n", i)
	}
	if views == 1 {
		more = ""
	}
	port := freePort(t)
	conf := strings.Replace(wallConf(port, more), fmt.Sprintf("[%d, %d]", testW, testH), size, 1)
	b := launch(t, port, files{
		"conf.yaml": conf, "providers.yaml": "providers:\n  n: {type: push}\n",
		"widgets.yaml": "theme: calm\nwidgets:\n  - widget: row\n    children:\n      - {widget: clock}\n      - {widget: card, title: Count, value: !data .n}\n",
	})
	eventually(t, "the wall answers", func() bool { return b.ask("PUT /values/n", nil, "0").status == http.StatusOK })
	for i := 1; i < views; i++ {
		b.ask(fmt.Sprintf("HEAD /frame?view=v%d", i), nil, "")
	}
	eventually(t, "every view has a frame", func() bool {
		return b.metric("dashboard_frames_total") > 0 && strings.Count(b.text("/metrics"), "dashboard_view_frames_total{") == views-1
	})
	return b
}

// changes() sends ten values a second to the wall, and each value changes all views. It returns the used processor time and the number of
// painted frames of all views.
func (b *binary) changes(seconds int) (spent time.Duration, frames float64) {
	b.t.Helper()
	count := func() (n float64) {
		for _, line := range strings.Split(b.text("/metrics"), "\n") {
			if name, value, ok := strings.Cut(line, " "); ok && (name == "dashboard_frames_total" || strings.HasPrefix(name, "dashboard_view_frames_total{")) {
				x, _ := strconv.ParseFloat(value, 64)
				n += x
			}
		}
		return n
	}
	before, began := b.cpu(), count()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for i := range seconds * 10 {
		<-tick.C
		b.ask("PUT /values/n", nil, strconv.Itoa(i%1000))
	}
	return b.cpu() - before, count() - began
}

// TestManyViews checks sixteen views of 800x480 px that change ten times a second. They need at
// most sixteen times the processor time of one view. A view of 1920x1080 px needs at most 25 MB.
func TestManyViews(t *testing.T) {
	seconds, _ := strconv.Atoi(os.Getenv(viewsLoad))
	if seconds == 0 {
		t.Skipf("%s=10 measures for ten seconds", viewsLoad)
	}
	one, frames1 := many(t, 1, "[800, 480]").changes(seconds)
	b := many(t, 16, "[800, 480]")
	all, frames16 := b.changes(seconds)
	t.Logf("one view: %v in %d s, %.0f frames; 16 views: %v, %.0f frames, %d MB", one, seconds, frames1, all, frames16, (b.Memory("VmRSS")-b.Memory("RssFile"))>>20)
	if frames16 < 12*frames1 {
		t.Errorf("%.0f frames of 16 views, %.0f of one", frames16, frames1)
	}
	if all > 16*one {
		t.Errorf("16 views take %.1f times the processor time of one", float64(all)/float64(one))
	}
	few, more := many(t, 1, "[1920, 1080]"), many(t, 5, "[1920, 1080]")
	few.changes(seconds)
	more.changes(seconds)
	each := (more.Memory("VmRSS") - more.Memory("RssFile") - few.Memory("VmRSS") + few.Memory("RssFile")) / 4
	t.Logf("a view of 1920x1080: %.1f MB", float64(each)/1e6)
	if each > 25e6 {
		t.Errorf("a view of 1920x1080 takes %.1f MB", float64(each)/1e6)
	}
}
