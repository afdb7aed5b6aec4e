package corpus

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// OfflineVariable names the environment variable that, set to anything, forbids every download.
const OfflineVariable = "SEQ2ATTN_OFFLINE"

// Remote is a file to fetch.
type Remote struct {
	URL string
	// SHA256 of its content in hexadecimal. Nothing is kept that differs.
	SHA256 string
	// MaxBytes is the most that is taken; 0 stands for 256 MiB.
	MaxBytes int64
}

// The archives as published, by their place in the data folder. Checksums are pinned because their addresses are not ours.
func remotes() map[string]Remote {
	const multi30k = "https://raw.githubusercontent.com/multi30k/dataset/a3d2e0d26b56f3846f66a952536ffed4e401d05a/data/task1/raw/"
	known := map[string]Remote{
		"tatoeba_enfr/fra-eng.zip": {
			URL:    "https://raw.githubusercontent.com/genimind/seq2seq/4f3f8eb0adde54fcc8b89394336b002e7961244c/fra-eng.zip",
			SHA256: "16c4f7d0df9e7c5e6c54cdb0447f3f4a18a55052ff5e2e0b27dd4a06c0e49d04",
		},
	}
	for name, sum := range map[string]string{
		"test_2016_flickr.de.gz": "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
		"test_2016_flickr.en.gz": "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
		"test_2016_flickr.fr.gz": "6d326e188d259fb1d04ac19eae3af956559b3a0b93d7635e56c90987c40c8b90",
		"test_2017_flickr.de.gz": "a2c89666db00c495cd8513b9d708d5a3acc205d7de312ef2bf5fb7ebc1540aee",
		"test_2017_flickr.en.gz": "76a444ee25172e72695cddb13ae4a3bda59430617be88e0bb46b60504f054074",
		"test_2017_flickr.fr.gz": "3ba671ceb2299f3304ffafefea7a833d08632fbaf0ba18546f8a2ec2391af496",
		"test_2017_mscoco.de.gz": "799e4854c25d601cb6cb6be29eabe5667734c61ace2f495e03e429031a0bc338",
		"test_2017_mscoco.en.gz": "aab300bfb4427697987e02cd0aacd44bfe8aa50456231b6474c08038bbed2b58",
		"test_2017_mscoco.fr.gz": "754f3072ba9f124569ba5258b32730fc1d214bbf8e0c6dfb2b74401676220db0",
		"test_2018_flickr.de.gz": "ddd0130c7d97482dc5197a02141dae8dd79f20f03586c480d675c09a32daf608",
		"test_2018_flickr.en.gz": "ef4f4844037d4c5dea75c9a8ed5fd78905967a26f67c255e230cc9780032654d",
		"test_2018_flickr.fr.gz": "fb2b83fcceb937a4f7e3e93c1c51c22aba92f1e342391e6b5ba392b16a920501",
		"train.de.gz":            "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
		"train.en.gz":            "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
		"train.fr.gz":            "622e75069e9f4c577425c4f277116ce66e63a2401c0a2312d90073cb12379a3c",
		"val.de.gz":              "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
		"val.en.gz":              "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
		"val.fr.gz":              "ca3106f1a72390591d25f6c45cb4cd39dec4cd3f123e099748a3ce5256c160e9",
	} {
		known["multi30k/raw/"+name] = Remote{URL: multi30k + name, SHA256: sum}
	}
	return known
}

// Fetch downloads a file to path, whose folders it makes. The file appears there whole and checked or not at all. What has come of
// an interrupted download is kept in path.part and the rest asked for the next time. A file that is there already is checked and
// left. The address, and where it leads, must be https, or of this machine. Proxies are taken from HTTPS_PROXY and NO_PROXY; see also
// [OfflineVariable].
func Fetch(ctx context.Context, r Remote, path string) error {
	return fetcher{stall: 30 * time.Second, pause: time.Second}.fetch(ctx, r, path)
}

// fetcher holds what tests make shorter.
type fetcher struct {
	stall time.Duration // with no byte for so long the connection is given up
	pause time.Duration // before another attempt
}

const attempts = 3

