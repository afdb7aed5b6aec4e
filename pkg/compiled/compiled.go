// Package compiled keeps what XLA compiles. A cell of a notebook is a program of its own and would compile every graph anew, for seconds each. What was compiled
// before of the same graph, in whatever cell, is there in a thirtieth of that or less, and computes the same to the last bit.
//
// GoMLX does not store executables, but XLA's plugin can (PJRT_Executable_Serialize in the PJRT C API). So the function that compiles is replaced in the table by
// which GoMLX calls the plugin.
package compiled

/*
#cgo linux LDFLAGS: -ldl
#include <stdlib.h>
#include "pjrt.h"
*/
import "C"

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/klauspost/cpuid/v2"

	"seq2attn/pkg/kept"
)

// MostBytes is what a folder of executables may take; those that were not used for longest make room. All that the notebooks compile takes a tenth of it.
const MostBytes = 1 << 30

// A plugin is the process's, and what it calls back is told nothing else. So this is too.
var keeping struct {
	sync.Mutex
	folder string
	host   string // all that an executable depends on besides its graph
}

// Keep makes the plugin at this path, which GoMLX must have loaded, keep in a folder what it compiles from now on, and take from there what it has compiled before.
// A later call changes the folder; with none nothing is kept any more, nor taken. Executables of another processor, number of cores, plugin or XLA_FLAGS are not taken for this one's, and damaged ones are
// made anew. Where the folder cannot be written, nothing is kept. The error says why nothing will be.
func Keep(plugin, folder string) error {
	if folder == "" {
		keeping.Lock()
		defer keeping.Unlock()
		keeping.folder = ""
		return nil
	}
	info, err := os.Stat(plugin)
	if err != nil {
		return fmt.Errorf("compiled: %w", err)
	}
	path := C.CString(plugin)
	defer C.free(unsafe.Pointer(path))
	keeping.Lock()
	defer keeping.Unlock()
	if wrong := C.pjrt_intercept(path); wrong != nil {
		return fmt.Errorf("compiled: plugin %s: %w", plugin, errors.New(C.GoString(wrong)))
	}
	keeping.folder = folder
	keeping.host = fmt.Sprintf("%d %d %s %s %s %d %q", info.Size(), info.ModTime().UnixNano(), runtime.GOARCH, cpuid.CPU.BrandName,
		strings.Join(cpuid.CPU.FeatureSet(), " "), runtime.NumCPU(), os.Getenv("XLA_FLAGS"))
	return nil
}

// compileKept stands in for the plugin's PJRT_Client_Compile.
//
//export compileKept
func compileKept(argument unsafe.Pointer) unsafe.Pointer {
	job := (*C.compile_job)(argument)
	keeping.Lock()
	folder, host := keeping.folder, keeping.host
	keeping.Unlock()
	if folder == "" {
		return C.pjrt_compile(job)
	}
	graph := job.program
	path := filepath.Join(folder, key([]byte(host), bytesOf(graph.format, graph.format_size), bytesOf(graph.code, graph.code_size), bytesOf(job.options, job.options_size)))
	var executable []byte
	if kept.Read(path, &executable) && len(executable) > 0 {
		if job.loaded = C.pjrt_load(job.client, unsafe.Pointer(&executable[0]), C.size_t(len(executable))); job.loaded != nil {
			now := time.Now()
			_ = os.Chtimes(path, now, now) // it was used
			return nil
		}
	}
	if failed := C.pjrt_compile(job); failed != nil {
		return failed
	}
	var made C.serialize_job
	if C.pjrt_serialize(job.loaded, &made) != 0 {
		executable = append([]byte(nil), bytesOf(made.bytes, made.bytes_size)...)
		C.pjrt_release(&made)
		if kept.Write(path, executable) == nil { // without it the next program waits, no more
			_ = kept.Prune(folder, MostBytes)
		}
	}
	return nil
}

// bytesOf is the plugin's memory, not a copy.
func bytesOf(text *C.char, size C.size_t) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(text)), int(size))
}

// key is a hash of parts, no two of which run into each other.
func key(parts ...[]byte) string {
	sum := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(sum, "%d ", len(p))
		sum.Write(p)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
