package seq2seq

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// The controlled experiment of the course: digits written backwards, full batch, 40 updates. The PyTorch script it comes from reached a
// token accuracy of 0.93, and an attention along the anti-diagonal.
func TestDigitReversal(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for a while")
	}
	d, err := corpus.ReverseDigits(corpus.DigitOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := Bahdanau()
	c.Embedding, c.Hidden, c.Readout, c.SourceEOS = 16, 32, ReadoutPlain, false
	c.BatchSize, c.Updates, c.LearningRate, c.Schedule, c.EvaluateEvery = len(d.Train), 40, 1e-2, ScheduleConstant, 0
	r := trained(t, enginetest.Open(t, engine.XLA), c, d)
	translations, err := r.Translate(context.Background(), sourcesOf(d.Test))
	if err != nil {
		t.Fatal(err)
	}
	right, near, words := 0, 0, 0
	for i, p := range d.Test {
		for j, want := range p.Target {
			words++
			if j < len(translations[i].Target) && translations[i].Target[j] == want {
				right++
			}
		}
		for j, row := range translations[i].Attention {
			for k, a := range row {
				if a == maxOf(row) && j < len(p.Target) && j+k >= len(row)-2 && j+k <= len(row) {
					near++ // a bidirectional state knows its neighbours' words too
				}
			}
		}
	}
	if accuracy := float64(right) / float64(words); accuracy < 0.85 {
		t.Errorf("token accuracy %.3f, want about 0.93", accuracy)
	}
	if share := float64(near) / float64(words); share < 0.9 {
		t.Errorf("%.2f of the words attend most to the one they come from or one beside it", share)
	}
}

func maxOf(row []float64) float64 {
	most := math.Inf(-1)
	for _, v := range row {
		most = max(most, v)
	}
	return most
}

// Every wiring, cell and training option learns: the loss falls.
func TestEverythingTrains(t *testing.T) {
	d := mapped(120, 2, 4, 5)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for name, change := range map[string]func(*Config){
			"sutskever":          func(c *Config) { *c = Sutskever() },
			"cho":                func(c *Config) { *c = Cho() },
			"bahdanau":           func(c *Config) {},
			"rnn":                func(c *Config) { c.Cell = "rnn" },
			"lstm two layers":    func(c *Config) { c.Cell, c.Layers, c.Dropout = "lstm", 2, 0.1 },
			"sgd":                func(c *Config) { c.Optimizer, c.LearningRate, c.ClipNorm = "sgd", 0.5, 0 },
			"scheduled sampling": func(c *Config) { c.TeacherForcing = 0.5 },
			"luong":              func(c *Config) { *c = Luong() },
			"luong without feeding, dropout on attention": func(c *Config) {
				*c = Luong()
				c.Wiring, c.Attention, c.AttentionDropout, c.CoverageLoss = WiringLuong, ScoreDot, 0.2, 0.5
			},
			"two layers, local-p, both dropouts, scheduled sampling": func(c *Config) {
				*c = Luong()
				c.Layers, c.Window, c.WindowSize, c.Dropout, c.AttentionDropout, c.TeacherForcing = 2, WindowLocalP, 2, 0.1, 0.1, 0.7
			},
			"vaswani": func(c *Config) { *c = Vaswani() },
			"vaswani, all options": func(c *Config) {
				*c = Vaswani()
				c.PreNorm, c.Dropout, c.AttentionDropout, c.CoverageLoss, c.WarmUp, c.ReverseSource = true, 0.1, 0.1, 0.5, 5, true
			},
			"local-m, scheduled sampling": func(c *Config) { c.Window, c.TeacherForcing = WindowLocalM, 0.7 },
		} {
			if e.Kind == engine.XLA && (testing.Short() || name != "lstm two layers" && name != "scheduled sampling" && name != "vaswani, all options" && !strings.HasPrefix(name, "two layers")) {
				continue // compiling takes long
			}
			t.Run(name, func(t *testing.T) {
				c := Bahdanau()
				change(&c)
				c = tiny(c)
				c.Updates, c.EvaluateEvery, c.Schedule = 30, 30, ScheduleConstant
				if c.Optimizer == "adam" {
					c.LearningRate = 0.02
				}
				r := trained(t, e, c, d)
				first, last := r.Train[0].Loss, r.Train[len(r.Train)-1].Loss
				if !(last < 0.85*first) {
					t.Errorf("loss went from %.3f to %.3f", first, last)
				}
				if len(r.Dev) != 1 || !r.Finished || r.Updates != 30 || r.KeptUpdate != 30 || r.Parameters == 0 || r.Pairs != 72 || r.Engine != string(e.Kind) {
					t.Errorf("report %+v", r.Report)
				}
			})
		}
	})
}

