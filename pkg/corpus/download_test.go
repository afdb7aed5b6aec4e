package corpus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"seq2attn/pkg/project/projecttest"
)

// quick is a fetcher that does not keep tests waiting.
var quick = fetcher{stall: 200 * time.Millisecond, pause: time.Millisecond}

// wanted is some content of n bytes and its checksum.
func wanted(n int) ([]byte, string) {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	content := b.Bytes()[:n]
	return content, fmt.Sprintf("%x", sha256.Sum256(content))
}

// serveRanges answers as a file server does.
func serveRanges(w http.ResponseWriter, r *http.Request, content []byte) {
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// cut announces all of content and sends the first n bytes.
func cut(w http.ResponseWriter, content []byte, n int) {
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.Write(content[:n])
	panic(http.ErrAbortHandler)
}

func TestFetch(t *testing.T) {
	content, sum := wanted(300_000)
	wrong := bytes.Clone(content)
	wrong[100] ^= 1
	long := append(bytes.Clone(content), make([]byte, 200_000)...)
	for _, c := range []struct {
		name   string
		part   []byte // what an earlier attempt left
		serve  func(w http.ResponseWriter, r *http.Request, request int)
		limit  int64
		want   string // in the error; "" for success
		times  int    // requests
		kept   int    // bytes of the part left behind
		ranges string // of the last request
	}{
		{name: "plain", times: 1},
		{name: "resumed", part: content[:1000], times: 1, ranges: "bytes=1000-"},
		{name: "complete already, but not renamed", part: content, times: 1, ranges: "bytes=300000-"},
		{name: "server without ranges", part: content[:1000], times: 1, ranges: "bytes=1000-",
			serve: func(w http.ResponseWriter, r *http.Request, _ int) { w.Write(content) }},
		{name: "server that answers another range", part: content[:1000], times: 2,
			serve: func(w http.ResponseWriter, r *http.Request, _ int) {
				w.Header().Set("Content-Range", "bytes 0-299999/300000")
				w.WriteHeader(http.StatusPartialContent)
				w.Write(content)
			}},
		{name: "cut off once", times: 2, ranges: "bytes=200000-",
			serve: func(w http.ResponseWriter, r *http.Request, request int) {
				if request == 1 {
					cut(w, content, 200_000)
				}
				serveRanges(w, r, content)
			}},
		{name: "cut off always", times: 3, want: "EOF", kept: 200_000, ranges: "bytes=200000-",
			serve: func(w http.ResponseWriter, r *http.Request, request int) {
				if request == 1 {
					cut(w, content, 200_000)
				}
				w.Header().Set("Content-Range", "bytes 200000-299999/300000")
				w.Header().Set("Content-Length", "100000")
				w.WriteHeader(http.StatusPartialContent)
				panic(http.ErrAbortHandler)
			}},
		{name: "other content", times: 1, want: "its SHA-256 is",
			serve: func(w http.ResponseWriter, r *http.Request, _ int) { serveRanges(w, r, wrong) }},
		{name: "other content before", part: wrong[:1000], times: 2},
		{name: "too much before", part: long, times: 2},
		{name: "a page of a proxy", times: 1, want: "a proxy may have answered",
			serve: func(w http.ResponseWriter, r *http.Request, _ int) { io.WriteString(w, "<html>Please log in") }},
		{name: "redirected", times: 2,
			serve: func(w http.ResponseWriter, r *http.Request, _ int) {
				if r.URL.Path == "/file" {
					http.Redirect(w, r, "/elsewhere", http.StatusFound)
					return
				}
				serveRanges(w, r, content)
			}},
		{name: "redirected to an open address", times: 1, want: "http://192.0.2.1/file is not fetched: only https is",
			serve: func(w http.ResponseWriter, r *http.Request, _ int) {
				http.Redirect(w, r, "http://192.0.2.1/file", http.StatusFound)
			}},
		{name: "redirected in a ring", times: 30, want: "10 redirects",
			serve: func(w http.ResponseWriter, r *http.Request, _ int) { http.Redirect(w, r, "/file", http.StatusFound) }},
		{name: "absent", times: 1, want: "404 Not Found",
			serve: func(w http.ResponseWriter, r *http.Request, _ int) { http.NotFound(w, r) }},
		{name: "busy once", times: 2,
			serve: func(w http.ResponseWriter, r *http.Request, request int) {
				if request == 1 {
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
				serveRanges(w, r, content)
			}},
		{name: "busy always", times: 3, want: "503",
			serve: func(w http.ResponseWriter, r *http.Request, _ int) { w.WriteHeader(http.StatusServiceUnavailable) }},
		{name: "stalls before the answer", times: 3, want: "no data for 200ms",
			serve: func(w http.ResponseWriter, r *http.Request, _ int) { <-r.Context().Done() }},
		{name: "stalls on the way, then goes on", times: 2, ranges: "bytes=200000-",
			serve: func(w http.ResponseWriter, r *http.Request, request int) {
				if request == 1 {
					w.Header().Set("Content-Length", "300000")
					w.Write(content[:200_000])
					w.(http.Flusher).Flush()
					<-r.Context().Done()
					return
				}
				serveRanges(w, r, content)
			}},
		{name: "too large, as announced", times: 1, limit: 100_000, want: "larger than 100000 bytes"},
		{name: "too large, unannounced", times: 1, limit: 100_000, want: "larger than 100000 bytes",
			serve: func(w http.ResponseWriter, r *http.Request, _ int) {
				w.(http.Flusher).Flush()
				w.Write(content)
			}},
		{name: "as large as allowed", times: 1, limit: 300_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			var requests atomic.Int32
			var ranges atomic.Value
			ranges.Store("")
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n := requests.Add(1)
				ranges.Store(r.Header.Get("Range"))
				if c.serve == nil {
					serveRanges(w, r, content)
					return
				}
				c.serve(w, r, int(n))
			}))
			server.Config.ErrorLog = nil
			defer server.Close()
			path := filepath.Join(t.TempDir(), "a folder", "file")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if c.part != nil {
				if err := os.WriteFile(path+".part", c.part, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			f := fetcher{stall: time.Minute, pause: quick.pause} // a busy machine keeps a test waiting, too
			if strings.HasPrefix(c.name, "stalls") {
				f = quick
			}
			err := f.fetch(t.Context(), Remote{URL: server.URL + "/file", SHA256: sum, MaxBytes: c.limit}, path)
			got, readErr := os.ReadFile(path)
			if c.want == "" {
				if err != nil || !bytes.Equal(got, content) {
					t.Errorf("%d bytes, %v, %v", len(got), err, readErr)
				}
				if _, err := os.Stat(path + ".part"); err == nil {
					t.Error("the part was left")
				}
			} else {
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), server.URL) {
					t.Errorf("error %v, want one with %q and the address", err, c.want)
				}
				if readErr == nil {
					t.Errorf("%d bytes in place of the file", len(got))
				}
				if part, _ := os.ReadFile(path + ".part"); len(part) != c.kept {
					t.Errorf("%d bytes of the part left, want %d", len(part), c.kept)
				}
			}
			if n := int(requests.Load()); n != c.times || ranges.Load() != c.ranges {
				t.Errorf("%d requests, the last for %q, want %d and %q", n, ranges.Load(), c.times, c.ranges)
			}
		})
	}
}

