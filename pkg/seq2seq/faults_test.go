package seq2seq

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/project/projecttest"
)

// Faults from outside: processes that are killed, disks that are full, clocks that jump. These two make the tests longer.
var (
	kills   = flag.Int("kills", 12, "random moments at which TestKilled kills a training")
	updates = flag.Int("updates", 600, "updates of TestMemoryIsFlat")
)

// folderVariable names the environment variable with the folder of a training in a process of its own.
const folderVariable = "SEQ2SEQ_TEST_FOLDER"

// child starts a test of this package in a process of its own, which finds folder in [folderVariable].
func child(t *testing.T, test, folder string, output *bytes.Buffer) *exec.Cmd {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.run", "^"+test+"$", "-test.v")
	command.Env = append(os.Environ(), folderVariable+"="+folder)
	if output != nil {
		command.Stdout, command.Stderr = output, output
	}
	return command
}

// trainInChild trains the model of TestKilled in folder and prints every update that is stored.
func trainInChild(folder string, seed uint64) (*Run, error) {
	e, err := engine.OpenKind(engine.Go)
	if err != nil {
		return nil, err
	}
	c := noisy()
	c.Updates, c.EvaluateEvery, c.Seed = 60, 7, seed
	return Train(context.Background(), c, mapped(60, 2, 4, 5), Engine(e), Folder(folder), Quiet(), SaveEvery(0),
		everyUpdate(func(p Progress) { fmt.Println("stored", p.Update) }))
}

// A training that is killed at any moment, with a state stored after every update, loses nothing that was stored: the run loads, no update that was
// told of is missing, the next process goes on from there, and in the end the weights are those of a training that nobody killed.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	if folder := os.Getenv(folderVariable); folder != "" {
		_, err := trainInChild(folder, 1)
		fmt.Println("ended", err)
		return
	}
	whole, err := trainInChild(t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	folder, before := t.TempDir(), 0
	loaded, finished, none, further := 0, 0, 0, 0
	for range *kills {
		command := child(t, "TestKilled", folder, nil)
		pipe, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		told := make(chan int, 1) // the last update that the process told of
		first := make(chan bool, 1)
		go func() {
			last := before
			for lines := bufio.NewScanner(pipe); lines.Scan(); {
				if _, err := fmt.Sscanf(lines.Text(), "stored %d", &last); err == nil && last > before {
					select {
					case first <- true:
					default:
					}
				}
			}
			told <- last
		}()
		delay := time.Duration(random.Int64N(int64(100 * time.Millisecond)))
		if random.IntN(5) > 0 { // else before it has come further
			select {
			case <-first:
			case <-time.After(time.Minute):
				t.Fatal("the process trains nothing")
			}
		}
		time.Sleep(delay)
		_ = command.Process.Kill()
		_ = command.Wait()
		last := <-told
		runs, _ := os.ReadDir(folder)
		if len(runs) == 0 || last == 0 && !begun(folder, runs[0].Name()) {
			none++
			continue
		}
		r, err := Open(filepath.Join(folder, runs[0].Name()))
		if err != nil {
			t.Fatalf("killed after update %d: %v", last, err)
		}
		if r.Updates < last || r.Updates < before {
			t.Errorf("update %d was stored, %d is loaded", max(last, before), r.Updates)
		}
		further += r.Updates - before
		if !r.Finished {
			if _, err := r.manifest.State.load(r.Folder); err != nil {
				t.Errorf("after update %d: %v", r.Updates, err)
			}
		}
		loaded++
		before = r.Updates
		if r.Finished { // and another one from the start
			sameWeights(t, r, whole)
			finished++
			folder, before = t.TempDir(), 0
		}
	}
	t.Logf("killed %d times, on average after %.1f updates: %d runs loaded, none damaged, %d of them finished; %d times nothing was stored yet",
		*kills, float64(further)/float64(*kills), loaded, finished, none)
	r, err := trainInChild(folder, 1)
	if err != nil {
		t.Fatal(err)
	}
	sameWeights(t, r, whole)
}

// begun tells whether a run folder has a manifest.
func begun(parent, name string) bool {
	_, err := os.Stat(filepath.Join(parent, name, manifestName))
	return err == nil
}

