// Package projecttest gives tests a checkout of their own, and disks that are full or cannot be written.
package projecttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"seq2attn/pkg/project"
)

// Checkout makes an empty checkout the root of this test, and returns its folder. With folders such as ".lab" it has these.
func Checkout(t testing.TB, folders ...string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module "+project.Module+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(project.RootVariable, root)
	return root
}

// Disk is a file system of its own, in memory, with room for so many bytes, in a folder that a test can fill up. Mounting needs Linux and root; the
// test is skipped where it is refused.
func Disk(t testing.TB, bytes int) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if said, err := mount("-t", "tmpfs", "-o", fmt.Sprintf("size=%d", bytes), "tmpfs", folder); err != nil {
		t.Skipf("a disk of limited size cannot be mounted here: %v %s", err, said)
	}
	t.Cleanup(func() {
		if said, err := exec.Command("umount", folder).CombinedOutput(); err != nil {
			t.Errorf("umount %s: %v %s", folder, err, said)
		}
	})
	return folder
}

// ReadOnly makes a disk of [Disk] one that cannot be written, or one that can again.
func ReadOnly(t testing.TB, disk string, readOnly bool) {
	t.Helper()
	mode := "rw"
	if readOnly {
		mode = "ro"
	}
	if said, err := mount("-o", "remount,"+mode, disk); err != nil {
		t.Fatalf("remount %s: %v %s", disk, err, said)
	}
}

func mount(arguments ...string) (said []byte, err error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("no tmpfs on %s", runtime.GOOS)
	}
	return exec.Command("mount", arguments...).CombinedOutput()
}

// Fill leaves room for so many bytes on a disk, in units of a page; it returns what empties it again.
func Fill(t testing.TB, disk string, room int) (empty func()) {
	t.Helper()
	path := filepath.Join(disk, "filling")
	page := make([]byte, os.Getpagesize())
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for {
		if _, err := file.Write(page); err != nil {
			break
		}
	}
	size, err := file.Seek(0, 1)
	if err == nil {
		err = file.Truncate(max(0, size-int64(room)))
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}
