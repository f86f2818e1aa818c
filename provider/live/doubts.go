package live

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/spelling"
)

// maxKeys is the maximum number of keys that a message lists.
const maxKeys = 12

// errNoText is the reason for a list whose entries have nothing to show.
var errNoText = errors.New("no entry has anything to show")

// Doubts lists the programs that fail, and the programs that read a key which the present values do not have. It omits programs whose
// sources fail or have no value yet.
func (p *Programs) Doubts() []Problem {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx, now := context.Background(), p.now() // p.mu is locked, so no other run is in progress
	var all []Problem
	for _, n := range p.programs {
		if err := p.doubt(ctx, n, now); err != nil {
			all = append(all, Problem{n.place, n.code.String(), err})
		}
	}
	return all
}

// doubt returns the mistake in a program, or nil.
func (p *Programs) doubt(ctx context.Context, n *program, now time.Time) error {
	in := p.input(n, now)
	if len(in.values) == 0 && len(n.reads) > 0 || in.waits || in.err != nil {
		return nil
	}
	for _, e := range n.in {
		if loss, ok := e.Items.Lost(in.values); ok {
			return missing(loss)
		}
		if there, err := enter(ctx, []Entry{e}, in.values); !there {
			return err
		}
	}
	if loss, ok := n.code.Lost(in.values); ok {
		return missing(loss)
	}
	if n.rows != nil && n.failed == nil {
		return n.rows.doubt(ctx, n.code, in.values)
	}
	return n.failed
}

// doubt returns the mistake in the programs for the entries of a list, or nil. A key counts as missing only if no entry has the key. If
// no program returns anything to show, the error wraps errNoText.
func (r *rows) doubt(ctx context.Context, items *extract.Program, input map[string]any) error {
	v, err := items.Run(ctx, input)
	list, ok := v.([]any)
	if err != nil || !ok || len(list) == 0 {
		return err
	}
	list = list[:min(len(list), r.most)]
	lost, shown := map[int]extract.Loss{}, false
	for f, code := range r.fields {
		n := 0
		for i, entry := range list {
			input[Item], input[Index] = entry, i
			if loss, is := code.Lost(input); is {
				lost[f] = loss
				n++
			}
			value, err := code.Run(ctx, input)
			shown = shown || err == nil && value != nil && value != ""
		}
		if n == len(list) {
			return fmt.Errorf("item: !data %s: %w", code, missing(lost[f]))
		}
	}
	if shown || len(r.fields) == 0 {
		return nil
	}
	if m, is := list[0].(map[string]any); is {
		return fmt.Errorf("%w: write item: {text: !data .item.KEY} with one of its keys: %s", errNoText, keyList(extract.KeysOf(m)))
	}
	return errNoText
}

// missing() returns an error about a key that a value does not have.
func missing(l extract.Loss) error {
	in := "." // the value in which the key is missing
	if l.In != "" {
		in = l.In
	}
	if l.Text != nil {
		return fmt.Errorf("%s is a text and has no key '%s': %s", in, l.Key, textKind(*l.Text))
	}
	hint := "it has no keys"
	if len(l.Keys) > 0 {
		hint = "it has " + keyList(l.Keys)
	}
	if near := spelling.Nearest(l.Key, l.Keys); near != "" {
		hint += fmt.Sprintf("; is '%s' meant?", near)
	}
	return fmt.Errorf("%s has no key '%s': %s", in, l.Key, hint)
}

// excerptRunes is the number of characters of a text that a message shows.
const excerptRunes = 40

// maxTextStart is the number of bytes at the beginning of a text that are examined.
const maxTextStart = 512

// textKind describes a text that was found where data was expected.
func textKind(s string) string {
	start := strings.Join(strings.Fields(s[:min(len(s), maxTextStart)]), " ")
	low := strings.ToLower(start[:min(len(start), 16)])
	kind := "it is"
	switch {
	case start == "":
		return "it is empty"
	case strings.HasPrefix(low, "<!doctype html"), strings.HasPrefix(low, "<html"):
		kind = "it is a web page instead of data"
	case start[0] == '{' || start[0] == '[':
		kind = "it is broken JSON"
	}
	if r := []rune(start); len(r) > excerptRunes {
		start = string(r[:excerptRunes]) + "…"
	}
	return kind + ": " + strconv.Quote(start)
}

// keyList returns the keys as text. If there are many keys, it names only the first keys.
func keyList(keys []string) string {
	if len(keys) > maxKeys {
		return strings.Join(keys[:maxKeys], ", ") + fmt.Sprintf(" and %d more", len(keys)-maxKeys)
	}
	return strings.Join(keys, ", ")
}
