package extract

import (
	"fmt"
	"testing"
)

func TestLost(t *testing.T) {
	input := map[string]any{
		"shop": map[string]any{"items": []any{map[string]any{"name": "milk"}}, "none": nil, "a-b": map[string]any{"c": 1}},
		"item": map[string]any{"name": "milk"},
	}
	for _, tc := range []struct{ source, want string }{
		{".shop.items", ""},
		{".shop.itmes", ".shop itmes"},
		{".shop.itmes | map(.name)", ".shop itmes"},
		{".shop.items[0].nme", ".shop.items[0] nme"},
		{".shop.items[7].nme", ""},
		{".shop.none.x", ""},
		{`.shop["a-b"].d`, `.shop.["a-b"] d`},
		{`.["item"].nme`, ".item nme"},
		{".item | .nme", ".item nme"},
		{".item | objects | .nme", ""},
		{".item.nme // \"\"", ""},
		{".item.nme?", ""},
		{".item.nme? // 1", ""},
		{".item.nme == null", ""},
		{".item.nme == \"x\"", ".item nme"},
		{"(.item.nme + 1) * 2", ".item nme"},
		{`"\(.item.name) \(.item.nme)"`, ".item nme"},
		{"[.item.nme]", ".item nme"},
		{".shop.items[] | .nme", ""},
		{"map(.nme)", ""},
		{"if .item.nme then 1 else 2 end", ""},
	} {
		p, err := Compile(tc.source)
		if err != nil {
			t.Fatal(tc.source, err)
		}
		got := ""
		if l, ok := p.Lost(input); ok {
			got = fmt.Sprint(l.In, " ", l.Key)
		}
		if got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.source, got, tc.want)
		}
	}
}