// Two processes that train the same run at once: one trains, the other is told so.
func TestTwoProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	folder := t.TempDir()
	var outputs [2]bytes.Buffer
	var processes [2]*exec.Cmd
	for i := range processes {
		processes[i] = child(t, "TestSignals", folder, &outputs[i])
		if err := processes[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan int, 2)
	for i, p := range processes {
		go func() { _ = p.Wait(); ended <- i }()
	}
	loser := <-ended
	if said := outputs[loser].String(); !strings.Contains(said, "is being trained by another process: wait for it and call again") {
		t.Errorf("the one that ends first says:\n%s", said)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if runs, _ := Runs(folder); len(runs) == 1 {
			break
		}
	}
	if err := processes[1-loser].Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-ended
	runs, err := Runs(folder)
	if err != nil || len(runs) != 1 || runs[0].Updates == 0 || !strings.Contains(outputs[1-loser].String(), "the same call goes on from there") {
		t.Errorf("the other one says:\n%s\nstored: %d runs, %v", &outputs[1-loser], len(runs), err)
	}
}

// A run that another process trains can be opened at any time, though its files are replaced all the while.
func TestOpenWhileTraining(t *testing.T) {
	e, d, folder := enginetest.Open(t, engine.Go), mapped(60, 2, 4, 5), t.TempDir()
	c := tiny(Cho())
	c.Updates, c.EvaluateEvery = 40, 0
	stop, opened := make(chan bool), 0
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			entries, _ := os.ReadDir(folder)
			if len(entries) == 0 || !begun(folder, entries[0].Name()) {
				continue
			}
			if _, err := Open(filepath.Join(folder, entries[0].Name())); err != nil {
				t.Errorf("after %d times: %v", opened, err)
				return
			}
			opened++
		}
	})
	_, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet(), SaveEvery(0))
	close(stop)
	group.Wait()
	if err != nil || opened == 0 {
		t.Errorf("opened %d times, %v", opened, err)
	}
}

// A disk that fills up while a model is trained: the run is returned, what was stored before is whole, and with room the training goes on as if
// nothing had been.
func TestFullDisk(t *testing.T) {
	e, d := enginetest.Open(t, engine.Go), mapped(60, 2, 4, 5)
	c := noisy()
	whole := trained(t, e, c, d)
	disk := projecttest.Disk(t, 4<<20)
	for room := 0; ; room += 4 << 10 { // full at another file each time
		folder := filepath.Join(disk, fmt.Sprint(room))
		var empty func()
		r, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet(), SaveEvery(0), everyUpdate(func(p Progress) {
			if p.Update == 2 {
				empty = projecttest.Fill(t, disk, room)
			}
		}))
		if err == nil {
			if t.Logf("room for %d bytes was enough", room); room < 16<<10 {
				t.Error("the disk was never full")
			}
			empty()
			return
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("room for %d bytes: %v", room, err)
		}
		wantError(t, err, "cannot write", folder, "make room", "SEQ2ATTN_RUNS")
		if r == nil || r.Finished || r.Updates != 3 {
			t.Fatalf("room for %d bytes: %v", room, r)
		}
		stored, err := Open(r.Folder)
		if err != nil || stored.Updates != 2 {
			t.Fatalf("room for %d bytes: %v, %v", room, stored, err)
		}
		if _, err := r.Translate(context.Background(), sourcesOf(d.Test)); err != nil {
			t.Error(err)
		}
		empty()
		if r, err = Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet()); err != nil {
			t.Fatal(err)
		}
		sameWeights(t, r, whole)
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
}

