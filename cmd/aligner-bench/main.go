// Command aligner-bench compares the training of Model 1 (pkg/ibm) with other aligners on real text: the wall time, processor time and largest
// memory of a process that reads the text, runs five iterations in both directions and writes what it has learned. It prints a table and, with
// enough rounds, writes docs/results/aligners.md. docs/alignment.md says more.
//
//	make bench-aligners
//	go run ./cmd/aligner-bench [-rounds 5] [-pairs 100000] [-peers fast_align,eflomal,thot]
//
// The aligners are those of `make bench-aligners`, or of the Python named by SEQ2ATTN_ALIGNERS. The text is Europarl, see docs/data.md.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/ibm"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/project"
	"seq2attn/pkg/results"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "aligner-bench:", err)
		os.Exit(1)
	}
}

const (
	// enough is the least number of rounds whose medians are written.
	enough     = 5
	iterations = 5
	// least is the smallest probability that our side writes, about where fast_align stops.
	least = 1e-4
)

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("aligner-bench", flag.ContinueOnError)
	rounds := flags.Int("rounds", enough, fmt.Sprintf("number of rounds; with less than %d the results are only printed", enough))
	pairs := flags.Int("pairs", 100000, "number of sentence pairs, the first of 100000")
	peers := flags.String("peers", "fast_align,eflomal,thot", "aligners to compare with, of fast_align, eflomal, thot and nltk")
	text := flags.String("ours", "", "do our side with this text; the command calls itself with it")
	output := flags.String("output", "", "where our side writes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("no argument is expected, and %q was given", flags.Arg(0))
	case *text != "":
		return ours(*text, *output)
	case *rounds < 1 || *pairs < 1 || *pairs > 100000:
		return fmt.Errorf("-rounds is %d and -pairs %d: give 1 round or more, and 1 to 100000 pairs", *rounds, *pairs)
	}
	sides, err := findSides(ctx, strings.Split(*peers, ","))
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "aligner-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "text")
	if err := writeText(path, *pairs); err != nil {
		return err
	}
	costs, err := measure(ctx, sides, path, *rounds)
	if err != nil {
		return err
	}
	t := table(sides, costs, *pairs)
	fmt.Print(t)
	if *rounds < enough {
		fmt.Printf("not written: that takes %d rounds\n", enough)
		return nil
	}
	page, err := project.Path("docs", "results", "aligners.md")
	if err != nil {
		return err
	}
	head := "# Aligners, measured\n\nWritten by `make bench-aligners`; do not edit. [alignment.md](../alignment.md) says what is measured.\n\n"
	return renameio.WriteFile(page, []byte(head+t), 0o644, renameio.WithTempDir(filepath.Dir(page)))
}

// writeText writes so many pairs of Europarl, in lower case, as all sides read them.
func writeText(path string, pairs int) error {
	d, err := corpus.Europarl(corpus.LoadOptions{Lower: true, MaxPairs: pairs, Train: []string{"train.0", "train.1"}})
	if err != nil {
		return err
	}
	if len(d.Train) < pairs {
		return fmt.Errorf("there are only %d pairs: lower -pairs", len(d.Train))
	}
	var text bytes.Buffer
	if err := corpus.WritePharaohText(&text, d.Train); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o600)
}

// ours is our side: read, train in both directions, write.
func ours(text, output string) error {
	pairs, err := corpus.ReadPharaohText(text)
	if err != nil {
		return err
	}
	for _, direction := range []string{"forward", "backward"} {
		m, err := ibm.NewModel1(pairs, ibm.Options{})
		if err != nil {
			return err
		}
		m.Train(iterations)
		file, err := os.Create(output + "." + direction)
		if err != nil {
			return err
		}
		if err := errors.Join(m.WriteLexicon(file, least), file.Close()); err != nil {
			return err
		}
		pairs = corpus.ReversePairs(pairs)
	}
	return nil
}

