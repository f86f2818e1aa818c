package wall

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
	"dashboard/widgets/kit"
)

// Reloads alternate between files with one theme and files with two themes. During all reloads, each request finds the tree of the
// current mode.
func TestSurveyDuringReloads(t *testing.T) {
	t.Chdir(t.TempDir())
	two := sunny(1, nowhere).with("conf.yaml", strings.NewReplacer("fps-limit: 1,", "fps-limit: 60,", "longitude: -0.13", "longitude: -0.13, http_control: true").Replace(yearConf))
	one := two.with("conf.yaml", "graphics: {resolution: [16, 9], fps-limit: 60}\noutputs: [{type: stream}]\n").with("widgets.yaml", plainWall("green"))
	s, run := quiet(t, two, io.Discard)
	ctx, cancel := context.WithCancel(t.Context())
	wait := run(ctx)
	defer wait()
	defer cancel()
	var asking sync.WaitGroup
	done := make(chan struct{})
	defer asking.Wait()
	stop := sync.OnceFunc(func() { close(done) })
	defer stop()
	asking.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if _, _, err := s.Survey(ctx, ""); err != nil {
				t.Error(err)
			}
			if st := s.main().Shown.Load(); st.Tree() == nil {
				t.Error("a mode without its tree")
			}
			_, _ = s.main().SetTheme(ctx, "night", "forever") // refused while there is only one theme
			_, _ = s.main().SetTheme(ctx, "day", "forever")
		}
	})
	for i := range 12 {
		if i%2 == 0 {
			one.write(t, ".")
		} else {
			two.write(t, ".")
		}
		g, report := s.load()
		if g == nil {
			t.Fatal(report.Errors())
		}
		if err := s.replace(ctx, g); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	asking.Wait()
	if n := s.main().Loop.Stats().Crashes; n != 0 {
		t.Errorf("got %d crashes, want 0", n)
	}
}

// If a reading of the files hangs, the next request starts another reading. The program still ends quickly.
func TestReloadHangs(t *testing.T) {
	t.Chdir(t.TempDir())
	var log logbook
	files{"conf.yaml": "graphics: {resolution: [16, 9]}\noutputs: [{type: file, output_path: out}]\n", "widgets.yaml": plainWall("red")}.write(t, ".")
	synctest.Test(t, func(t *testing.T) {
		s := newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml"}}, stderr: &log, devices: outputs.ThisMachine()})
		g, report := s.load()
		if g == nil {
			t.Fatal(report.Errors())
		}
		var readings atomic.Int32
		release := make(chan struct{})
		s.read = func() (*scene.Generation, *config.Report) {
			if readings.Add(1) != 2 {
				<-release
				return nil, &config.Report{}
			}
			return s.load()
		}
		s.begin(g)
		signals := make(chan os.Signal)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = s.run(ctx, signals)
		}()
		signals <- os.Interrupt // the reading of this request hangs
		time.Sleep(time.Second)
		signals <- os.Interrupt // starts another reading, because the first reading takes too long
		time.Sleep(time.Second)
		if !strings.Contains(log.String(), "configuration reloaded") {
			t.Errorf("the second request was not answered within 2 s:\n%s", &log)
		}
		signals <- os.Interrupt // this reading hangs too
		time.Sleep(time.Second)
		began := time.Now()
		cancel()
		<-ended
		if took := time.Since(began); took > 100*time.Millisecond {
			t.Errorf("the end took %v", took)
		}
		close(release)
		s.builder.Providers.Close()
	})
}

// If the program panics while it reads files, the panic is reported as an error in the files, and the walls do not change.
func TestReadingFails(t *testing.T) {
	t.Chdir(t.TempDir())
	var log logbook
	files{"conf.yaml": "graphics: {resolution: [16, 9]}\noutputs: [{type: file, output_path: out}]\n", "widgets.yaml": plainWall("red")}.write(t, ".")
	s := newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml"}}, stderr: &log, devices: outputs.ThisMachine()})
	defer s.main().Close()
	defer s.builder.Providers.Close()
	s.read = func() (*scene.Generation, *config.Report) { panic("broken") }
	g, report := s.readSafely()
	if g != nil || !report.Failed() || !strings.Contains(report.Errors()[0].Message, "broken") || !strings.Contains(log.String(), "TestReadingFails") {
		t.Errorf("got %v, %v\n%s", g, report.Errors(), &log)
	}
	s.read = s.readAll
	if g, report = s.readSafely(); g == nil {
		t.Error(report.Errors())
	}
}

