package dashboard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// mostLines bounds functions of what is shipped: a screenful.
const mostLines = 45

// TestExportedNamesAreDocumented: each has a comment that says what it is, alone or with those it is declared with. Functions of
// what is shipped are a screenful at most.
func TestExportedNamesAreDocumented(t *testing.T) {
	eachFile(t, func(path string) {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no comment", files.Position(name.Pos()), name.Name)
			}
			if n := files.Position(d.End()).Line - files.Position(d.Pos()).Line - 1; isFunc(d) && n > mostLines && !strings.HasPrefix(path, "tools") && !strings.Contains(path, "test/") {
				t.Errorf("%s: a function of %d lines", files.Position(d.Pos()), n)
			}
		}
	})
}

func isFunc(d ast.Decl) bool {
	_, is := d.(*ast.FuncDecl)
	return is
}

// undocumented are the exported names of a declaration that have no comment.
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

// receiver is the name of a method's type.
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