// The coverage loss lowers what it measures, and is not in the losses of the report.
func TestCoverageLossSpreadsAttention(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	d := mapped(120, 4, 6, 5)
	again := func(weight float64) (sum float64) {
		c := tiny(Bahdanau())
		c.Updates, c.EvaluateEvery, c.LearningRate, c.Schedule, c.CoverageLoss = 60, 0, 0.02, ScheduleConstant, weight
		r := trained(t, e, c, d)
		if loss := r.Train[len(r.Train)-1].Loss; loss > 3 { // ln of the vocabulary is 2.2, the penalty some 0.5 a token
			t.Errorf("with weight %v the report's loss is %v", weight, loss)
		}
		forced, err := r.Force(context.Background(), d.Test)
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range forced {
			covered := make([]float64, len(tr.Source)+1)
			for _, row := range tr.Attention {
				for j, a := range row {
					sum += min(a, covered[j])
					covered[j] += a
				}
			}
		}
		return sum
	}
	without, with := again(0), again(2)
	if !(with < 0.8*without) {
		t.Errorf("%.1f attended again without the loss, %.1f with it", without, with)
	}
}

// noisy is a configuration with random choices in its training. Tests share it, so that its graph is compiled once.
func noisy() Config {
	c := tiny(Bahdanau())
	c.Dropout, c.AttentionDropout, c.TeacherForcing = 0.2, 0.1, 0.7
	return c
}

// Same seed, same engine: same weights. Another seed: others.
func TestSeeds(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		c := noisy()
		r := trained(t, e, c, d)
		sameWeights(t, trained(t, e, c, d), r)
		c.Seed = 2
		if other := trained(t, e, c, d); reflect.DeepEqual(weightsOf(t, other), weightsOf(t, r)) {
			t.Error("another seed gives the same weights")
		}
	})
}

// A training that is stopped and called again ends as if it had not been stopped, bit for bit: random choices and early stopping included.
func TestResume(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, patience := range []int{0, 2} {
			c := noisy()
			c.Updates, c.EvaluateEvery, c.Patience = 9, 2, patience
			whole := trained(t, e, c, d)
			folder := t.TempDir()
			for _, stop := range []int{2, 5} {
				ctx, cancel := context.WithCancel(context.Background())
				r, err := Train(ctx, c, d, on(t, e), Folder(folder), Quiet(), everyUpdate(func(p Progress) {
					if p.Update == stop {
						cancel()
					}
				}))
				if !errors.Is(err, context.Canceled) || r == nil || r.Updates != stop || r.Finished {
					t.Fatalf("stopped at %d: %+v, %v", stop, r, err)
				}
				wantError(t, err, fmt.Sprintf("after update %d of 9", stop), r.Folder, "goes on")
			}
			r, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet())
			if err != nil {
				t.Fatal(err)
			}
			sameWeights(t, r, whole)
			if r.Updates != whole.Updates || r.KeptUpdate != whole.KeptUpdate || r.Tokens != whole.Tokens || len(r.Dev) != len(whole.Dev) {
				t.Errorf("resumed: %+v, whole: %+v", r.Report, whole.Report)
			}
			for i := range whole.Train {
				if r.Train[i].Loss != whole.Train[i].Loss {
					t.Errorf("curve differs at update %d", whole.Train[i].Update)
				}
			}
		}
	})
}

// everyUpdate calls f after every update, on time or not.
func everyUpdate(f func(Progress)) Option {
	return func(o *options) { o.onProgress, o.every = f, 0 }
}

// A second call loads what the first trained, without an engine.
func TestTrainLoads(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		folder := t.TempDir()
		c := noisy()
		first, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet())
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		var output bytes.Buffer
		again, err := Train(context.Background(), c, d, Folder(folder), Output(&output))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("loaded in %v", time.Since(begin))
		if again.bench.engine != nil {
			t.Error("loading opened an engine")
		}
		if got := output.String(); !strings.Contains(got, "trained before") || strings.Contains(got, folder) {
			t.Errorf("it says %q: want that it was trained before, and no path of this machine", got)
		}
		sameWeights(t, again, first)
		if !reflect.DeepEqual(again.Report, first.Report) {
			t.Errorf("reports\n%+v\n%+v", again.Report, first.Report)
		}
		opened, err := Open(first.Folder)
		if err != nil {
			t.Fatal(err)
		}
		sameWeights(t, opened, first)
		c.Seed++
		other, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet())
		if err != nil {
			t.Fatal(err)
		}
		if runs, err := Runs(folder); err != nil || len(runs) != 2 || other.Folder == first.Folder {
			t.Errorf("%d runs, %v; want the old one and the new", len(runs), err)
		}
	})
}