// Readings that never return are counted. At the limit, no further reading begins.
func TestHungReadingsAreBounded(t *testing.T) {
	t.Chdir(t.TempDir())
	var log logbook
	files{"conf.yaml": "graphics: {resolution: [16, 9]}\noutputs: [{type: file, output_path: out}]\n", "widgets.yaml": plainWall("red")}.write(t, ".")
	synctest.Test(t, func(t *testing.T) {
		s := newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml"}}, stderr: &log, devices: outputs.ThisMachine()})
		var readings atomic.Int32
		release := make(chan struct{})
		s.read = func() (*scene.Generation, *config.Report) {
			readings.Add(1)
			<-release
			return nil, &config.Report{}
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.runReloads(ctx)
		}()
		for range 2 * maxHung {
			s.askReload()
			time.Sleep(2 * hangTime)
		}
		if readings.Load() != maxHung || !strings.Contains(log.String(), "earlier reloads still wait") {
			t.Errorf("got %d readings, want %d:\n%s", readings.Load(), maxHung, &log)
		}
		cancel()
		<-ended
		close(release)
		s.builder.Providers.Close()
		s.main().Close()
	})
}

// When errors in the files are fixed, they disappear from the wall and from /healthz.
func TestProblemGoes(t *testing.T) {
	t.Chdir(t.TempDir())
	s, run := quiet(t, files{"conf.yaml": "graphics: {resolution: [16, 9]}\noutputs: [{type: stream}]\n", "widgets.yaml": plainWall("red")}, io.Discard)
	ctx, cancel := context.WithCancel(t.Context())
	wait := run(ctx)
	defer wait()
	defer cancel()
	problem := func() (any, any) { h := s.configHealth(time.Now()); return h["ok"], h["problem"] }
	s.setProblem([]config.Diagnostic{{File: "a.yaml", Line: 3, Message: "bad"}, {File: "b.yaml"}})
	if ok, text := problem(); ok != false || text != "a.yaml:3:0: bad (and 1 more)" {
		t.Errorf("got %v, %v, want the first of two", ok, text)
	}
	if v, _ := s.builder.Banner.Load().Value.(kit.Banner); v.String() != "a.yaml:3:0: bad (and 1 more)" || v.Stays.IsZero() {
		t.Errorf("the wall says %v", v)
	}
	s.setProblem(nil)
	if ok, text := problem(); ok != true || text != nil {
		t.Errorf("got %v, %v, want no problem", ok, text)
	}
	if v := s.builder.Banner.Load().Value; v != (kit.Banner{}) {
		t.Errorf("the wall still says %v", v)
	}
	typos := &config.Report{}
	typos.Add(config.Diagnostic{File: "a.yaml", Line: 4, Severity: config.Warning, Code: config.CodeTolerated, Message: "no file"})
	typos.Add(config.Diagnostic{File: "a.yaml", Line: 5, Severity: config.Warning, Code: config.CodeUnknownKey, Message: "unknown key 'x'"})
	s.setTypos(typos)
	v := s.builder.Banner.Load().Value.(kit.Banner)
	if left := time.Until(v.Until); v.Place != "a.yaml:5:0" || !v.Notice || left < 50*time.Minute || left > typoTime {
		t.Errorf("a misspelled key: the wall says %+v", v)
	}
	if ok, _ := problem(); ok != true {
		t.Error("a misspelled key is no problem of the files")
	}
	s.setTypos(&config.Report{})
	if v := s.builder.Banner.Load().Value; v != (kit.Banner{}) {
		t.Errorf("without a misspelled key the wall says %v", v)
	}
}

// If the watchdog's interval is shorter than the sleep of the loop, the service still sends its messages to the watchdog in time.
func TestWatchdogIsHeardInTime(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("WATCHDOG_USEC", "10000000") // 10 s, so a message is needed every 5 s
	t.Setenv("WATCHDOG_PID", "")
	synctest.Test(t, func(t *testing.T) {
		s, run := quiet(t, files{"conf.yaml": "graphics: {resolution: [16, 9]}\noutputs: [{type: stream}]\n", "widgets.yaml": plainWall("red")}, io.Discard)
		ctx, cancel := context.WithCancel(t.Context())
		wait := run(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.keepAwake(ctx)
		}()
		time.Sleep(time.Second)
		for range 10 {
			time.Sleep(5 * time.Second)
			if since := s.main().SincePass(time.Now()); since > 5*time.Second {
				t.Errorf("the newest pass is %v old, want one every 5 s", since)
			}
		}
		cancel()
		<-done
		wait()
	})
}
