package sources

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/immich"
	"dashboard/provider/photos"
)

// TestAlbum: the list of an Immich server is an album. List waits until there is a list. If the server is unavailable, List returns an
// error.
func TestAlbum(t *testing.T) {
	const id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/thumbnail") {
			fmt.Fprint(w, "a picture")
			return
		}
		fmt.Fprintf(w, `[{"id":"%s","originalFileName":"a.jpg","localDateTime":"2022-05-15T10:30:00.000Z","exifInfo":{"city":"Lisboa"}}]`, id)
	}))
	_, server, err := immich.New(&immich.Params{URL: h.URL, Key: "k", UpdateInterval: 3600e9}, ask.Deps{Client: fetch.New(&fetch.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	a := &album{cell: provider.NewCell(nil), read: server.Preview, zone: time.UTC}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Run(ctx, a.cell) }()
	items, err := a.List(t.Context())
	want := photos.Item{ID: id, Name: "a.jpg", Place: "Lisboa", Taken: time.Date(2022, 5, 15, 10, 30, 0, 0, time.UTC)}
	if err != nil || len(items) != 1 || items[0] != want {
		t.Errorf("got %+v, %v", items, err)
	}
	data, release, err := a.Read(t.Context(), id, 1<<10)
	if err != nil || string(data) != "a picture" {
		t.Fatalf("got %q, %v", data, err)
	}
	release()
	cancel()
	<-done
	h.Close()
	if _, _, err := a.Read(t.Context(), id, 1<<10); !errors.Is(err, photos.ErrUnreached) {
		t.Errorf("without the read: .Preview%v", err)
	}
	a.cell = provider.NewCell(nil)
	a.cell.Fail(errors.New("no route"), time.Now())
	if _, err := a.List(t.Context()); err == nil || !strings.Contains(err.Error(), "no route") {
		t.Errorf("got %v", err)
	}
}