// A folder that cannot be written: what is there is read and translates; a training says what to do before it computes anything, or, where the folder
// could be written when it began, as soon as it is to be stored.
func TestReadOnlyDisk(t *testing.T) {
	e, d := enginetest.Open(t, engine.Go), mapped(60, 2, 4, 5)
	ctx, c := context.Background(), tiny(Cho())
	disk := projecttest.Disk(t, 4<<20)
	train := func(c Config, options ...Option) (*Run, error) {
		return Train(ctx, c, d, append([]Option{on(t, e), Folder(disk), Quiet(), SaveEvery(0)}, options...)...)
	}
	first, err := train(c)
	if err != nil {
		t.Fatal(err)
	}
	projecttest.ReadOnly(t, disk, true)
	again, err := train(c)
	if err != nil {
		t.Fatal(err)
	}
	sameWeights(t, again, first)
	cached := again.cache()
	cached.after = 0 // would be kept
	if _, err := cached.get(request{Sources: sourcesOf(d.Test)}, func() ([][]Translation, error) { return nil, nil }); err != nil {
		t.Errorf("translations that cannot be kept: %v", err)
	}
	c.Seed = 2
	r, err := train(c)
	wantError(t, err, "cannot make the run's folder", disk, "read-only", "SEQ2ATTN_RUNS")
	if r != nil {
		t.Error("a run that was not begun")
	}
	projecttest.ReadOnly(t, disk, false)
	r, err = train(c, everyUpdate(func(p Progress) {
		if p.Update == 2 {
			projecttest.ReadOnly(t, disk, true)
		}
	}))
	wantError(t, err, "read-only", "SEQ2ATTN_RUNS")
	if r == nil || r.Updates != 3 {
		t.Fatalf("%v", r)
	}
	if stored, err := Open(r.Folder); err != nil || stored.Updates != 2 {
		t.Errorf("%v, %v", stored, err)
	}
	projecttest.ReadOnly(t, disk, false) // to be unmounted
}

