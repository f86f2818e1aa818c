package wall

import (
	"context"
	"path/filepath"
	"time"

	"dashboard/config"
	"dashboard/wall/reload"

	"github.com/fsnotify/fsnotify"
)

// watched() reports whether saved files are reloaded automatically.
func watched(o *Options, c *config.Conf) bool {
	if c.Reload != nil {
		return *c.Reload == "watch"
	}
	return o.Watch
}

// watch requests a reload when a file of the configuration has changed, until ctx ends. If the system cannot watch files, watch does
// nothing, and reloads are still possible by request.
func (s *Service) watch(ctx context.Context) {
	for !s.watching.Load() {
		select {
		case <-ctx.Done():
			return
		case <-s.rewatch:
		}
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		s.log.Info("saved files are not reloaded automatically; use 'dashboard reload'", "reason", err)
		return
	}
	defer w.Close()
	root := s.opts.Home
	reload.Add(w, root)
	seen := s.seen
	settled, sync := time.NewTimer(0), time.NewTicker(reload.SyncTime)
	defer settled.Stop()
	defer sync.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-w.Events:
			if reload.YamlFile(e.Name) || filepath.Ext(e.Name) == "" || e.Name == root {
				settled.Reset(reload.SettleTime)
			}
		case <-w.Errors: // some events were lost, so compare all files
			settled.Reset(reload.SettleTime)
		case <-sync.C:
			if reload.Add(w, root) {
				settled.Reset(reload.SettleTime)
			}
		case <-settled.C:
			reload.Add(w, root)
			if now := reload.Fingerprint(root); now != seen && s.watching.Load() {
				seen = now
				s.askReload()
			}
		}
	}
}