func TestFetchWhatIsThere(t *testing.T) {
	content, sum := wanted(1000)
	path := stored(t, "file", content)
	none := Remote{URL: "http://127.0.0.1:1/file", SHA256: strings.ToUpper(sum)}
	if err := quick.fetch(t.Context(), none, path); err != nil {
		t.Errorf("a file that is there: %v", err)
	}
	other := stored(t, "file", []byte("my own"))
	if err := quick.fetch(t.Context(), none, other); err == nil || !strings.Contains(err.Error(), other) {
		t.Errorf("another file that is there: %v", err)
	}
	if got, _ := os.ReadFile(other); string(got) != "my own" {
		t.Errorf("it was overwritten with %q", got)
	}
}

func TestFetchRefuses(t *testing.T) {
	_, sum := wanted(10)
	path := filepath.Join(t.TempDir(), "file")
	for _, bad := range []string{"", "12ab", sum + "00"} {
		if err := quick.fetch(t.Context(), Remote{URL: "http://127.0.0.1:1/file", SHA256: bad}, path); err == nil || !strings.Contains(err.Error(), "64 hexadecimal digits") {
			t.Errorf("SHA-256 %q: %v", bad, err)
		}
	}
	if err := quick.fetch(t.Context(), Remote{URL: "ftp://127.0.0.1/file", SHA256: sum}, path); err == nil || !strings.Contains(err.Error(), "ftp") {
		t.Errorf("ftp: %v", err)
	}
	for _, open := range []string{"http://192.0.2.1/file", "http://data.invalid/file", "http://127.0.0.1.data.invalid/file", "file:///etc/passwd"} {
		if err := quick.fetch(t.Context(), Remote{URL: open, SHA256: sum}, path); err == nil || !strings.Contains(err.Error(), "only https is") {
			t.Errorf("%s: %v", open, err)
		}
	}
	if err := quick.fetch(t.Context(), Remote{URL: "http://127.0.0.1:1/file", SHA256: sum}, path); err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("nobody listens: %v", err)
	}
	// A file where the folder should be.
	if err := quick.fetch(t.Context(), Remote{URL: "http://127.0.0.1:1/file", SHA256: sum}, filepath.Join(stored(t, "x", nil), "file")); err == nil {
		t.Error("a file was taken for a folder")
	}
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	t.Setenv(OfflineVariable, "1")
	if err := quick.fetch(t.Context(), Remote{URL: server.URL, SHA256: sum}, path); err == nil || asked || !strings.Contains(err.Error(), OfflineVariable) {
		t.Errorf("offline: %v, asked %v", err, asked)
	}
}

