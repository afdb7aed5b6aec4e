// Command licences lists everything that the course is built from and runs with, each with its licence, for people (docs/licences.md) and for
// programs (docs/sbom.cdx.json, in the CycloneDX format). With -check it only tells whether the two are as they should be.
//
// It has a module of its own, because nothing else needs the one that it needs.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// component is something of somebody else's, with the SPDX name of its licence.
type component struct{ name, version, licence, url string }

// group is what is used for one purpose.
type group struct {
	title string
	list  []component
}

func main() {
	check := flag.Bool("check", false, "change nothing, and fail where the lists are not up to date")
	root := flag.String("root", "../..", "folder of the checkout")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	groups, err := collect(root)
	if err != nil {
		return err
	}
	sbom, err := cycloneDX(groups)
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"licences.md": page(groups), "sbom.cdx.json": sbom} {
		path := filepath.Join(root, "docs", name)
		old, err := os.ReadFile(path)
		if err == nil && bytes.Equal(old, text) {
			continue
		}
		if check {
			return fmt.Errorf("docs/%s is not up to date: make licences", name)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// collect lists the components by purpose. A component of two purposes stands where it is first needed.
func collect(root string) ([]group, error) {
	seen := map[string]bool{}
	var groups []group
	add := func(title string, list []component, err error) error {
		g := group{title: title}
		for _, c := range list {
			if key := c.url; !seen[key] {
				seen[key] = true
				g.list = append(g.list, c)
			}
		}
		slices.SortFunc(g.list, func(a, b component) int { return cmp.Compare(a.name, b.name) })
		groups = append(groups, g)
		return err
	}
	var problems []error
	modules := func(title, folder string, packages ...string) {
		list, err := goModules(filepath.Join(root, folder), packages...)
		problems = append(problems, add(title, list, err))
	}
	pins := func(title, file string) {
		list, err := pythonPackages(root, filepath.Join(root, "lab", file))
		problems = append(problems, add(title, list, err))
	}
	modules("Go modules of the packages, the commands and the notebooks", "", "./...")
	modules("Go modules of the notebook kernel", "", "github.com/janpfeifer/gonb")
	modules("Go modules of completion and imports in cells", "lab", "golang.org/x/tools/cmd/goimports", "golang.org/x/tools/gopls")
	pins("Python packages of JupyterLab", "requirements.txt")
	pins("Python packages of the tests", "requirements-test.txt")
	pins("The installer of Python packages", "requirements-pip.txt")
	pins("XLA's plugin for the CPU", "requirements-plugin.txt")
	pins("Packages that carry reveal.js and MathJax, for slides", "requirements-slides.txt")
	return groups, errors.Join(problems...)
}

// goModules are the modules that packages are linked with.
func goModules(folder string, packages ...string) (list []component, err error) {
	const format = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}`
	command := exec.Command("go", append([]string{"list", "-deps", "-tags", "notebookdeps", "-f", format}, packages...)...)
	command.Dir, command.Stderr = folder, os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w", folder, err)
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		parts := strings.SplitN(line, " ", 3)
		if len(parts) < 3 {
			continue
		}
		licence := choices[parts[0]]
		if licence == "" {
			if licence, err = licenceIn(parts[2]); err != nil {
				return nil, fmt.Errorf("%s %s: %w", parts[0], parts[1], err)
			}
		}
		list = append(list, component{parts[0], parts[1], licence, "pkg:golang/" + parts[0] + "@" + parts[1]})
	}
	return list, nil
}

// choices are modules whose licence file only says which of several licences one may choose from.
var choices = map[string]string{"github.com/golang/freetype": "FTL OR GPL-2.0-or-later"}

var licenceFile = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying`)

// licenceIn names the licences whose texts a folder has.
func licenceIn(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return "", err
		}
		for _, m := range licensecheck.Scan(text).Match {
			if !m.IsURL {
				names = append(names, m.ID)
			}
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		return "", errors.New("no licence is found in " + folder)
	}
	return strings.Join(names, " AND "), nil
}

var pin = regexp.MustCompile(`(?m)^([A-Za-z0-9._-]+)==([^\s;\\]+)`)

