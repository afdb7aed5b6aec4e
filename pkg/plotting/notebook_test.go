//go:build unix

package plotting

import (
	"encoding/base64"
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// insideVariable tells the test binary to be a notebook's cell, which runs the part of the test that it names.
const insideVariable = "PLOTTING_TEST_CELL"

// kernel takes what a cell shows, as GoNB's kernel does through two named pipes.
type kernel struct {
	outputs []*protocol.DisplayData
	synced  int // outputs that were there at the last Sync
}

// run runs a part of TestCell as a cell and acts as its kernel, which falls silent where it answers no Sync.
func (k *kernel) run(t *testing.T, part string, answers bool) (said string, err error) {
	t.Helper()
	dir := t.TempDir()
	there, back := filepath.Join(dir, "there"), filepath.Join(dir, "back")
	for _, pipe := range []string{there, back} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cell := exec.Command(os.Args[0], "-test.run=^TestCell$", "-test.v")
	cell.Env = append(os.Environ(), insideVariable+"="+part, protocol.GONB_PIPE_ENV+"="+there, protocol.GONB_PIPE_BACK_ENV+"="+back)
	var out strings.Builder
	cell.Stdout, cell.Stderr = &out, &out
	if err := cell.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- k.serve(there, back, answers) }()
	err = cell.Wait()
	select {
	case served := <-done:
		if served != nil {
			t.Fatalf("kernel: %v\n%s", served, out.String())
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("the cell opened no pipe:\n%s", out.String())
	}
	return out.String(), err
}

func (k *kernel) serve(there, back string, answers bool) error {
	in, err := os.OpenFile(there, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(back, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	decoder, encoder := gob.NewDecoder(in), gob.NewEncoder(out)
	for {
		data := &protocol.DisplayData{}
		if err := decoder.Decode(data); err != nil {
			return nil // the cell has ended
		}
		if value, ok := data.Data[protocol.MIMECommValue].(protocol.CommValue); ok {
			k.synced = len(k.outputs)
			if answers {
				if err := encoder.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: value.Value}); err != nil {
					return err
				}
			}
			continue
		}
		k.outputs = append(k.outputs, data)
	}
}

// TestCell is what runs in a cell.
func TestCell(t *testing.T) {
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	switch os.Getenv(insideVariable) {
	case "":
		t.Skip("run by the tests of the notebook")
	case "figure":
		check(small(t).Show())
	case "live":
		live := NewLive(time.Hour)
		drawn := 0
		loss := Loss{Runs: []LossRun{{Name: "a"}}, Updates: 3}
		for u := 1; u <= 3; u++ {
			loss.Runs[0].Train = append(loss.Runs[0].Train, Point{u, 1})
			check(live.Show(u == 3, func() (*Figure, error) { drawn++; return loss.Figure() }))
		}
		if drawn != 2 { // the first and the last
			t.Errorf("%d figures were made", drawn)
		}
	case "text":
		check(Markdown("$\\alpha$"))
		check(table().Show())
	}
}

func TestShow(t *testing.T) {
	k := &kernel{}
	if said, err := k.run(t, "figure", true); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if len(k.outputs) != 1 || k.synced != 1 {
		t.Fatalf("%d outputs, %d before the Sync", len(k.outputs), k.synced)
	}
	f := small(t)
	png, err := encode(f, ".png")
	if err != nil {
		t.Fatal(err)
	}
	html, _ := k.outputs[0].Data[protocol.MIMETextHTML].(string)
	for _, want := range []string{
		`<img alt="A &lt;title&gt; &amp; more. Heatmap`,
		fmt.Sprintf(` width="%.0f" `, f.width.Points()*96/72),
		`src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(png) + `"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %.60s… in %.300s…", want, html)
		}
	}
	if k.outputs[0].Data[protocol.MIMETextPlain] != f.Alt() || k.outputs[0].DisplayID != "" {
		t.Errorf("%.300v", k.outputs[0])
	}
}

// Figures of one Live are one output.
func TestLive(t *testing.T) {
	ids := map[string]bool{}
	for range 2 {
		k := &kernel{}
		if said, err := k.run(t, "live", true); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		if len(k.outputs) != 2 || k.outputs[0].DisplayID == "" || k.outputs[0].DisplayID != k.outputs[1].DisplayID {
			t.Fatalf("outputs %.200v", k.outputs)
		}
		ids[k.outputs[0].DisplayID] = true
	}
	if len(ids) != 2 {
		t.Error("two runs of a cell have one output: the second would replace what is no longer there")
	}
}

func TestShowText(t *testing.T) {
	k := &kernel{}
	if said, err := k.run(t, "text", true); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if len(k.outputs) != 2 || k.synced != 2 {
		t.Fatalf("%d outputs, %d before the last Sync", len(k.outputs), k.synced)
	}
	if got := k.outputs[0].Data[protocol.MIMETextMarkdown]; got != "$\\alpha$" {
		t.Errorf("%q", got)
	}
	if got := k.outputs[1].Data[protocol.MIMETextHTML]; got != table().HTML() {
		t.Errorf("%q", got)
	}
}

// A kernel that is gone makes an error, not a cell that waits for ever.
func TestSilentKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the patience of Show")
	}
	k := &kernel{}
	said, err := k.run(t, "figure", false)
	if err == nil || !strings.Contains(said, "the kernel has not taken the output") {
		t.Errorf("%v\n%s", err, said)
	}
}

// Outside a notebook nothing is shown, and nothing is wrong.
func TestShowOutside(t *testing.T) {
	if err := small(t).Show(); err != nil {
		t.Error(err)
	}
	if err := Markdown("text"); err != nil {
		t.Error(err)
	}
	err := NewLive(0).Show(true, func() (*Figure, error) {
		t.Error("a figure was made for nobody")
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
}
