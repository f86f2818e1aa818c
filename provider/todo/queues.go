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

// Queues are the queues of a wall. They outlive the providers, so that no change is lost after a reload. A nil *Queues has no queues.
type Queues struct {
	dir string
	log *slog.Logger

	mu     sync.Mutex // guards the field `queues`
	queues map[string]*Queue
}

// NewQueues returns queues that store the changes of each list in a file of the folder `dir`. If `dir` is "", nothing is stored.
func NewQueues(dir string, log *slog.Logger) *Queues {
	return &Queues{dir: dir, log: log, queues: map[string]*Queue{}}
}

// Queue returns the queue of a list. `key` is the address of the list at its source. Each key has a separate queue and file. Queue returns
// ErrQueues if there are too many lists. It returns a nil queue if d is nil.
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

// maxFile is the maximum size of the file of a list, in bytes. A file with MaxChanges changes has at most 3 MB.
const maxFile = 8 << 20

// A noDisk stores nothing.
type noDisk struct{}

func (noDisk) Load() ([]byte, error) { return nil, fs.ErrNotExist }
func (noDisk) Save([]byte) error     { return nil }

// The type file is a Disk that stores the changes of a list in a file.
type file struct{ dir, name string }

// Load implements Disk.
func (f file) Load() ([]byte, error) {
	return folder.Read(folder.Dir(f.dir), f.name, maxFile)
}

// Save implements Disk.
func (f file) Save(data []byte) error { return state.Replace(filepath.Join(f.dir, f.name), data) }

// The type kept is the form in which a queue is stored.
type kept struct {
	Changes []Change
	Ticks   []Tick
	Added   []Addition `json:",omitempty"`
}

// save stores the changes. If the disk fails, the changes stay in memory. mu must be held.
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

// load restores the stored changes.
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
