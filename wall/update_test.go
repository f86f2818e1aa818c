package wall

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/control"
	"dashboard/control/verb"
	"dashboard/wall/draft"
	"dashboard/wall/outputs"
)

// keeper starts a socket that answers as the keeper program does. The socket refuses a return to the earlier version. `asked` receives
// the requests.
func keeper(t *testing.T) (socket string, asked chan about.Ask) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "ask")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	asked = make(chan about.Ask, 16)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(conn).ReadBytes('\n')
			var a about.Ask
			_ = json.Unmarshal(line, &a)
			asked <- a
			answer := about.Answer{}
			if a.Do == about.DoBack {
				answer.Error = "there is no earlier version to return to"
			}
			_ = json.NewEncoder(conn).Encode(answer)
			conn.Close()
		}
	}()
	return socket, asked
}

// cardWith returns a service on an appliance with the given state of updates.
func cardWith(t *testing.T, u about.Update, socket string) *Service {
	t.Helper()
	s := newService(parts{opts: Options{AskSocket: socket}, stderr: io.Discard, devices: outputs.ThisMachine()})
	s.builder.Machine = fstest.MapFS{
		about.FactsFile:  &fstest.MapFile{Data: []byte(`{"name":"kitchen"}`)},
		about.UpdateFile: &fstest.MapFile{Data: u.Encode()},
	}
	s.update.Store(&u)
	return s
}

// TestUpdateVerb checks that each action of the verb update reaches the appliance's keeper, and that the caller gets the keeper's
// refusals. On a machine without a keeper there are no updates.
func TestUpdateVerb(t *testing.T) {
	t.Parallel()
	socket, asked := keeper(t)
	s := cardWith(t, about.Update{Version: "1.5.2"}, socket)
	do := func(args verb.Args) error {
		_, err := s.verbs.Do(context.Background(), control.Action{By: control.Caller{Via: "http"}, Verb: "update", Args: args})
		return err
	}
	for _, tt := range []struct {
		args verb.Args
		want about.Ask
	}{
		{verb.Args{"action": "check"}, about.Ask{Do: about.DoCheck}}, {verb.Args{"action": "install"}, about.Ask{Do: about.DoNow}},
		{verb.Args{"action": "beta"}, about.Ask{Do: about.DoChannel, Value: "beta"}},
		{verb.Args{"window": "01:00-02:00"}, about.Ask{Do: about.DoWindow, Value: "01:00-02:00"}},
	} {
		if err := do(tt.args); err != nil {
			t.Errorf("%v: %v", tt.args, err)
		} else if got := <-asked; got != tt.want {
			t.Errorf("%v: asked for %v, want %v", tt.args, got, tt.want)
		}
	}
	if err := do(verb.Args{"action": "back"}); err == nil || !strings.Contains(err.Error(), "no earlier version") {
		t.Errorf("back: got %v", err)
	}
	if err := do(verb.Args{"action": "format"}); !errors.Is(err, verb.ErrUpdate) {
		t.Errorf("format: got %v", err)
	}
	if err := do(nil); !errors.Is(err, errNoAction) {
		t.Errorf("nothing: got %v", err)
	}
	s.update.Store(nil)
	if err := do(verb.Args{"action": "check"}); !errors.Is(err, control.ErrNoUpdates) {
		t.Errorf("another machine: got %v", err)
	}
}

// TestUpdateIsReported checks that the health report, the metrics and the broker contain the state of updates. On a machine that is not
// an appliance, they do not contain this state.
func TestUpdateIsReported(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 14, 3, 20, 0, 0, time.UTC)
	s := cardWith(t, about.Update{
		Version: "1.5.2", Channel: "stable", Latest: "1.6.0", Ready: true, Phase: about.Write, Percent: 62, Asked: now.Add(-time.Minute), Notes: []string{"a", "b"},
	}, "")
	h, _ := s.updateHealth(now).(map[string]any)
	if h["latest"] != "1.6.0" || h["phase"] != "write" || h["percent"] != 62 || h["seconds_since_asked"] != 60 || h["problem"] != nil {
		t.Errorf("health: got %v", h)
	}
	got := map[string]float64{}
	s.updateMeasures(func(name string, v float64) bool { got[name] = v; return true })
	if got["dashboard_update_percent"] != 62 || got["dashboard_update_ready"] != 1 || got[`dashboard_update_info{version="1.5.2",channel="stable"}`] != 1 {
		t.Errorf("metrics: got %v", got)
	}
	if d := s.updateOnBroker(); d == nil || d.Installed != "1.5.2" || d.Latest != "1.6.0" || !d.Running || d.Summary != "a\nb" {
		t.Errorf("broker: got %+v", d)
	}
	s.update.Store(nil)
	if s.updateHealth(now) != nil || s.updateOnBroker() != nil || s.updateState() != nil {
		t.Error("another machine has updates")
	}
}

