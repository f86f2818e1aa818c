package dashboard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// changing lists the package variables that may change, with the reason.
var changing = map[string]string{
	"config.described": "a cache by Go type, of which there are as many as the code has",
}

// Package variables of shipped code do not change. A service owns the data that changes, so two services or two tests share no data. A
// variable can change if a function assigns a value to it. It can also change if its type contains a channel or a type of sync, atomic,
// semaphore or rate. sync.OnceValue does not count.
func TestVariablesDoNotChange(t *testing.T) {
	used := map[string]bool{}
	packages := map[string][]*ast.File{}
	eachFile(t, func(path string) {
		pkg := filepath.ToSlash(filepath.Dir(path))
		if strings.HasPrefix(pkg, "tools") || strings.HasPrefix(pkg, "internal/testing") || strings.HasSuffix(pkg, "test") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		packages[pkg] = append(packages[pkg], f)
	})
	for pkg, files := range packages {
		owner := map[string]bool{}
		types := typesOf(files)
		for _, v := range variables(files) {
			for _, name := range v.Names {
				owner[name.Name] = true
				if holdsState(v, types) {
					report(t, used, pkg+"."+name.Name)
				}
			}
		}
		for _, name := range assigned(files, owner) {
			report(t, used, pkg+"."+name)
		}
	}
	for name, why := range changing {
		if !used[name] {
			t.Errorf("%s is in the list (%s) and does not change", name, why)
		}
	}
}

func report(t *testing.T, used map[string]bool, name string) {
	t.Helper()
	if used[name] = true; changing[name] == "" {
		t.Errorf("%s is a package variable that changes; the service must own it", name)
	}
}

// variables returns the declarations of package variables.
func variables(files []*ast.File) (all []*ast.ValueSpec) {
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					all = append(all, s.(*ast.ValueSpec))
				}
			}
		}
	}
	return all
}

// typesOf returns the types of a package, and the type of the first result of each function, by name.
func typesOf(files []*ast.File) map[string]ast.Expr {
	all := map[string]ast.Expr{}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok {
						all[ts.Name.Name] = ts.Type
					}
				}
			case *ast.FuncDecl:
				if d.Recv == nil && d.Type.Results != nil && len(d.Type.Results.List) > 0 {
					all[d.Name.Name] = d.Type.Results.List[0].Type
				}
			}
		}
	}
	return all
}

// holdsState reports whether a variable can change without an assignment, because of its type or of the type of its value.
func holdsState(v *ast.ValueSpec, types map[string]ast.Expr) bool {
	if v.Names[0].Name == "_" {
		return false
	}
	seen := map[string]bool{}
	if v.Type != nil {
		return changes(v.Type, types, seen)
	}
	for _, x := range v.Values {
		if u, ok := x.(*ast.UnaryExpr); ok {
			x = u.X
		}
		switch x := x.(type) {
		case *ast.CompositeLit:
			if changes(x.Type, types, seen) {
				return true
			}
		case *ast.CallExpr:
			made := len(x.Args) > 0 && changes(x.Args[0], types, seen)
			name, _ := x.Fun.(*ast.Ident)
			if name != nil && (name.Name == "make" && made || name.Name != "make" && changes(name, types, seen)) {
				return true
			}
		}
	}
	return false
}

// changes reports whether a type contains a type that can change without an assignment.
func changes(x ast.Expr, types map[string]ast.Expr, seen map[string]bool) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType, *ast.FuncLit, *ast.InterfaceType:
			return false
		case *ast.ChanType:
			found = true
		case *ast.SelectorExpr:
			if p, ok := n.X.(*ast.Ident); ok && (p.Name == "sync" || p.Name == "atomic" || p.Name == "semaphore" || p.Name == "rate") {
				found = true
			}
			return false
		case *ast.Ident:
			if to := types[n.Name]; to != nil && !seen[n.Name] {
				seen[n.Name] = true
				found = found || changes(to, types, seen)
			}
		}
		return !found
	})
	return found
}

// assigned returns the package variables that functions assign to, as a whole or in part.
func assigned(files []*ast.File, owner map[string]bool) (names []string) {
	note := func(x ast.Expr) {
		for {
			switch of := x.(type) {
			case *ast.IndexExpr:
				x = of.X
				continue
			case *ast.SelectorExpr:
				x = of.X
				continue
			case *ast.Ident:
				declared := of.Obj == nil // true if it is declared at the package level, perhaps in another file
				if !declared {
					spec, is := of.Obj.Decl.(*ast.ValueSpec)
					declared = is && isPackageLevel(files, spec)
				}
				if of.Name != "_" && owner[of.Name] && declared {
					names = append(names, of.Name)
				}
			}
			return
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for _, l := range n.Lhs {
						if n.Tok != token.DEFINE {
							note(l)
						}
					}
				case *ast.IncDecStmt:
					note(n.X)
				}
				return true
			})
		}
	}
	return names
}

// isPackageLevel reports whether a declaration is at the package level.
func isPackageLevel(files []*ast.File, spec *ast.ValueSpec) bool {
	for _, v := range variables(files) {
		if v == spec {
			return true
		}
	}
	return false
}
