package draft

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"dashboard/schema"
	"dashboard/server"
)

// Edit implements server.Editor.
func (d *Editor) Edit(ctx context.Context, c server.EditCall) (server.EditAnswer, error) {
	run := calls[c.Verb]
	if run == nil {
		return server.EditAnswer{}, &server.EditError{Status: 404, Text: "there is nothing here"}
	}
	a, err := run(d, ctx, c)
	if own := (*Error)(nil); errors.As(err, &own) {
		return a, &server.EditError{Status: own.Status, Text: own.Text, More: own.More}
	}
	if err != nil {
		return a, &server.EditError{Status: 500, Text: err.Error()}
	}
	return a, nil
}

type call func(*Editor, context.Context, server.EditCall) (server.EditAnswer, error)

// calls contains the handlers of the editor's requests, by name.
var calls = map[string]call{
	"summary": (*Editor).summary, "open": (*Editor).open, "versions": (*Editor).versions, "version": (*Editor).version,
	"restore": (*Editor).restore, "undo-version": (*Editor).undoVersion, "secrets": (*Editor).secretNames, "secret": (*Editor).setSecret,
	"schema": (*Editor).schema, "test": (*Editor).test, "gallery": (*Editor).gallery, "gallery-picture": (*Editor).galleryPicture,
	"state": onDraft(func(*Draft, server.EditCall) (a server.EditAnswer, err error) { return a, nil }, true),
	"close": (*Editor).closeDraft, "icons": (*Editor).icons, "homes": (*Editor).homes,
	"connections": (*Editor).connections, "connect": (*Editor).connect, "paste": (*Editor).paste, "connected": (*Editor).connected,
	"ops": onDraft(func(t *Draft, c server.EditCall) (server.EditAnswer, error) {
		var in struct {
			Ops   []Op   `json:"ops"`
			Joins string `json:"joins"`
		}
		if err := decode(c.Body, &in); err != nil {
			return server.EditAnswer{}, err
		}
		return server.EditAnswer{}, t.Do(in.Ops, in.Joins)
	}, true),
	"undo":    onDraft(func(t *Draft, _ server.EditCall) (server.EditAnswer, error) { return server.EditAnswer{}, t.Undo() }, true),
	"redo":    onDraft(func(t *Draft, _ server.EditCall) (server.EditAnswer, error) { return server.EditAnswer{}, t.Redo() }, true),
	"picture": onDraft(picture, false), "file": onDraft(getFile, false), "put-file": onDraft(putFile, true), "diff": onDraft(diff, false),
	"zip": onDraft(zipped, false), "apply": onDraft(apply, false), "resolve": onDraft(resolve, true), "values": onDraft(values, false),
	"eval": onDraft(eval, false), "places": onDraft(places, false), "theme": onDraft(themeOf, false),
}

// onDraft returns a handler for requests about a draft. The handler finds the draft and calls `run` with the draft. If `state` is true
// and the answer has no fields, the handler answers with the draft's state.
func onDraft(run func(*Draft, server.EditCall) (server.EditAnswer, error), state bool) call {
	return func(d *Editor, _ context.Context, c server.EditCall) (server.EditAnswer, error) {
		t, err := d.Find(c.ID)
		if err != nil {
			return server.EditAnswer{}, err
		}
		a, err := run(t, c)
		if err != nil || !state || a.Fields != nil {
			return a, err
		}
		if err := t.Sync(); err != nil {
			return a, err
		}
		a.Fields, err = t.State()
		return a, err
	}
}

// decode decodes the JSON body of a request.
func decode(body []byte, into any) error {
	r := json.NewDecoder(bytes.NewReader(body))
	r.DisallowUnknownFields()
	if err := r.Decode(into); err != nil {
		return fail(400, "the body is not the JSON object that is wanted here: %v", err)
	}
	return nil
}

func ok(v map[string]any) (server.EditAnswer, error) { return server.EditAnswer{Fields: v}, nil }

