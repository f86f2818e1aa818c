package file

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/testing/crowdtest"
	"dashboard/provider"
)

// A file whose value was refused is read again until there is room, although the file does not change.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		write(t, filepath.Join(dir, "a.txt"), "a value", time.Now().Add(-time.Hour))
		p, err := New(Params{Path: "a.txt"}, folder.Dir(dir))
		if err != nil {
			t.Fatal(err)
		}
		cell, free := crowdtest.Run(t, p)
		for range 2 {
			synctest.Wait()
			crowdtest.Check(t, cell)
			time.Sleep(provider.RefusedAgain + lookEvery)
		}
		free()
		time.Sleep(provider.RefusedAgain + lookEvery)
		synctest.Wait()
		if s := cell.Load(); s.Err != nil || s.Value != "a value" {
			t.Errorf("with room: got %v, %v", s.Value, s.Err)
		}
	})
}