// TestUpdateNote checks the notes on the wall. A running update has a note, a new release has a
// note for a minute, and a failed release has a note for a day.
func TestUpdateNote(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 14, 3, 12, 0, 0, time.Local)
	failed := about.Update{Version: "1.5.2", Failed: "1.6.0", Why: "showed no picture in time", At: at}
	seen := failed
	seen.Seen = true
	for name, tt := range map[string]struct {
		u    about.Update
		now  time.Time
		want string
	}{
		"nothing":          {about.Update{Version: "1.5.2", Ready: true, Latest: "1.6.0"}, at, ""},
		"asks":             {about.Update{Phase: about.Fetch, Latest: "1.6.0"}, at, ""},
		"writes":           {about.Update{Phase: about.Write, Latest: "1.6.0", Percent: 62}, at, "Updating to 1.6.0"},
		"checks":           {about.Update{Phase: about.Check, Latest: "1.6.0", Percent: 95}, at, "Updating to 1.6.0"},
		"restarts":         {about.Update{Phase: about.Trial, Latest: "1.6.0", Percent: 100}, at, "Updating to 1.6.0"},
		"runs":             {about.Update{Version: "1.6.0", Painted: at}, at.Add(59 * time.Second), "1.6.0 runs"},
		"runs for long":    {about.Update{Version: "1.6.0", Painted: at}, at.Add(time.Minute), ""},
		"given up":         {failed, at.Add(time.Hour), "Still on 1.5.2"},
		"seen":             {seen, at.Add(time.Hour), ""},
		"a day later":      {failed, at.Add(24 * time.Hour), ""},
		"a refused one":    {about.Update{Version: "1.5.2", Problem: "the release is for another kind of board"}, at, ""},
		"the clock is set": {failed, at.AddDate(3, 0, 0), ""},
	} {
		n := updateNote(&tt.u, tt.now)
		if got := title(n); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	_, offset := at.Zone()
	failed.At = at.In(time.FixedZone("half an hour away", offset+30*60)) // the note must show the local time
	n := updateNote(&failed, at)
	want := []string{"1.6.0 showed no picture in time, so 1.5.2 came back.", "Nothing was lost. 1.6.0 is not tried again."}
	if !slices.Equal(n.Text, want) || n.At != "3:12" || !n.Card {
		t.Errorf("got %+v", n)
	}
}

func title(n *startscreen.Update) string {
	if n == nil {
		return ""
	}
	return n.Title
}

// TestSeenUpdate checks that the appliance's keeper receives one request when the note about a failed release is about to end. If no
// person is near, this request is not sent earlier. The note with the address has priority.
func TestSeenUpdate(t *testing.T) {
	t.Parallel()
	socket, asked := keeper(t)
	at := time.Date(2026, 5, 14, 3, 12, 0, 0, time.UTC)
	s := cardWith(t, about.Update{Version: "1.5.2", Failed: "1.6.0", Why: "did not start", At: at}, socket)
	s.note.Now.Store(&startscreen.Content{Name: "kitchen"})
	if s.showUpdate(at); s.note.Update.Load() != nil {
		t.Error("it covers the address")
	}
	s.note.Now.Store(nil)
	if s.showUpdate(at); title(s.note.Update.Load()) != "Still on 1.5.2" {
		t.Error("the note is missing")
	}
	s.showUpdate(at.Add(time.Hour))
	select {
	case a := <-asked:
		t.Errorf("nobody was near: asked for %v", a)
	default:
	}
	s.showUpdate(at.Add(24*time.Hour - time.Second))
	s.showUpdate(at.Add(24*time.Hour - time.Millisecond))
	if a := <-asked; a.Do != about.DoSeen || len(asked) > 0 {
		t.Errorf("asked for %v and %d more", a, len(asked))
	}
}

// TestCardKeeper checks the saving of files on an appliance. The editor sends the files to the
// keeper, with the checksums of the previous contents. On other machines there is no keeper.
func TestCardKeeper(t *testing.T) {
	t.Parallel()
	socket, asked := keeper(t)
	s := cardWith(t, about.Update{}, socket)
	if err := s.cardKeeper().Save([]draft.Replaced{{Name: "a.yaml", Before: []byte{}, After: []byte("a")}, {Name: "b.yaml", After: []byte("b")}}); err != nil {
		t.Fatal(err)
	}
	body := `[{"name":"a.yaml","before":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","data":"YQ=="},{"name":"b.yaml","before":"","data":"Yg=="}]`
	if got, want := <-asked, (about.Ask{Do: about.DoSave, Value: strconv.Itoa(len(body))}); got != want {
		t.Errorf("asked for %v, want %v", got, want)
	}
	s.builder.Machine = fstest.MapFS{}
	if s.cardKeeper() != nil {
		t.Error("another machine has a card's keeper")
	}
}
