package wall

import (
	"bufio"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"dashboard/internal/testing/thorough"
	"dashboard/wall/scene"
)

// piped() returns the files of a wall whose configuration also names pictures and a font.
func piped(port int) files {
	return themed(port).with("widgets.yaml", `background_image: wall.png
widgets:
  - widget: grid
    rows: 2
    columns: 2
    background_color: !color wall
    children:
      - {widget: provider, providers: [p]}
      - {widget: image, path: picture.png}
      - {widget: text, text: x, font_path: font.ttf}
      - {widget: providerimage, providers: [p], fallback_image: fallback.png}
theme:
  colors: {wall: white}
`)
}

// If any of the files is a named pipe, the check reports an error. The program does not wait for another program to write to the pipe.
func TestPipesAreTold(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	names := append(slices.Sorted(maps.Keys(themed(1))), "wall.png", "picture.png", "font.ttf", "fallback.png")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			piped(freePort(t)).write(t, dir)
			pipe(t, filepath.Join(dir, name))
			status, out, _ := command(t, "check", dir)
			if status != 1 || !strings.Contains(out, "is a pipe, not a file") {
				t.Errorf("got %d, %s", status, out)
			}
		})
	}
}

func pipe(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

// If one of the files is a named pipe, the program reports an error at the start and ends. It does not wait for a writer.
func TestStartOfPipe(t *testing.T) {
	for name := range themed(1) {
		if name == "secrets.yaml" { // without secrets the wall still runs, and only a provider fails
			continue
		}
		dir := t.TempDir()
		themed(freePort(t)).write(t, dir)
		pipe(t, filepath.Join(dir, name))
		if status, _, errs := command(t, dir); status != 1 || !strings.Contains(errs, name+": is a pipe, not a file") {
			t.Errorf("%s: got %d, %s", name, status, errs)
		}
	}
}

// The standard input and the log of a wall are pipes. The wall continues if the program that reads the log closes its end. The times in
// the log are in the time zone of the environment variable TZ.
func TestStartedWithPipes(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	b := prepare(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
	in, silent, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	log, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	b.Cmd.Stdin, b.Cmd.Stdout, b.Cmd.Stderr = in, out, out
	b.Cmd.Env = append(b.Cmd.Env, "TZ=Asia/Kathmandu")
	b.Run()
	in.Close()
	out.Close()
	line, err := bufio.NewReader(log).ReadString('\n')
	if stamp, _, _ := strings.Cut(line, " "); err != nil || !strings.HasPrefix(stamp, "time=") || !strings.HasSuffix(stamp, "+05:45") {
		t.Errorf("got %q, %v, want a time of Kathmandu's clock", line, err)
	}
	log.Close()
	b.shows(1, 1, red) // from now on, SIGUSR1 reloads and does not end the program
	for range 2 {      // each reload writes to the closed log
		files{"widgets.yaml": plainWall("blue")}.write(t, b.dir)
		b.Signal(syscall.SIGUSR1)
		b.shows(1, 1, blue)
		files{"widgets.yaml": plainWall("red")}.write(t, b.dir)
		b.Signal(syscall.SIGUSR1)
		b.shows(1, 1, red)
	}
	b.serves("/frame", 200)
	if status, took := b.End(syscall.SIGTERM); status != 0 || took > endsWithin {
		t.Errorf("got status %d after %v, want 0 soon", status, took)
	}
}

// If one of the files is a named pipe, a reload is refused. A signal still ends the program.
func TestReloadOfPipe(t *testing.T) {
	port := freePort(t)
	p := start(t, port, themed(port))
	eventually(t, "start", func() bool { return p.log.Count("dashboard started") > 0 })
	for name := range themed(p.port) {
		before := reloads(p.log)
		aside := filepath.Join(p.dir, name)
		if err := os.Rename(aside, aside+".old"); err != nil {
			t.Fatal(err)
		}
		pipe(t, aside)
		p.reload <- syscall.SIGUSR1
		eventually(t, "reload", func() bool { return reloads(p.log) > before })
		if err := os.Rename(aside+".old", aside); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.log.Count("reload refused"); got != len(themed(p.port)) {
		t.Errorf("%d reloads were refused", got)
	}
	if status, took := p.end(); status != 0 || took > endsWithin {
		t.Errorf("got %d after %v", status, took)
	}
}

// One builder reads two walls with the same file names, one after the other. The paths of each wall lie in that wall's folder, and the
// working folder does not change.
func TestWallsSideBySide(t *testing.T) {
	before, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	for _, color := range []string{"red", "blue"} {
		o := scene.Folder{Widgets: "widgets.yaml", Home: t.TempDir()}
		files{"conf.yaml": wallConf(freePort(t), ""), "widgets.yaml": plainWall(color)}.write(t, o.Home)
		g, report := b.Load(o, scene.Alone(func() {}))
		if g == nil {
			t.Fatal(report)
		}
		if got, want := g.Conf.Outputs[0].Window.Device, filepath.Join(o.Home, "screen.raw"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if after, err := os.Getwd(); err != nil || after != before {
		t.Errorf("the working directory is %s, was %s", after, before)
	}
}