// Early stopping keeps the weights of the best development loss. Development data that training makes worse and worse stops it soon.
func TestPatience(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	for i, p := range d.Dev { // the opposite of what the training part teaches
		for k := range p.Target {
			d.Dev[i].Target[k] = d.Train[(i+k)%len(d.Train)].Target[0]
		}
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		c := noisy()
		c.Updates, c.EvaluateEvery, c.Patience, c.LearningRate, c.Schedule = 60, 1, 3, 0.05, ScheduleConstant
		r := trained(t, e, c, d)
		if !r.StoppedEarly || !r.Finished || r.Updates != r.KeptUpdate+3 || r.Updates == c.Updates {
			t.Fatalf("updates %d, kept %d, stopped early %v", r.Updates, r.KeptUpdate, r.StoppedEarly)
		}
		best := r.Dev[r.KeptUpdate-1].Loss
		nats, tokens := 0.0, 0
		forced, err := r.Force(context.Background(), d.Dev)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range forced {
			nats -= f.LogProb
			tokens += f.length()
		}
		if math.Abs(nats/float64(tokens)-best) > 1e-4 {
			t.Errorf("the kept weights have a development loss of %v, the best was %v", nats/float64(tokens), best)
		}
	})
}

// A learning rate far too high ends the training with the update's number, and leaves what was saved before.
func TestLossThatIsNotFinite(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		c := tiny(Bahdanau())
		c.Optimizer, c.LearningRate, c.ClipNorm, c.Updates, c.EvaluateEvery, c.Schedule = "sgd", 100, 0, 300, 0, ScheduleConstant
		c.Cell = "lstm"
		folder := t.TempDir()
		r, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet(), SaveEvery(0))
		if r != nil {
			t.Fatalf("trained for %d updates to a loss of %v", r.Updates, r.Train[len(r.Train)-1].Loss)
		}
		wantError(t, err, "update", "LearningRate", "still holds update")
		runs, err := Runs(folder)
		if err != nil || len(runs) != 1 {
			t.Fatalf("%d runs, %v", len(runs), err)
		}
		for name, values := range weightsOf(t, runs[0]) {
			if !allFinite(values) {
				t.Errorf("stored weights %s are not finite", name)
			}
		}
	})
}

// Every pair is trained on whatever the batch size: a last short batch, one larger than the data, a single pair.
func TestShortBatches(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, test := range []struct{ pairs, batch int }{{5, 4}, {3, 8}, {1, 4}} {
			d := mapped(20, 2, 3, 5)
			d.Train, d.Dev = d.Train[:test.pairs], nil
			tokens := 0
			for _, p := range d.Train {
				tokens += len(p.Target) + 1
			}
			c := tiny(Sutskever())
			c.Cell, c.Layers = "rnn", 1 // quick to compile
			c.BatchSize = test.batch
			c.Updates = (test.pairs + test.batch - 1) / test.batch // one epoch
			if r := trained(t, e, c, d); r.Tokens != int64(tokens) {
				t.Errorf("%d pairs in batches of %d: %d tokens of %d trained on", test.pairs, test.batch, r.Tokens, tokens)
			}
		}
	})
}

// Forty sentences of forty lengths train and are translated; GoMLX by itself gives up after 32 shapes.
func TestFortyLengths(t *testing.T) {
	d := mapped(1, 1, 1, 5)
	d.Train = nil
	for length := 1; length <= 40; length++ {
		p := mapped(1, length, length, 5).Train[0]
		d.Train = append(d.Train, p)
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		if e.Kind == engine.Go && testing.Short() {
			t.Skip("long sentences are slow in pure Go")
		}
		c := tiny(Sutskever())
		c.Cell, c.Layers = "rnn", 1 // quick to compile
		c.BatchSize, c.Updates, c.EvaluateEvery = 1, 40, 0
		r := trained(t, e, c, d)
		translations, err := r.Translate(context.Background(), sourcesOf(d.Train), LengthCap(func(int) int { return 3 }))
		if err != nil || len(translations) != 40 {
			t.Fatal(len(translations), err)
		}
	})
}

// Where the run cannot be stored, it is returned all the same, and can translate.
func TestNothingLostWithoutDisk(t *testing.T) {
	e, d := enginetest.Open(t, engine.Go), mapped(60, 2, 4, 5)
	parent := t.TempDir()
	r, err := Train(context.Background(), tiny(Cho()), d, on(t, e), Folder(parent), Quiet(), everyUpdate(func(p Progress) {
		if p.Update == 2 {
			os.RemoveAll(parent)
		}
	}))
	wantError(t, err, "cannot write", parent)
	if r == nil || r.Updates != 6 || r.Finished {
		t.Fatalf("run %+v", r)
	}
	if translations, err := r.Translate(context.Background(), sourcesOf(d.Test)); err != nil || len(translations) != len(d.Test) {
		t.Error(err)
	}
}

