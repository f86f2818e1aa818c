package todo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/state"
)

// Queues are the queues of a wall. They outlive its providers, so that a reload loses no change. A nil *Queues has none.
type Queues struct {
	dir string
	log *slog.Logger

	mu     sync.Mutex // guards queues
	queues map[string]*Queue
}

// NewQueues returns queues that keep the changes of each list in a file of a folder. "" keeps nothing.
func NewQueues(dir string, log *slog.Logger) *Queues {
	return &Queues{dir: dir, log: log, queues: map[string]*Queue{}}
}

// Queue returns the queue of a list. The key is the address of the list at its source. Another key is another list with another
// file. Queue returns ErrQueues if there are too many lists, and a nil queue if d is nil.
func (d *Queues) Queue(key string) (*Queue, error) {
	if d == nil {
		return nil, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.queues[key]; q != nil {
		return q, nil
	}
	if len(d.queues) >= MaxQueues {
		return nil, ErrQueues
	}
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:16])
	disk := Disk(noDisk{})
	if d.dir != "" {
		disk = file{d.dir, name + ".json"}
	}
	q := NewQueue(name[:8], disk, d.log)
	d.queues[key] = q
	return q, nil
}

// maxFile bounds the file of a list, in bytes. MaxChanges of the largest changes take 3 MB.
const maxFile = 8 << 20

// noDisk keeps nothing.
type noDisk struct{}

func (noDisk) Load() ([]byte, error) { return nil, fs.ErrNotExist }
func (noDisk) Save([]byte) error     { return nil }

// A file keeps the changes of a list.
type file struct{ dir, name string }

// Load implements Disk.
func (f file) Load() ([]byte, error) {
	return folder.Read(folder.Dir(f.dir), f.name, maxFile)
}

// Save implements Disk.
func (f file) Save(data []byte) error { return state.Replace(filepath.Join(f.dir, f.name), data) }

// kept is the saved form of a queue.
type kept struct {
	Changes []Change
	Ticks   []Tick
	Added   []Addition `json:",omitempty"`
}

// save saves the changes. If that fails, they stay in memory. The caller holds q.mu.
func (q *Queue) save() {
	k := kept{Changes: make([]Change, len(q.all)), Ticks: q.ticks, Added: q.added}
	for i, p := range q.all {
		k.Changes[i] = p.Change
	}
	data, err := json.Marshal(k)
	if err == nil {
		err = q.disk.Save(data)
	}
	if err != nil && !q.unkept {
		q.log.Warn("changes of tasks are not kept for the next start", "reason", err)
	}
	q.unkept = err != nil
}

// load restores the saved changes.
func (q *Queue) load() {
	data, err := q.disk.Load()
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var k kept
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	if err != nil {
		q.log.Warn("changes of tasks of the last run are lost", "reason", err)
		return
	}
	q.ticks, q.added = k.Ticks[max(0, len(k.Ticks)-MaxTicks):], k.Added[:min(len(k.Added), maxAdded)]
	for _, c := range k.Changes[:min(len(k.Changes), MaxChanges)] {
		p := &pending{Change: c}
		if c.Problem != "" {
			p.until = time.Now().Add(problemTime)
		}
		q.all = append(q.all, p)
	}
	token(q.work)
}
