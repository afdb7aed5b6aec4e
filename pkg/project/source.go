package project

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Source is the text of one function or type of this project as it stands in the checkout, doc comment included, so that a
// notebook shows the code that runs and not a copy of it. The package is a folder such as "pkg/seq2seq"; a method is named
// "Type.Method".
func Source(pkg, name string) (string, error) {
	dir, err := Path(filepath.FromSlash(pkg))
	if err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return "", fmt.Errorf("project: %w", err)
		}
		for _, declaration := range file.Decls {
			if found := named(declaration, name); found != nil {
				pretty, err := format.Source(text[set.Position(found.Pos()).Offset:set.Position(found.End()).Offset])
				return string(pretty), err
			}
		}
	}
	return "", fmt.Errorf("project: no function or type %s in %s", name, pkg)
}

// span is the part of a file that shows a declaration with its comment.
type span struct{ start, end token.Pos }

func (s *span) Pos() token.Pos { return s.start }
func (s *span) End() token.Pos { return s.end }

// named is the part of declaration that declares name, or nil.
func named(declaration ast.Decl, name string) ast.Node {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		full := d.Name.Name
		if d.Recv != nil {
			full = receiver(d.Recv.List[0].Type) + "." + full
		}
		if full == name {
			return withDoc(d, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok || t.Name.Name != name {
				continue
			}
			if len(d.Specs) == 1 {
				return withDoc(d, d.Doc)
			}
			return withDoc(t, t.Doc)
		}
	}
	return nil
}

func withDoc(n ast.Node, doc *ast.CommentGroup) *span {
	if doc == nil {
		return &span{n.Pos(), n.End()}
	}
	return &span{doc.Pos(), n.End()}
}

// receiver is the type name of a method's receiver, without the pointer and type parameters.
func receiver(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
