package draft

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"io"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"dashboard/config"
	"dashboard/config/edit"
	"dashboard/internal/state"
)

const (
	// keptKind is the kind of the file in the state folder that contains the drafts with changes.
	keptKind = "drafts"
	// keepDelay is the maximum time between a change of a draft and its storage. The delay limits the number of writes to the memory
	// card.
	keepDelay = 2 * time.Second
	// maxKept is the maximum size of the unpacked stored drafts, in bytes. Each draft has up to three texts of each file, and its steps.
	maxKept = 6 * MaxDrafts * (maxTotal + maxKeptSteps)
	// laterRevisions is added to the revision of a restored draft, because a page may have seen revisions that were not stored.
	laterRevisions = 1000
)

// A keptDraft is a draft in the state folder.
type keptDraft struct {
	ID       string              `json:"id"`
	View     string              `json:"view"`
	Revision int                 `json:"revision"`
	Saved    int                 `json:"saved"` // number of undo steps at the last save; negative if this step is not stored
	Changed  time.Time           `json:"changed"`
	LastID   int                 `json:"last_id"`
	Nodes    map[string]keptNode `json:"nodes"`
	Files    map[string]keptFile `json:"files"`
	Undo     []step              `json:"undo,omitempty"`
	Redo     []step              `json:"redo,omitempty"`
}

// A keptNode is the position of a node. The ids of the nodes are stored too, because an open page refers to nodes by their ids.
type keptNode struct {
	File  string `json:"file"`
	Start int    `json:"start"`
}

// A keptFile is a file of a stored draft.
type keptFile struct {
	Base  string  `json:"base"`
	There bool    `json:"there"`
	Work  *string `json:"work,omitempty"` // working text, or nil if it is the same as Base
	Good  *string `json:"good,omitempty"` // last valid text, if the working text is not valid YAML
}

// keeping is the state of the storage of drafts.
type keeping struct {
	writing sync.Mutex // locked while the drafts are stored. It guards the next two fields
	stored  []byte     // stored data, or nil if no drafts are stored
	failed  bool       // true if the last attempt to store the drafts has failed. The next failure is then not logged

	mu    sync.Mutex // guards the fields below. A goroutine that holds mu takes no other lock
	timer *time.Timer
	ended bool
}

// keepSoon stores the drafts after keepDelay.
func (d *Editor) keepSoon() {
	k := &d.keeping
	k.mu.Lock()
	defer k.mu.Unlock()
	if d.Store == nil || k.ended || k.timer != nil {
		return
	}
	k.timer = time.AfterFunc(keepDelay, func() {
		k.mu.Lock()
		k.timer = nil
		k.mu.Unlock()
		d.keep()
	})
}

// End stores the drafts for the next start. Later changes are not stored.
func (d *Editor) End() {
	k := &d.keeping
	k.mu.Lock()
	k.ended = true
	if k.timer != nil {
		k.timer.Stop()
	}
	k.mu.Unlock()
	d.keep()
}

// keep() stores the drafts that have changes. If there are none, it removes the stored drafts.
func (d *Editor) keep() {
	k := &d.keeping
	k.writing.Lock()
	defer k.writing.Unlock()
	d.mu.Lock()
	drafts := slices.Clone(d.drafts)
	d.mu.Unlock()
	var list []keptDraft
	for _, t := range drafts {
		if one, ok := t.kept(); ok {
			list = append(list, one)
		}
	}
	data, err := packed(list)
	if len(data) > state.MaxFile { // drop the steps to make the data smaller, because the changes are more important
		for i := range list {
			list[i].dropSteps()
		}
		data, err = packed(list)
	}
	if err == nil && bytes.Equal(data, k.stored) {
		return
	}
	if err == nil && data == nil {
		err = d.Store.Remove(keptKind, d.Home)
	} else if err == nil {
		err = d.Store.Save(keptKind, d.Home, data)
	}
	if err != nil && !k.failed {
		d.Log.Warn("the drafts of the editor are not kept for the next start", "reason", err)
	}
	if k.failed = err != nil; !k.failed {
		k.stored = data
	}
}

// packed() returns the data of stored drafts, or nil if there are none.
func packed(list []keptDraft) ([]byte, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := json.NewEncoder(z).Encode(list); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

// kept() returns the draft in the form in which it is stored. It returns false if the draft has no changes, or if one of its texts is not
// UTF-8.
func (t *Draft) kept() (keptDraft, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.open() || t.changes() == 0 {
		return keptDraft{}, false
	}
	one := keptDraft{
		ID: t.ID, View: t.View, Revision: t.revision, Changed: t.changed, LastID: t.lastID,
		Nodes: map[string]keptNode{}, Files: map[string]keptFile{},
	}
	for id, k := range t.nodes {
		one.Nodes[id] = keptNode{k.file, k.start}
	}
	for name, f := range t.files {
		if !utf8.Valid(f.base) || !utf8.Valid(f.work) {
			return one, false
		}
		file := keptFile{Base: string(f.base), There: f.there}
		if work := string(f.work); f.changed() {
			file.Work = &work
		}
		if f.wrong != nil && f.good != nil {
			good := string(f.good.Bytes)
			file.Good = &good
		}
		one.Files[name] = file
	}
	one.keepSteps(t)
	return one, true
}

// Reopen opens the stored drafts again. The views must be shown already, because the memory of a draft depends on the size of its view.
func (d *Editor) Reopen() {
	data, ok := d.Store.Load(keptKind, d.Home)
	if !ok {
		return
	}
	var list []keptDraft
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		var text []byte
		if text, err = io.ReadAll(io.LimitReader(z, maxKept)); err == nil { // reads to the end, where the checksum is
			err = json.Unmarshal(text, &list)
		}
	}
	if err != nil {
		d.Log.Warn("the stored drafts of the editor cannot be read", "reason", err)
		list = nil
	}
	d.keeping.writing.Lock()
	d.keeping.stored = data
	d.keeping.writing.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, k := range list {
		if len(d.drafts) >= MaxDrafts || !slices.Contains(d.Views(), k.View) {
			continue
		}
		one := d.restored(k)
		if one == nil || d.build.Memory.Kept.Change(0, one.size) != nil {
			continue
		}
		one.writable = d.whyReadOnly() == ""
		d.drafts = append(d.drafts, one)
	}
	d.watch()
	d.keepSoon() // removes from the store the drafts that could not be opened
}

// restored() returns a stored draft. If the stored draft is not valid, it returns nil.
func (d *Editor) restored(k keptDraft) *Draft {
	w, h := d.Size(k.View)
	one := &Draft{
		editor: d, ID: k.ID, View: k.View, used: d.Now(), size: frames(w, h), nodes: map[string]nodeKey{}, files: map[string]*file{},
		revision: k.Revision + laterRevisions, changed: k.Changed, lastID: k.LastID,
	}
	for name, f := range k.Files {
		if !editable(name) || len(one.files) >= maxFiles {
			return nil
		}
		next := newFile(name, []byte(f.Base), f.There)
		if f.Good != nil {
			next.good = document(name, []byte(*f.Good))
		}
		if f.Work != nil || f.Good != nil {
			work := []byte(*cmp.Or(f.Work, &f.Base))
			next.set(work, edit.Diff(document(name, next.base), work))
		}
		one.files[name] = next
	}
	for _, name := range []string{config.ConfName, config.ProvidersName} {
		if one.files[name] == nil {
			one.files[name] = newFile(name, nil, false)
		}
	}
	for id, n := range k.Nodes {
		one.nodes[id] = nodeKey{n.File, n.Start}
	}
	one.restoreSteps(k)
	return one
}