// pythonPackages are the pins of a requirements file. What they are licensed under is read where set-up installed them.
func pythonPackages(root, file string) (list []component, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for _, m := range pin.FindAllStringSubmatch(string(text), -1) {
		name, version := m[1], m[2]
		licence := notInstalled[name]
		if licence == "" {
			if licence, err = installedLicence(root, name); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", name, filepath.Base(file), err)
			}
		}
		list = append(list, component{name, version, licence, "pkg:pypi/" + name + "@" + version})
	}
	return list, nil
}

// notInstalled are packages of other systems, and those of which set-up keeps some files only, as their metadata say.
var notInstalled = map[string]string{
	"appnope": "BSD-2-Clause", "colorama": "BSD-3-Clause", "pywinpty": "MIT",
	"lammps-jax-pjrt-cpu": "Apache-2.0", "sphinx-revealjs": "Apache-2.0 AND MIT", "django-static-mathjax": "Apache-2.0",
}

// spdx names licences as other metadata do.
var spdx = map[string]string{
	"Apache Software License": "Apache-2.0", "Apache 2.0": "Apache-2.0", "Apache License, Version 2.0": "Apache-2.0", "BSD License": "BSD-3-Clause",
	"MIT License": "MIT", "ISC License (ISCL)": "ISC", "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0", "Python Software Foundation License": "PSF-2.0",
}

func installedLicence(root, name string) (string, error) {
	folder := strings.NewReplacer("-", "?", "_", "?", ".", "?").Replace(name)
	pattern := filepath.Join(root, ".lab", "venv", "lib", "python*", "site-packages", insensitive(folder)+"-*.dist-info", "METADATA")
	found, err := filepath.Glob(pattern) // some are pinned twice, for an older Python too
	if err != nil || len(found) != 1 {
		return "", errors.New("it is not installed: make setup-test")
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return "", err
	}
	header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(text, "\n\n"...)))).ReadMIMEHeader()
	if err != nil && len(header) == 0 {
		return "", err
	}
	if expression := header.Get("License-Expression"); expression != "" {
		return expression, nil
	}
	names := []string{header.Get("License")}
	for _, c := range header.Values("Classifier") {
		if licence, ok := strings.CutPrefix(c, "License :: OSI Approved :: "); ok {
			names = append([]string{licence}, names...)
		}
	}
	for _, n := range names {
		if spdx[n] != "" {
			return spdx[n], nil
		}
		if regexp.MustCompile(`^[A-Za-z0-9.-]+$`).MatchString(n) {
			return n, nil
		}
	}
	return "", fmt.Errorf("licence %q is not known by its SPDX name", names)
}

// insensitive is a glob pattern that matches letters of either case.
func insensitive(pattern string) string {
	return regexp.MustCompile(`[a-z]`).ReplaceAllStringFunc(strings.ToLower(pattern), func(l string) string { return "[" + l + strings.ToUpper(l) + "]" })
}

// page is the list for people.
func page(groups []group) []byte {
	var b bytes.Buffer
	b.WriteString(`# Licences

The course itself is under the Apache License 2.0, see [LICENSE](../LICENSE). This is what it is built from and runs with, with the licence of each
by its SPDX name. ` + "`make licences`" + ` makes the list again, and the same for programs in [sbom.cdx.json](sbom.cdx.json) (CycloneDX); a test compares
both with what is pinned. Peers that only benchmarks install are left out, and so are corpora, see [data.md](data.md).
`)
	for _, g := range groups {
		if len(g.list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| name | version | licence |\n|---|---|---|\n", g.title)
		for _, c := range g.list {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", c.name, c.version, c.licence)
		}
	}
	return b.Bytes()
}

// cycloneDX is the list for programs. It holds no time, so that it changes only with what it lists.
func cycloneDX(groups []group) ([]byte, error) {
	type licence struct {
		Expression string `json:"expression"`
	}
	type entry struct {
		Type     string    `json:"type"`
		Ref      string    `json:"bom-ref"`
		Name     string    `json:"name"`
		Version  string    `json:"version,omitempty"`
		Licences []licence `json:"licenses"`
		URL      string    `json:"purl,omitempty"`
	}
	var list []entry
	for _, g := range groups {
		for _, c := range g.list {
			list = append(list, entry{"library", c.url, c.name, c.version, []licence{{c.licence}}, c.url})
		}
	}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   map[string]any{"component": entry{Type: "application", Ref: "seq2attn", Name: "seq2attn", Licences: []licence{{"Apache-2.0"}}}},
		"components": list,
	}, "", " ")
	return append(text, '\n'), err
}