// side is one of those that are compared: ours is the first.
type side struct {
	name, version string
	command       func(text, output string) []string
}

// findSides are ours and the peers, each of which must be installed.
func findSides(ctx context.Context, peers []string) ([]side, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	sides := []side{{"ours", runtime.Version(), func(text, output string) []string { return []string{program, "-ours", text, "-output", output} }}}
	python := os.Getenv("SEQ2ATTN_ALIGNERS")
	if python == "" {
		if python, err = project.Path(".lab", "aligners-venv", "bin", "python"); err != nil {
			return nil, err
		}
	}
	script, err := project.Path("cmd", "aligner-bench", "peer.py")
	if err != nil {
		return nil, err
	}
	for _, name := range peers {
		version, err := exec.CommandContext(ctx, python, "-I", script, name).Output()
		if err != nil {
			return nil, fmt.Errorf("%s is not in %s: run make bench-aligners, which installs it, name a Python that has it in SEQ2ATTN_ALIGNERS, or leave it out of -peers: %w", name, python, err)
		}
		sides = append(sides, side{name, strings.TrimSpace(string(version)), func(text, output string) []string {
			return []string{python, "-I", script, name, text, output, strconv.Itoa(iterations)}
		}})
	}
	return sides, nil
}

// cost of a process: seconds of wall and processor, and MB.
type cost struct{ wall, processor, memory float64 }

// measure runs every side once a round, each time another one first.
func measure(ctx context.Context, sides []side, text string, rounds int) ([][]cost, error) {
	costs := make([][]cost, len(sides))
	for round := range rounds {
		for i := range sides {
			i = (i + round) % len(sides)
			c, err := run(ctx, sides[i].command(text, text+".out"))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", sides[i].name, err)
			}
			fmt.Fprintf(os.Stderr, "round %d: %-10s %7.1f s, %7.1f s of processor, %5.0f MB\n", round+1, sides[i].name, c.wall, c.processor, c.memory)
			costs[i] = append(costs[i], c)
		}
	}
	return costs, nil
}

func run(ctx context.Context, command []string) (cost, error) {
	process := exec.CommandContext(ctx, command[0], command[1:]...)
	var complaints bytes.Buffer
	process.Stderr = &complaints
	begin := time.Now()
	if err := process.Run(); err != nil {
		return cost{}, fmt.Errorf("%w\n%s", err, strings.TrimSpace(complaints.String()))
	}
	c := cost{wall: time.Since(begin).Seconds()}
	c.processor = (process.ProcessState.UserTime() + process.ProcessState.SystemTime()).Seconds()
	if usage, ok := process.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.memory = float64(results.PeakMemory(usage)) / (1 << 20)
	}
	return c, nil
}

// table is a Markdown table of medians, ratios taken in each round.
func table(sides []side, costs [][]cost, pairs int) string {
	var t strings.Builder
	m := results.ThisMachine()
	fmt.Fprintf(&t, "%d pairs, %d iterations of Model 1 in each direction, medians of %d rounds, %s; %s, %d cores, %s.\n\n", pairs, iterations, len(costs[0]),
		time.Now().UTC().Format(time.DateOnly), m.CPU, m.Cores, m.OS)
	t.WriteString("| aligner | version | wall | ours/its | min | max | processor | memory |\n|---|---|---:|---:|---:|---:|---:|---:|\n")
	for i, s := range sides {
		var wall, processor, memory, ratios []float64
		for round, c := range costs[i] {
			wall, processor, memory = append(wall, c.wall), append(processor, c.processor), append(memory, c.memory)
			ratios = append(ratios, costs[0][round].wall/c.wall)
		}
		fmt.Fprintf(&t, "| %s | %s | %.1f s | %.2f | %.2f | %.2f | %.1f s | %.0f MB |\n", s.name, s.version, metrics.Median(wall), metrics.Median(ratios), slices.Min(ratios),
			slices.Max(ratios), metrics.Median(processor), metrics.Median(memory))
	}
	return t.String()
}