func (d *Editor) summary(_ context.Context, _ server.EditCall) (server.EditAnswer, error) {
	views, drafts := []map[string]any{}, []map[string]any{}
	for _, name := range d.Views() {
		w, h := d.Size(name)
		views = append(views, map[string]any{"name": name, "width": w, "height": h})
	}
	for _, t := range d.List() {
		drafts = append(drafts, map[string]any{"id": t.ID, "view": t.View, "changes": t.Changes(), "idle_s": int(t.Idle().Seconds())})
	}
	why := d.whyReadOnly()
	return ok(map[string]any{"may": true, "why": why, "read_only": why != "", "views": views, "drafts": drafts, "name": d.Name()})
}

func (d *Editor) open(_ context.Context, c server.EditCall) (server.EditAnswer, error) {
	var in struct {
		View string `json:"view"`
	}
	if err := decode(c.Body, &in); err != nil {
		return server.EditAnswer{}, err
	}
	t, err := d.Open(in.View)
	if err != nil {
		return server.EditAnswer{}, err
	}
	state, err := t.State()
	return server.EditAnswer{Status: 201, Fields: state}, err
}

func (d *Editor) closeDraft(_ context.Context, c server.EditCall) (server.EditAnswer, error) {
	d.Close(c.ID)
	return server.EditAnswer{Status: 204}, nil
}

func (d *Editor) versions(context.Context, server.EditCall) (server.EditAnswer, error) {
	list, size := d.Saves()
	return ok(map[string]any{"versions": list, "size": size, "most": maxVersionBytes})
}

// number returns the number of a version in the path of a request.
func number(c server.EditCall) int {
	n, _ := strconv.Atoi(c.ID) // after an error n is 0, which is never the number of a version
	return n
}

func (d *Editor) version(_ context.Context, c server.EditCall) (server.EditAnswer, error) {
	v, err := d.Save(number(c))
	return server.EditAnswer{Fields: v}, err
}

func (d *Editor) restore(_ context.Context, c server.EditCall) (server.EditAnswer, error) {
	v, err := d.Restore(number(c), c.Caller)
	return server.EditAnswer{Fields: v}, err
}

func (d *Editor) undoVersion(_ context.Context, c server.EditCall) (server.EditAnswer, error) {
	in := chosen{}
	if len(c.Body) > 0 {
		if err := decode(c.Body, &in); err != nil {
			return server.EditAnswer{}, err
		}
	}
	for range applyTries {
		next, base, err := d.UndoSave(number(c), in.Choices)
		if err != nil {
			return server.EditAnswer{}, err
		}
		if in.Check {
			return ok(d.checked(d.Folder(), next))
		}
		if v, err := d.saveChecked(next, base, c.Caller); !errors.Is(err, ErrChanged) {
			return server.EditAnswer{Fields: v}, err
		}
	}
	return server.EditAnswer{}, busy()
}

func (d *Editor) secretNames(context.Context, server.EditCall) (server.EditAnswer, error) {
	list, err := d.SecretNames()
	return server.EditAnswer{Fields: map[string]any{"secrets": list}}, err
}

func (d *Editor) setSecret(_ context.Context, c server.EditCall) (server.EditAnswer, error) {
	var in SecretToStore
	if err := decode(c.Body, &in); err != nil {
		return server.EditAnswer{}, err
	}
	return server.EditAnswer{Status: 204}, d.SetSecret(in.Name, in.Value)
}

// schemas contains the names of the JSON schemas that the page may read.
var schemas = map[string]bool{"widgets": true, "conf": true, "providers": true, "theme": true}

func (d *Editor) schema(_ context.Context, c server.EditCall) (server.EditAnswer, error) {
	if !schemas[c.ID] {
		return server.EditAnswer{}, fail(404, "there is no schema '%s'", c.ID)
	}
	data, err := schema.Read(c.ID + ".json")
	return server.EditAnswer{Body: data, Type: "application/schema+json"}, err
}

