package projecttest

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"seq2attn/pkg/project"
)

func TestCheckout(t *testing.T) {
	want := Checkout(t, ".lab")
	if root, err := project.Root(); err != nil || root != want {
		t.Errorf("the root is %s, %v", root, err)
	}
	if folder, ok := project.Cache(); !ok || folder != filepath.Join(want, ".lab", "cache") {
		t.Errorf("the cache is %s, %v", folder, ok)
	}
}

func TestDisk(t *testing.T) {
	disk := Disk(t, 1<<20)
	write := func(bytes int) error { return os.WriteFile(filepath.Join(disk, "file"), make([]byte, bytes), 0o644) }
	empty := Fill(t, disk, 64<<10)
	if err := write(32 << 10); err != nil {
		t.Errorf("there is no room left: %v", err)
	}
	if err := write(128 << 10); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("more than the room left: %v", err)
	}
	empty()
	if err := write(128 << 10); err != nil {
		t.Errorf("emptied: %v", err)
	}
	ReadOnly(t, disk, true)
	if err := write(1); !errors.Is(err, syscall.EROFS) {
		t.Errorf("read-only: %v", err)
	}
	ReadOnly(t, disk, false)
	if err := write(1); err != nil {
		t.Errorf("writable again: %v", err)
	}
}
