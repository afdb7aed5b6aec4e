// Command bench compares the course's models with the same models in PyTorch, on the CPU: the time of an update, of a translation and
// of a whole process, and its memory. It prints a table and writes docs/results/bench.json and bench.md. docs/speed.md says what each
// case is.
//
//	go run ./cmd/bench [-rounds 5] [-only SUBSTRING] [-threads N]
//
// PyTorch is that of `make bench`, or of the Python named by SEQ2ATTN_PYTORCH.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/project"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// enough is the least number of rounds whose medians are written.
const enough = 5

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	rounds := flags.Int("rounds", enough, fmt.Sprintf("number of rounds; with less than %d the results are only printed", enough))
	only := flags.String("only", "", "measure the cases whose name contains this; the results of others stay as they are")
	threads := flags.Int("threads", runtime.NumCPU(), "number of threads of either side")
	job := flags.String(oursFlag, "", "do our side of the job in this file; the command calls itself with it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("no argument is expected, and %q was given: for some cases only, use -only", flags.Arg(0))
	case *job != "":
		return doOurs(ctx, *job)
	case *rounds < 1:
		return fmt.Errorf("-rounds is %d: take 1 or more", *rounds)
	case *threads < 1 || *threads > runtime.NumCPU():
		return fmt.Errorf("-threads is %d: take 1 to the number of cores, %d", *threads, runtime.NumCPU())
	}
	python, err := pytorch()
	if err != nil {
		return err
	}
	l := laboratory{rounds: *rounds, threads: *threads}
	if l.ours, l.peer, err = sides(*threads, python); err != nil {
		return err
	}
	if l.folder, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	defer os.RemoveAll(l.folder)
	return compare(ctx, l, *only)
}

// compare measures the benchmarks whose names contain a text. What is measured is written at once.
func compare(ctx context.Context, l laboratory, only string) error {
	folder, err := project.Path("docs", "results")
	if err != nil {
		return err
	}
	all := benchmarks()
	var cases []string
	for _, b := range all {
		for _, m := range b.measures {
			cases = append(cases, b.name+m.suffix)
		}
	}
	fmt.Println(heading())
	found := false
	for _, b := range all {
		if !strings.Contains(b.name, only) {
			continue
		}
		found = true
		fresh, err := l.measure(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		for _, e := range fresh {
			fmt.Println(e.line())
		}
		if l.rounds < enough {
			continue
		}
		old, err := load(filepath.Join(folder, "bench.json"))
		if err != nil {
			return err
		}
		if err := write(folder, merge(old, fresh, cases)); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("no case has %q in its name; there are:\n%s", only, strings.Join(cases, "\n"))
	}
	if l.rounds < enough {
		fmt.Printf("not written: that takes %d rounds\n", enough)
	}
	return nil
}

// doOurs does our side of a job and prints the answer.
func doOurs(ctx context.Context, path string) error {
	j, err := readJob(path)
	if err != nil {
		return err
	}
	if err := os.Setenv(engine.CompiledVariable, j.Compiled); err != nil {
		return err
	}
	a, err := ours(ctx, j)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(a)
}

// pytorch is a Python that has PyTorch.
func pytorch() (string, error) {
	python := os.Getenv("SEQ2ATTN_PYTORCH")
	if python == "" {
		var err error
		if python, err = project.Path(".lab", "bench-venv", "bin", "python"); err != nil {
			return "", err
		}
	}
	if out, err := exec.Command(python, "-I", "-c", "import torch").CombinedOutput(); err != nil {
		return "", fmt.Errorf("no PyTorch in %s: run make bench, which installs it, or name a Python that has it in SEQ2ATTN_PYTORCH: %w %s", python, err, out)
	}
	return python, nil
}