func picture(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	q := c.Query
	width, err := side(q, "width")
	if err != nil {
		return server.EditAnswer{}, err
	}
	height, err := side(q, "height")
	if err != nil {
		return server.EditAnswer{}, err
	}
	if data := q.Get("data"); data != "" && data != "live" && data != "sample" {
		return server.EditAnswer{}, fail(400, "'data' is live or sample")
	}
	if theme := q.Get("theme"); theme != "" && theme != "day" && theme != "night" {
		return server.EditAnswer{}, fail(400, "'theme' is day or night")
	}
	shot := Shot{
		Theme: q.Get("theme"), Width: width, Height: height, Effect: q.Get("effect"), Sample: q.Get("data") == "sample", Widget: q.Get("widget"),
	}
	if len(shot.Widget) > maxWidget {
		return server.EditAnswer{}, fail(413, "'widget' has at most %d bytes", maxWidget)
	}
	png, err := t.Picture(shot)
	return server.EditAnswer{Body: png, Type: "image/png"}, err
}

func side(q url.Values, name string) (int, error) {
	n, err := strconv.Atoi(cmp.Or(q.Get(name), "0"))
	if err != nil || n < 0 || n > maxSide || n > 0 && n < 32 {
		return 0, fail(400, "'%s' is 32 to %d", name, maxSide)
	}
	return n, nil
}

func getFile(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	v, err := t.File(c.Query.Get("name"))
	return server.EditAnswer{Fields: v}, err
}

func putFile(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	var in struct {
		Text string `json:"text"`
		Hash string `json:"hash"`
	}
	if err := decode(c.Body, &in); err != nil {
		return server.EditAnswer{}, err
	}
	return server.EditAnswer{}, t.SetFile(c.Query.Get("name"), in.Text, in.Hash)
}

func diff(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	if strings.Contains(c.Accept, "text/x-diff") {
		return server.EditAnswer{Body: t.Unified(), Type: "text/x-diff; charset=utf-8", File: "changes.diff"}, nil
	}
	return ok(map[string]any{"files": t.Diff()})
}

func zipped(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	all, name := c.Query.Get("all") == "1", "changes.zip"
	if all {
		name = "wall.zip"
	}
	data, err := t.Zip(all)
	return server.EditAnswer{Body: data, Type: "application/zip", File: name}, err
}

func apply(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	var in struct {
		Accept []string `json:"accept"`
	}
	if err := decode(c.Body, &in); err != nil {
		return server.EditAnswer{}, err
	}
	v, err := t.Apply(in.Accept, c.Caller)
	return server.EditAnswer{Fields: v}, err
}

// `chosen` is the body of a request that resolves conflicts.
type chosen struct {
	Choices []Choice `json:"choices"`
	Check   bool     `json:"check"` // true to check the result without a change
}

func resolve(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	in := chosen{}
	if err := decode(c.Body, &in); err != nil {
		return server.EditAnswer{}, err
	}
	if in.Check {
		v, err := t.CheckChoices(in.Choices)
		return server.EditAnswer{Fields: v}, err
	}
	return server.EditAnswer{}, t.Resolve(in.Choices)
}

func values(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	days, err := strconv.Atoi(cmp.Or(c.Query.Get("days"), strconv.Itoa(usualDays)))
	if err != nil {
		return server.EditAnswer{}, fail(400, "days is not a whole number")
	}
	v, err := t.Values(c.Query.Get("path"), days)
	return server.EditAnswer{Fields: v}, err
}

func eval(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	var in struct {
		Program string `json:"program"`
	}
	if err := decode(c.Body, &in); err != nil {
		return server.EditAnswer{}, err
	}
	v, err := t.Eval(in.Program)
	return server.EditAnswer{Fields: v}, err
}

func places(t *Draft, c server.EditCall) (server.EditAnswer, error) {
	v, err := t.Places(c.Query.Get("move"), c.Query.Get("add"))
	return server.EditAnswer{Fields: v}, err
}

func themeOf(t *Draft, _ server.EditCall) (server.EditAnswer, error) {
	v, err := t.Theme()
	return server.EditAnswer{Fields: v}, err
}