func TestTrainRefuses(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	for _, test := range []struct {
		change func(*Config, *corpus.Data)
		says   []string
	}{
		{func(c *Config, d *corpus.Data) { c.Hidden = 0 }, []string{"Config.Hidden"}},
		{func(c *Config, d *corpus.Data) { d.Train = nil }, []string{"training part", `"mapped"`, "empty"}},
		{func(c *Config, d *corpus.Data) { c.MaxLength = 1 }, []string{"MaxLength is 1", "all 36 training pairs"}},
		{func(c *Config, d *corpus.Data) { c.Patience, d.Dev = 2, nil }, []string{"Config.Patience", "development part"}},
		{func(c *Config, d *corpus.Data) { c.MinCount = 1000 }, []string{"vocabulary"}},
		{func(c *Config, d *corpus.Data) {
			d.Dev = []corpus.Pair{{Source: strings.Fields("a b c d e f"), Target: strings.Fields("a b c d e f")}}
			c.MaxLength = 4
		}, []string{"development pairs"}},
	} {
		c, d := tiny(Bahdanau()), d
		test.change(&c, &d)
		folder := t.TempDir()
		r, err := Train(context.Background(), c, d, Folder(folder), Quiet())
		if r != nil {
			t.Error("a run in spite of an error")
		}
		wantError(t, err, test.says...)
		if runs, _ := Runs(folder); len(runs) > 0 {
			t.Error("something was stored")
		}
	}
}

// Pairs that are too long are left out and counted.
func TestMaxLength(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	long := 0
	for _, p := range d.Train {
		if len(p.Source) > 3 {
			long++
		}
	}
	c := tiny(Cho())
	c.MaxLength, c.Updates, c.EvaluateEvery = 3, 1, 0
	if r := trained(t, enginetest.Open(t, engine.Go), c, d); long == 0 || r.TooLong != long || r.Pairs != len(d.Train)-long {
		t.Errorf("%d pairs trained on, %d left out; want %d and %d", r.Pairs, r.TooLong, len(d.Train)-long, long)
	}
}

// Two trainings of the same run: the second is told of the first. In a process that is killed the lock goes too.
func TestLock(t *testing.T) {
	d := mapped(60, 2, 4, 5)
	e, c, folder := enginetest.Open(t, engine.Go), tiny(Cho()), t.TempDir()
	var second error
	_, err := Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet(), everyUpdate(func(p Progress) {
		if p.Update == 1 {
			_, second = Train(context.Background(), c, d, on(t, e), Folder(folder), Quiet())
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, second, "being trained", "wait")
}

// The stop button: a process that is sent SIGINT saves, says so, and its successor goes on. One that is killed loses what came
// after the last save and nothing else.
func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	if folder := os.Getenv("SEQ2SEQ_TEST_FOLDER"); folder != "" {
		trainForSignals(folder, SaveEvery(0))
		return
	}
	for _, signal := range []os.Signal{os.Interrupt, os.Kill} {
		t.Run(signal.String(), func(t *testing.T) {
			folder := t.TempDir()
			command := exec.Command(os.Args[0], "-test.run", "^TestSignals$", "-test.v")
			command.Env = append(os.Environ(), "SEQ2SEQ_TEST_FOLDER="+folder)
			var output bytes.Buffer
			command.Stdout, command.Stderr = &output, &output
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
				if runs, _ := Runs(folder); len(runs) == 1 && runs[0].Updates > 2 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("the process saves nothing:\n%s", &output)
				}
			}
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = command.Wait()
			if signal == os.Interrupt && !strings.Contains(output.String(), "the same call goes on from there") {
				t.Errorf("it says:\n%s", &output)
			}
			runs, err := Runs(folder)
			if err != nil || len(runs) != 1 || runs[0].Finished {
				t.Fatalf("%d runs, %v", len(runs), err)
			}
			from := runs[0].Updates
			ctx, cancel := context.WithCancel(context.Background())
			r, err := trainForSignalsUntil(ctx, folder, everyUpdate(func(p Progress) {
				if p.Update == from+2 {
					cancel()
				}
			}))
			if !errors.Is(err, context.Canceled) || r.Updates != from+2 {
				t.Errorf("resumed from %d: %v, %v", from, r, err)
			}
			if left, _ := filepath.Glob(filepath.Join(r.Folder, ".*")); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

func trainForSignals(folder string, options ...Option) {
	_, err := trainForSignalsUntil(context.Background(), folder, append(options, Output(os.Stdout))...)
	fmt.Println(err)
}

func trainForSignalsUntil(ctx context.Context, folder string, options ...Option) (*Run, error) {
	e, err := engine.OpenKind(engine.Go)
	if err != nil {
		return nil, err
	}
	c := tiny(Bahdanau())
	c.Updates, c.EvaluateEvery = 100000, 0
	return Train(ctx, c, mapped(60, 2, 4, 5), append([]Option{Engine(e), Folder(folder), Quiet()}, options...)...)
}
