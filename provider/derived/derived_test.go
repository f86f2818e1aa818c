package derived

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	"dashboard/provider"
)

func params(t *testing.T, program string) *Params {
	t.Helper()
	var r config.Report
	var p Params
	n := config.Parse("providers.yaml", []byte("value: !data '"+program+"'\n"), &r, nil)
	if !n.Decode(&p, &r, nil) {
		t.Fatal(r.Diagnostics())
	}
	return &p
}

// TestValue: the result changes with the values, errors and ages of the providers that the program reads.
func TestValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := provider.NewCell(nil), provider.NewCell(nil)
		find := func(name string) (*provider.Cell, bool) {
			c := map[string]*provider.Cell{"a": a, "b": b}[name]
			return c, c != nil
		}
		key, p, err := New(params(t, ".a.x + .b"), provider.Place{}, find, nil, []string{"a", "b"})
		if err != nil || !strings.HasPrefix(key, "derived ") || p.Kind() != "derived" {
			t.Fatal(key, err)
		}
		cell := provider.NewCell(nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); p.Run(ctx, cell) }()
		defer func() { cancel(); <-done }()
		began := time.Now()
		a.Promise(time.Minute)
		a.Publish(map[string]any{"x": 1}, began)
		b.Publish(2, began.Add(time.Second))
		synctest.Wait()
		if s := cell.Load(); s.Value != 3 || s.Err != nil || !s.At.Equal(began) || s.Interval != time.Minute {
			t.Errorf("got %+v", s)
		}
		b.Publish("x", began)
		synctest.Wait()
		if s := cell.Load(); s.Value != nil || s.Err == nil {
			t.Errorf("a program that fails: got %+v", s)
		}
		b.Publish(5, began)
		synctest.Wait()
		if s := cell.Load(); s.Value != 6 || s.Err != nil {
			t.Errorf("well again: got %+v", s)
		}
		a.Fail(errors.New("down"), time.Now())
		synctest.Wait()
		var up *provider.Upstream
		if s := cell.Load(); s.Value != 6 || !errors.As(s.Err, &up) {
			t.Errorf("a source that fails: got %+v", s)
		}
	})
}

func TestMistakes(t *testing.T) {
	none := func(string) (*provider.Cell, bool) { return nil, false }
	for program, want := range map[string]string{".wether": "is .weather meant", ".a[": "value: jq"} {
		if _, _, err := New(params(t, program), provider.Place{}, none, nil, []string{"weather"}); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "value: ") {
			t.Errorf("%s: got %v", program, err)
		}
	}
	if _, _, err := New(&Params{}, provider.Place{}, none, nil, nil); err == nil {
		t.Error("no program is taken for one")
	}
}

func TestOrder(t *testing.T) {
	all := map[string]Reader{
		"a": params(t, ".b + .plain"), "b": params(t, ".c"), "c": params(t, ".plain"), "whole": params(t, "keys"),
		"x": params(t, ".y"), "y": params(t, ".z | .x"), "z": params(t, "1"), "self": params(t, ".self"), "wrong": params(t, ".["),
	}
	all["y"] = params(t, ".z + .x")
	order, wrong := Order(all)
	if got := fmt.Sprint(order); got != "[c b a whole wrong z]" {
		t.Errorf("got %s", got)
	}
	for name, want := range map[string]string{"x": "it reads itself: x → y → x", "y": "it reads itself: x → y → x", "self": "self → self"} {
		if err := wrong[name]; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if len(wrong) != 3 {
		t.Errorf("got %v", wrong)
	}
}