func TestFetchCancelled(t *testing.T) {
	content, sum := wanted(300_000)
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(content[:200_000])
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "file")
	long := fetcher{stall: time.Minute, pause: time.Minute}
	if err := long.fetch(ctx, Remote{URL: server.URL, SHA256: sum}, path); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("there is a file")
	}
}

// Several processes or cells that want one file at once do not spoil it.
func TestFetchAtOnce(t *testing.T) {
	content, sum := wanted(300_000)
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		serveRanges(w, r, content)
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "file")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := quick.fetch(t.Context(), Remote{URL: server.URL, SHA256: sum}, path); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got, _ := os.ReadFile(path); !bytes.Equal(got, content) || requests.Load() != 1 {
		t.Errorf("%d bytes after %d requests", len(got), requests.Load())
	}
}

// A proxy is asked for a tunnel to the server, and whose certificate does not fit is not listened to. The environment's proxy and certificates are read
// once a process, so this runs in ones of its own.
func TestFetchThroughProxy(t *testing.T) {
	content, sum := wanted(1000)
	const variable = "SEQ2ATTN_TEST_FETCH"
	if path := os.Getenv(variable); path != "" {
		if err := quick.fetch(t.Context(), Remote{URL: os.Getenv(variable + "_FROM"), SHA256: sum}, path); err != nil {
			t.Fatal(err)
		}
		return
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(content) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS() // with a certificate for example.com
	defer server.Close()
	var tunnels atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || !strings.HasSuffix(r.Host, ":443") {
			t.Errorf("the proxy is asked to %s %s", r.Method, r.Host)
			return
		}
		tunnels.Add(1)
		w.WriteHeader(http.StatusOK)
		here, sent, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer here.Close()
		there, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer there.Close()
		go io.Copy(there, sent) // here's first byte may have been read already
		io.Copy(here, there)
	}))
	defer proxy.Close()
	certificate := stored(t, "certificate.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	none := stored(t, "none.pem", nil)
	for _, test := range []struct{ name, address, certificate, want string }{
		{"the right server", "https://example.com/file", certificate, ""},
		{"another server", "https://data.invalid/file", certificate, "certificate is valid for example.com"},
		{"a server that nobody vouches for", "https://example.com/file", none, "unknown authority"},
	} {
		path := filepath.Join(t.TempDir(), "file")
		child := exec.Command(os.Args[0], "-test.run=^TestFetchThroughProxy$")
		child.Env = append(os.Environ(), variable+"="+path, variable+"_FROM="+test.address, "HTTPS_PROXY="+proxy.URL, "https_proxy="+proxy.URL,
			"NO_PROXY=", "no_proxy=", "SSL_CERT_FILE="+test.certificate, "SSL_CERT_DIR="+t.TempDir())
		out, err := child.CombinedOutput()
		if (err == nil) != (test.want == "") || !strings.Contains(string(out), test.want) {
			t.Errorf("%s: %v\n%s", test.name, err, out)
		}
		if got, _ := os.ReadFile(path); bytes.Equal(got, content) != (test.want == "") {
			t.Errorf("%s: %d bytes", test.name, len(got))
		}
	}
	if tunnels.Load() < 3 {
		t.Errorf("%d tunnels", tunnels.Load())
	}
}

// A disk that is full keeps what has come, and with room the rest is asked for.
func TestFetchToFullDisk(t *testing.T) {
	content, sum := wanted(300_000)
	var ranges []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		serveRanges(w, r, content)
	}))
	defer server.Close()
	disk := projecttest.Disk(t, 1<<20)
	path := filepath.Join(disk, "file")
	empty := projecttest.Fill(t, disk, 128<<10)
	remote := Remote{URL: server.URL, SHA256: sum}
	if err := quick.fetch(t.Context(), remote, path); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), path) {
		t.Errorf("a full disk: %v", err)
	}
	part, err := os.ReadFile(path + ".part")
	if err != nil || len(part) == 0 || !bytes.HasPrefix(content, part) {
		t.Errorf("%d bytes were kept, %v", len(part), err)
	}
	empty()
	if err := quick.fetch(t.Context(), remote, path); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, content) || len(ranges) != 2 || ranges[1] != fmt.Sprintf("bytes=%d-", len(part)) {
		t.Errorf("%d bytes after requests for %q", len(got), ranges)
	}
}

func TestRemotes(t *testing.T) {
	for place, r := range remotes() {
		sum, ok := strings.CutPrefix(r.URL, "https://raw.githubusercontent.com/")
		if !ok || len(strings.Split(sum, "/")[2]) != 40 || len(r.SHA256) != 64 || filepath.Base(place) != filepath.Base(r.URL) {
			t.Errorf("%s: %+v: not pinned to a commit and a checksum", place, r)
		}
	}
}
