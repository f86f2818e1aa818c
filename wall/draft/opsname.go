package draft

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/config/edit"
	"dashboard/theme/look"
)

// nameWord matches a provider name that a formula can contain without quotation marks.
var nameWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// rename renames a provider or a widget, and changes all uses of its name in the files.
func (x *txn) rename(op Op) error {
	if !nameWord.MatchString(op.To) {
		return fail(422, "a name has letters, digits and _, and begins with a letter")
	}
	c, err := x.doc(config.ProvidersName)
	if err != nil {
		return err
	}
	providers := c.doc.At("providers")
	provider := providers.Entry(op.From)
	if provider != nil && providers.Entry(op.To) != nil {
		return fail(422, "there is a provider '%s' already", op.To)
	}
	count := 0
	for _, name := range slices.Sorted(maps.Keys(x.t.files)) {
		n, err := x.renameIn(name, op, provider != nil)
		if err != nil {
			return err
		}
		count += n
	}
	if count == 0 {
		return fail(422, "there is no provider and no widget '%s'", op.From)
	}
	return nil
}

// renameIn renames all uses in one file and returns their number. It searches the file again after each replacement, because a
// replacement moves the text after it.
func (x *txn) renameIn(name string, op Op, provider bool) (count int, err error) {
	c, err := x.doc(name)
	if err != nil {
		return 0, nil // leave a file that cannot be parsed; the check reports that it uses the old name
	}
	for ; count < 10_000; count++ {
		n, text := nextUse(c.doc, op, provider)
		if n == nil {
			return count, nil
		}
		r, err := c.doc.Rename(n, text)
		if err := x.take(name, r, err); err != nil {
			return count, err
		}
	}
	return count, nil
}

// nextUse returns the first scalar in a file that contains the old name, and the scalar's new text.
func nextUse(d *edit.Document, op Op, provider bool) (found *edit.Node, text string) {
	program := regexp.MustCompile(`(^|[^A-Za-z0-9_.$"\])])\.` + regexp.QuoteMeta(op.From) + `\b`)
	d.Root.Walk(func(n *edit.Node) {
		if found != nil || n.Kind != edit.Scalar {
			return
		}
		switch {
		case n.Tag == "!data" && provider && program.MatchString(n.Value):
			found, text = n, program.ReplaceAllString(n.Value, "${1}."+op.To)
		case n.Value == op.From && n.Tag == "" && namesIt(n, provider):
			found, text = n, op.To
		}
	})
	return found, text
}

// namesIt reports whether a scalar can be the name of a provider or widget, or refer to such a name.
func namesIt(n *edit.Node, provider bool) bool {
	e := n.Parent
	if e == nil {
		return false
	}
	if e.Key == n {
		in := e.In.Parent
		return provider && in != nil && in.Key != nil && in.Key.Value == "providers" && in.In.Parent == nil
	}
	key := e.Key
	if key == nil && e.In.Parent != nil {
		key = e.In.Parent.Key
	}
	if key == nil {
		return false
	}
	if provider {
		return key.Value == "provider" || key.Value == "providers"
	}
	return e.Key != nil && (key.Value == "name" || key.Value == "page" || key.Value == "timer")
}

// token sets a token of the theme of the draft's view.
func (x *txn) token(op Op) error {
	if !nameWord.MatchString(op.Name) || !nameWord.MatchString(op.Section) {
		return fail(400, "'section' and 'name' are words, such as colors and accent")
	}
	path := op.Section + "." + op.Name
	if op.Mode != "" {
		path = op.Mode + "." + path
	}
	file, n, err := x.theme()
	if err != nil {
		return err
	}
	switch {
	case n == nil:
		return x.append(file, "theme", x.themeText("calm", op))
	case n.Kind == edit.Scalar && slices.Contains(look.Names(), n.Value):
		r, err := x.start(file).SetText(n, x.themeText(n.Value, op))
		return x.take(file, r, err)
	case n.Kind == edit.Scalar:
		if file = n.Value; x.t.files[file] == nil {
			return fail(422, "the theme %s is no file of this folder", file)
		}
		c, err := x.doc(file)
		if err != nil {
			return err
		}
		if c.doc.Root == nil {
			return x.append(file, op.Section, op.Name+": "+op.Value)
		}
		return x.setKey(file, c.doc.Root, op.Section+"."+op.Name, op.Value)
	}
	return x.setKey(file, n, path, op.Value)
}