func (f fetcher) fetch(ctx context.Context, r Remote, path string) error {
	if r.MaxBytes == 0 {
		r.MaxBytes = 256 << 20
	}
	r.SHA256 = strings.ToLower(r.SHA256)
	wrap := func(err error) error {
		return fmt.Errorf("corpus: fetch %s: %w", r.URL, err)
	}
	if len(r.SHA256) != 2*sha256.Size {
		return wrap(fmt.Errorf("SHA-256 %q: give the 64 hexadecimal digits that the file must have", r.SHA256))
	}
	if there, err := checked(path, r); err == nil {
		return nil
	} else if there {
		return wrap(fmt.Errorf("%s is there already, but %w: move it away", path, err))
	}
	if os.Getenv(OfflineVariable) != "" {
		return wrap(fmt.Errorf("%s forbids downloads: unset it, or put the file at %s yourself", OfflineVariable, path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return wrap(err)
	}
	// Two notebooks may want the same file at once.
	lock := flock.New(filepath.Join(filepath.Dir(path), ".lock"))
	if _, err := lock.TryLockContext(ctx, 100*time.Millisecond); err != nil {
		return wrap(err)
	}
	defer lock.Unlock()
	if _, err := checked(path, r); err == nil {
		return nil
	}
	part := path + ".part"
	for attempt := 1; ; attempt++ {
		err := f.attempt(ctx, r, part)
		if err == nil {
			break
		}
		if attempt == attempts || errors.As(err, new(permanent)) || ctx.Err() != nil {
			return wrap(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(f.pause):
		}
	}
	if err := os.Rename(part, path); err != nil {
		return wrap(err)
	}
	return nil
}

// permanent marks an error that another attempt would meet again.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// checked tells whether a file is there, and what is wrong with it.
func checked(path string, r Remote) (there bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist), err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return true, err
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != r.SHA256 {
		return true, fmt.Errorf("its SHA-256 is %s, not %s", got, r.SHA256)
	}
	return true, nil
}

// attempt fetches what is missing of part and checks it. What it got stays in part unless the whole turns out wrong.
func (f fetcher) attempt(ctx context.Context, r Remote, part string) error {
	file, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return permanent{err}
	}
	defer file.Close()
	start, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return permanent{err}
	}
	if err := f.receive(ctx, r, file, start); err != nil {
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return permanent{err}
	}
	if _, err := checked(part, r); err != nil {
		os.Remove(part)
		err = fmt.Errorf("%w: nothing was kept; the address may have changed, or a proxy may have answered in its place", err)
		if start > 0 { // what was there before may have been wrong
			return err
		}
		return permanent{err}
	}
	return nil
}

// receive appends to file what the server has from byte start on, or all anew where it cannot go on from there.
func (f fetcher) receive(ctx context.Context, r Remote, file *os.File, start int64) error {
	stalled := fmt.Errorf("no data for %v", f.stall)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(f.stall, func() { cancel(stalled) })
	defer watch.Stop()
	because := func(err error) error {
		if errors.Is(context.Cause(ctx), stalled) {
			return stalled
		}
		return err
	}

	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return permanent{err}
	}
	if err := secure(request.URL); err != nil {
		return err
	}
	request.Header.Set("Accept-Encoding", "identity")
	if start > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", start))
	}
	response, err := client().Do(request)
	if err != nil {
		return because(err)
	}
	defer response.Body.Close()
	switch status := response.StatusCode; {
	case status == http.StatusOK:
		start = 0
	case status == http.StatusPartialContent && strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", start)):
	case status == http.StatusPartialContent: // another part: ask for all the next time
		return errors.Join(fmt.Errorf("the server answers with %q", response.Header.Get("Content-Range")), file.Truncate(0))
	case status == http.StatusRequestedRangeNotSatisfiable && start > 0:
		return nil // all of it may be there: the checksum tells
	case status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		return fmt.Errorf("the server answers %s", response.Status)
	default:
		return permanent{fmt.Errorf("the server answers %s", response.Status)}
	}
	if err := file.Truncate(start); err != nil {
		return permanent{err}
	}
	tooLarge := permanent{fmt.Errorf("the file is larger than %d bytes: it is not the one wanted, or Remote.MaxBytes is too small", r.MaxBytes)}
	if response.ContentLength > r.MaxBytes-start {
		return tooLarge
	}
	n, err := io.Copy(file, io.LimitReader(&watched{response.Body, watch, f.stall}, r.MaxBytes-start+1))
	switch {
	case n > r.MaxBytes-start:
		os.Remove(file.Name())
		return tooLarge
	case errors.As(err, new(*os.PathError)): // no space, say
		return permanent{err}
	case err != nil:
		return because(err)
	}
	return nil
}

// client follows redirections, ten at most, as long as they are secure.
func client() *http.Client {
	return &http.Client{CheckRedirect: func(request *http.Request, via []*http.Request) error {
		if len(via) >= 10 {
			return errors.New("stopped after 10 redirects")
		}
		return secure(request.URL)
	}}
}

// secure is an error for an address at which somebody on the way can read what is asked for, or answer: all but HTTPS and this machine.
func secure(address *url.URL) error {
	host := address.Hostname()
	if address.Scheme == "https" || address.Scheme == "http" && (host == "localhost" || net.ParseIP(host).IsLoopback()) {
		return nil
	}
	return permanent{fmt.Errorf("%s is not fetched: only https is", address)}
}

// watched puts off a timer whenever something comes.
type watched struct {
	io.Reader
	timer *time.Timer
	stall time.Duration
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.timer.Reset(w.stall)
	return n, err
}