// Clocks jump, and files come from machines whose clocks are wrong: times of files mean nothing.
func TestClock(t *testing.T) {
	e, d, c := enginetest.Open(t, engine.Go), mapped(60, 2, 4, 5), noisy()
	whole, folder := trained(t, e, c, d), t.TempDir()
	for i, year := range []int{1970, 2100} {
		ctx, cancel := context.WithCancel(context.Background())
		r, err := Train(ctx, c, d, on(t, e), Folder(folder), Quiet(), everyUpdate(func(p Progress) {
			if p.Update == 2*i+2 {
				cancel()
			}
		}))
		if r == nil || !errors.Is(err, context.Canceled) {
			t.Fatal(r, err)
		}
		entries, err := os.ReadDir(r.Folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			when := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
			if err := os.Chtimes(filepath.Join(r.Folder, entry.Name()), when, when); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet())
	if err != nil {
		t.Fatal(err)
	}
	sameWeights(t, r, whole)
	if r.Seconds < 0 || r.Seconds > 3600 {
		t.Errorf("trained for %v seconds", r.Seconds)
	}
}

// What JupyterLab and file systems leave in a run folder is neither removed nor in the way.
func TestForeignFiles(t *testing.T) {
	e, d, c, folder := enginetest.Open(t, engine.Go), mapped(60, 2, 4, 5), tiny(Cho()), t.TempDir()
	foreign := []string{".ipynb_checkpoints/run-checkpoint.json", ".nfs0001", "notes.txt", "mine.safetensors", ".hidden.safetensors"}
	r, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet(), SaveEvery(0), everyUpdate(func(p Progress) {
		if p.Update != 1 {
			return
		}
		runs, _ := os.ReadDir(folder)
		for _, name := range foreign {
			path := filepath.Join(folder, runs[0].Name(), name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("mine"), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range foreign {
		if text, err := os.ReadFile(filepath.Join(r.Folder, name)); err != nil || string(text) != "mine" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(r.Folder, "*-0000*")); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// A gradient that is not finite stops the training at its update, though the loss is finite, and nothing of it is stored.
func TestGradientThatIsNotFinite(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		c := tiny(Cho())
		c.Optimizer, c.ClipNorm, c.EvaluateEvery = "sgd", 0, 0
		m := manifest{Format: formatVersion, Config: c, Data: d.Name, Fingerprint: corpus.Fingerprint(d)}
		m.Key = key(c, m.Fingerprint)
		folder := t.TempDir()
		training, err := newTraining(folder, m, d, newOptions([]Option{on(t, e), Quiet(), SaveEvery(0)}), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		training.o.every, training.o.onProgress = 0, func(p Progress) {
			if p.Update != 2 {
				return
			}
			// What comes out is finite, but not how it depends on tiny embeddings.
			for v := range training.state.IterVariables() {
				switch path := v.Path(); {
				case strings.HasSuffix(path, "/encoder/embedding"):
					scale(t, v, 1e-10)
				case strings.HasSuffix(path, "/encoder/layer1/forward/W"):
					scale(t, v, 1e10)
				case strings.HasSuffix(path, "/decoder/readout/W_o"):
					scale(t, v, 1e34)
				}
			}
		}
		r, err := training.run(context.Background())
		if r != nil {
			t.Fatal("the training goes on")
		}
		wantError(t, err, "update 3, from batch 3 of epoch 1", "steps: the gradient of a loss of", "NaN or infinity", folder+" still holds update 2", "LearningRate")
		if strings.Contains(err.Error(), "loss of NaN") || strings.Contains(err.Error(), "loss of +Inf") {
			t.Errorf("the loss was not finite either: %v", err)
		}
		stored, err := Open(folder)
		if err != nil || stored.Updates != 2 {
			t.Fatalf("%v, %v", stored, err)
		}
	})
}

// Weights that do not fit the configuration that names them are an error, and no model is built that takes all memory.
func TestWeightsOfAnotherModel(t *testing.T) {
	e, d := enginetest.Open(t, engine.Go), mapped(60, 2, 4, 5)
	for _, test := range []struct {
		change func(*Config)
		open   string // what Open says; "" where only translating can tell
	}{
		{func(c *Config) { c.Hidden = 1 << 40 }, "too few"},
		{func(c *Config) { c.Embedding = 1 << 40 }, "too few"},
		{func(c *Config) { c.Hidden = 7 }, ""},
		{func(c *Config) { c.Cell = "lstm" }, ""},
		{func(c *Config) { c.Maxout = 3 }, ""},
	} {
		r := trained(t, e, tiny(Cho()), d)
		test.change(&r.manifest.Config)
		r.manifest.Key = key(r.manifest.Config, r.manifest.Fingerprint)
		if err := r.save(nil); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(r.Folder, on(t, e))
		if test.open != "" {
			wantError(t, err, test.open, r.Folder, "damaged")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err = opened.Translate(context.Background(), sourcesOf(d.Test)); err == nil {
			t.Error("weights of another model translate")
		}
	}
}

// Resuming is exact without dropout as well; TestResume has it with dropout.
func TestResumeWithoutDropout(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		c := tiny(Bahdanau())
		whole, folder := trained(t, e, c, d), t.TempDir()
		for stop := 1; stop < c.Updates; stop++ { // at every update
			ctx, cancel := context.WithCancel(context.Background())
			if _, err := Train(ctx, c, d, on(t, e), Folder(folder), Quiet(), everyUpdate(func(p Progress) {
				if p.Update == stop {
					cancel()
				}
			})); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		r, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet())
		if err != nil {
			t.Fatal(err)
		}
		sameWeights(t, r, whole)
	})
}

// One model translates, scores and searches from several goroutines as from one.
func TestGoroutines(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		r, d := halfTrained(t, e)
		ctx := context.Background()
		ask := func() (answers []any) {
			greedy, err := r.Translate(ctx, sourcesOf(d.Test))
			beam, err2 := r.Beam(ctx, sourcesOf(d.Test[:2]), 3)
			forced, err3 := r.Force(ctx, d.Test)
			if err := errors.Join(err, err2, err3); err != nil {
				t.Error(err)
			}
			return []any{greedy, beam, forced}
		}
		want := ask()
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if got := ask(); !reflect.DeepEqual(got, want) {
					t.Error("a goroutine gets another answer")
				}
			})
		}
		group.Wait()
	})
}

// Memory does not grow with the number of updates.
func TestMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("many updates")
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		c := tiny(Cho())
		c.Updates, c.EvaluateEvery = *updates, 100
		var used []int64
		r := trained(t, e, c, mapped(60, 2, 4, 5), SaveEvery(time.Second), everyUpdate(func(p Progress) {
			if p.Update%(*updates/10) == 0 && !p.Done {
				used = append(used, resident(t))
			}
		}))
		t.Logf("resident memory after every tenth of %d updates, in MB: %v", r.Updates, used)
		if grown := used[len(used)-1] - used[1]; len(used) != 10 || grown > 24 {
			t.Errorf("memory grew by %d MB", grown)
		}
	})
}

// resident is the memory of this process in MB, with all garbage collected.
func resident(t *testing.T) int64 {
	t.Helper()
	runtime.GC()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("this system does not tell how much memory a process has")
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize()) >> 20
}
