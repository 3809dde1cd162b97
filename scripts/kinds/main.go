// Writes the tables of packages/kinds from the sources of k8s.io/api and k8s.io/apimachinery, as the Go module
// cache has them: names, types, tags and markers of fields, no sentences.
// Usage: go mod download && go run . ../../packages/kinds/src/tables
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The packages whose types are written, by the directory below their module.
var packages = []string{
	"meta/v1",
	"admissionregistration/v1", "admissionregistration/v1beta1", "apps/v1", "authentication/v1",
	"authorization/v1", "autoscaling/v1", "autoscaling/v2", "batch/v1", "certificates/v1", "coordination/v1",
	"core/v1", "discovery/v1", "events/v1", "flowcontrol/v1", "networking/v1", "node/v1", "policy/v1", "rbac/v1",
	"resource/v1", "scheduling/v1", "storage/v1", "storagemigration/v1beta1",
}

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: go run . DIRECTORY"))
	}
	api, machinery := moduleDirectory("k8s.io/api"), moduleDirectory("k8s.io/apimachinery")
	for _, name := range packages {
		directory := filepath.Join(api, name)
		if strings.HasPrefix(name, "meta/") {
			directory = filepath.Join(machinery, "pkg/apis", name)
		}
		source, err := readPackage(name, directory)
		fail(err)
		text, err := source.table()
		fail(err)
		fail(os.WriteFile(filepath.Join(os.Args[1], strings.ReplaceAll(name, "/", "-")+".ts"), []byte(text), 0o644))
	}
}

func moduleDirectory(module string) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	fail(err)
	return strings.TrimSpace(string(out))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
