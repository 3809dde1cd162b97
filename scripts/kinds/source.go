package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
)

// source is one package: its type declarations, and the string constants of each named type.
type source struct {
	name      string
	types     map[string]*declaration
	constants map[string][]string
	// By their own names, in quotes.
	values map[string]string
	// By the name that a file of the package imports it as.
	imports map[string]string
}

type declaration struct {
	expression ast.Expr
	markers    markers
}

func readPackage(name, directory string) (*source, error) {
	files, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		return nil, err
	}
	found := &source{name, map[string]*declaration{}, map[string][]string{}, map[string]string{}, map[string]string{}}
	set := token.NewFileSet()
	for _, file := range files {
		base := filepath.Base(file)
		if strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "zz_") || base == "generated.pb.go" {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(set, file, content, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		found.add(parsed)
	}
	if len(found.types) == 0 {
		return nil, fmt.Errorf("%s: no types in %s", name, directory)
	}
	return found, nil
}

func (s *source) add(file *ast.File) {
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		alias := filepath.Base(path)
		if spec.Name != nil {
			alias = spec.Name.Name
		}
		s.imports[alias] = path
	}
	for _, declared := range file.Decls {
		general, ok := declared.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				comment := spec.Doc
				if comment == nil {
					comment = general.Doc
				}
				s.types[spec.Name.Name] = &declaration{spec.Type, markersOf(comment, file, spec.Pos())}
			case *ast.ValueSpec:
				s.addConstants(general.Tok, spec)
			}
		}
	}
}

func (s *source) addConstants(tok token.Token, spec *ast.ValueSpec) {
	named, ok := spec.Type.(*ast.Ident)
	if tok != token.CONST || !ok || len(spec.Values) != 1 {
		return
	}
	if value, ok := spec.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
		s.values[spec.Names[0].Name] = value.Value
		s.constants[named.Name] = append(s.constants[named.Name], strings.Trim(value.Value, "\"`"))
	}
}

// markers are the "+name=value" lines of a comment.
type markers map[string][]string

// Upstream also reads the comment block that ends one blank line above the declaration's own.
func markersOf(own *ast.CommentGroup, file *ast.File, position token.Pos) markers {
	found := markers{}
	if own == nil {
		return found
	}
	for _, line := range own.List {
		found.add(line.Text)
	}
	var before *ast.CommentGroup
	for _, group := range file.Comments {
		if group.End() < own.Pos() && (before == nil || group.End() > before.End()) {
			before = group
		}
	}
	if before != nil && int(own.Pos()-before.End()) <= 2 && position > own.Pos() {
		for _, line := range before.List {
			found.add(line.Text)
		}
	}
	return found
}

func (m markers) add(line string) {
	text := strings.TrimSpace(strings.TrimPrefix(line, "//"))
	if !strings.HasPrefix(text, "+") {
		return
	}
	name, value, _ := strings.Cut(text[1:], "=")
	m[name] = append(m[name], value)
}

func (m markers) first(name string) string {
	if values := m[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

func (m markers) has(name string) bool { return len(m[name]) > 0 }

func tagOf(field *ast.Field) reflect.StructTag {
	if field.Tag == nil {
		return ""
	}
	return reflect.StructTag(strings.Trim(field.Tag.Value, "`"))
}

func sortedNames(types map[string]*declaration) []string {
	names := make([]string, 0, len(types))
	for name := range types {
		if ast.IsExported(name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}
