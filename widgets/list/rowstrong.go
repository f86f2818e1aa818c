package list

import (
	"dashboard/config"
	"dashboard/config/value"
	"dashboard/widgets/kit"
)

// bolder returns the weight of texts in bold rows. The parameter is the weight of values in other rows.
func bolder(weight int) int { return min(max(600, weight+100), 900) }

// faces are the faces of the texts and values of a row. Bold faces have the same sizes. The face `small` is for content that does not fit
// in the usual face. The face `slim` is for texts in rows with two lines.
type faces struct{ body, strong, small, slim kit.Face }

// newFaces creates faces with a weight for texts and a weight for values. The parameter `step` is the number of styles by which the text is
// larger than usual.
func newFaces(b *kit.Builder, step, text, value int) faces {
	body, label := b.Look.Styles["body"], b.Look.Styles["label"]
	plain, strong := body, body
	plain.Weight, strong.Weight, label.Weight = text, value, value
	f := faces{body: b.Risen("body", plain, step), strong: b.Risen("body", strong, step), small: b.Risen("label", label, step)}
	f.slim = f.small
	return f
}

// of returns the faces of a row.
func (k *rowLook) of(v *rowValues) *faces {
	if v.bold() {
		return &k.bold
	}
	return &k.faces
}

// bold reports whether the condition `strong` of the row is true.
func (r *rowValues) bold() bool { return r.has[partStrong] && kit.Truth(r.v[partStrong]) }

// checkEntry reports conditions of entries that are not programs.
func checkEntry(s *kit.Spec, item *RowItem) {
	for _, c := range []struct {
		key string
		*value.Condition
	}{{"when", item.When}, {"strong", item.Strong}} {
		if c.Condition != nil && c.Program == nil {
			s.Errorf("item", "%s of an entry is a program: %s: !data .item.NAME", c.key, c.key)
		}
	}
}

// askCondition calls the function `ask` for the program of a condition.
func askCondition(ask func(int, *config.Node), part int, c *value.Condition) {
	if c != nil && c.Program != nil {
		ask(part, c.Program)
	}
}
