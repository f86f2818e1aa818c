package dashboard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Limits for the code in files that are not tests.
const (
	mostLines  = 45   // maximum lines of a function, about one screen
	mostMedian = 9    // maximum median length of all functions, in lines
	mostTools  = 9820 // maximum lines of all files below tools
)

// TestExportedNamesAreDocumented: each exported name has a comment, or its group has a comment. Functions fit on a screen, and most are
// much shorter. The tools have at most mostTools lines.
func TestExportedNamesAreDocumented(t *testing.T) {
	var lengths []int
	tools := 0
	eachFile(t, func(path string) {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(filepath.ToSlash(path), "tools/") {
			tools += files.File(f.Pos()).LineCount()
		}
		for _, d := range f.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no comment", files.Position(name.Pos()), name.Name)
			}
			if _, is := d.(*ast.FuncDecl); !is {
				continue
			}
			n := max(files.Position(d.End()).Line-files.Position(d.Pos()).Line-1, 1) // without the first line and the closing brace
			if lengths = append(lengths, n); n > mostLines {
				t.Errorf("%s: a function of %d lines", files.Position(d.Pos()), n)
			}
		}
	})
	slices.Sort(lengths)
	if median := lengths[len(lengths)/2]; median > mostMedian {
		t.Errorf("of %d functions the one in the middle has %d lines, want %d at most", len(lengths), median, mostMedian)
	}
	if tools > mostTools {
		t.Errorf("tools have %d lines, want %d at most", tools, mostTools)
	}
	t.Logf("%d functions, the one in the middle of %d lines, the longest of %d; tools of %d lines", len(lengths), lengths[len(lengths)/2], lengths[len(lengths)-1], tools)
}

// undocumented returns the exported names of a declaration that have no comment.
func undocumented(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || receiver(d.Recv.List[0].Type).IsExported()) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						names = append(names, n)
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x
		}
	}
}