// scale sets the factor for the size of all texts.
func (x *txn) scale(op Op) error {
	c, err := x.doc(config.ConfName)
	if err != nil {
		return err
	}
	if c.doc.Root == nil {
		return x.append(config.ConfName, "graphics", "text-scale: "+oneLine(op.Value))
	}
	return x.setKey(config.ConfName, c.doc.Root, "graphics.text-scale", op.Value)
}

// themeText returns the YAML of a theme block that sets one token. The parameter `from` is the built-in theme that the block extends.
func (x *txn) themeText(from string, op Op) string {
	inner := op.Section + ":\n  " + op.Name + ": " + oneLine(op.Value)
	if op.Mode != "" {
		inner = op.Mode + ":\n  " + strings.ReplaceAll(inner, "\n", "\n  ")
	}
	return "from: " + from + "\n" + inner
}

func (x *txn) append(file, key, text string) error {
	c, err := x.doc(file)
	if err != nil {
		return err
	}
	r, err := c.doc.Append(key, text)
	return x.take(file, r, err)
}

// theme returns the value of the key `theme` for the draft's view, and the name of its file. If no file sets a theme, the value is nil.
func (x *txn) theme() (file string, n *edit.Node, err error) {
	conf, err := x.doc(config.ConfName)
	if err != nil {
		return "", nil, err
	}
	if n := conf.doc.At("views").Get(x.t.View).Get("theme"); n != nil {
		return config.ConfName, n.Resolve(), nil
	}
	if n := conf.doc.At("theme"); n != nil {
		return config.ConfName, n.Resolve(), nil
	}
	name := x.t.widgetsFile()
	c, err := x.doc(name)
	if err != nil {
		return "", nil, err
	}
	return name, c.doc.At("theme").Resolve(), nil
}

// provider adds a provider. Do stores the secret that it needs.
func (x *txn) provider(op Op) error {
	d, err := edit.Parse("the new provider", []byte(op.YAML))
	one := err == nil && d.Root != nil && d.Root.Kind == edit.Map && len(d.Root.Entries) == 1
	if !one || !nameWord.MatchString(d.Root.Entries[0].Key.Value) {
		return fail(422, "a provider is one name with a mapping, such as weather: {type: weather}")
	}
	name := d.Root.Entries[0].Key.Value
	c, err := x.doc(config.ProvidersName)
	if err != nil {
		return err
	}
	list := c.doc.At("providers")
	if list.Entry(name) != nil {
		return fail(422, "there is a provider '%s' already", name)
	}
	if list == nil {
		return x.append(config.ProvidersName, "providers", op.YAML)
	}
	r, err := c.doc.Insert(list, len(list.Entries), name, d.Text(d.Root.Entries[0].Value))
	return x.take(config.ProvidersName, r, err)
}

// layout sets the columns, rows and areas of a layout.
func (x *txn) layout(op Op) error {
	set := func(prefix string, p Plan) error {
		for _, part := range []struct {
			key  string
			list []string
		}{{"columns", p.Columns}, {"rows", p.Rows}, {"areas", p.Areas}} {
			if part.list == nil {
				continue
			}
			s, err := x.find(op.Node)
			if err != nil {
				return err
			}
			if err := x.setKey(s.file, s.value, prefix+part.key, planText(part.key, part.list)); err != nil {
				return err
			}
		}
		return nil
	}
	if _, err := x.node(op.Node, op.Hash); err != nil {
		return err
	}
	if err := set("", Plan{op.Columns, op.Rows, op.Areas}); err != nil || op.Portrait == nil {
		return err
	}
	return set("portrait.", *op.Portrait)
}

// planText returns the YAML of the key columns, rows or areas of a layout.
func planText(key string, list []string) string {
	if key == "areas" {
		var b strings.Builder
		for _, l := range list {
			b.WriteString("- " + quotedWord(l) + "\n")
		}
		return cmp.Or(b.String(), "[]")
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// quotedWord returns a text in double quotation marks.
func quotedWord(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(s) + `"`
}

// widgetsFile returns the name of the file with the view's widgets.
func (t *Draft) widgetsFile() string {
	if f := t.files[config.ConfName]; f != nil && f.good != nil {
		if n := f.good.At("views").Get(t.View).Get("widgets"); n != nil && n.Value != "" {
			return n.Value
		}
	}
	return cmp.Or(t.editor.Folder().Widgets, "widgets.yaml")
}
