// Command results measures what the course ships in docs/results: it trains the models of an experiment over several seeds, tests
// them by sentence length, and writes docs/results/NAME.json, a page NAME.md with the tables, and the figures.
//
//	go run ./cmd/results [-seeds 5] [-jobs 1] [-data FOLDER] NAME…
//
// A run that was trained already is not trained again; an interrupted command goes on where it stopped.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	if err := command(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	flags := flag.NewFlagSet("results", flag.ContinueOnError)
	seeds := flags.Int("seeds", 5, "number of seeds, 1 to this")
	jobs := flags.Int("jobs", 1, "number of trainings at once")
	only := flags.String("only", "", "train the models whose name contains this, and write nothing: to share the work among processes")
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "usage: results [flags] NAME…\n\nNAME is one of:\n")
		for _, e := range experiments() {
			fmt.Fprintf(flags.Output(), "  %-12s %s\n", e.name, e.question)
		}
		fmt.Fprintln(flags.Output(), "\nflags:")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *seeds < 1 || *jobs < 1 {
		return fmt.Errorf("-seeds and -jobs are at least 1")
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return errors.New("name an experiment")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, name := range flags.Args() {
		e, err := experimentNamed(name)
		if err != nil {
			return err
		}
		m := measurement{experiment: e, seeds: *seeds, jobs: *jobs, only: *only}
		if err := m.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func experimentNamed(name string) (experiment, error) {
	var names []string
	for _, e := range experiments() {
		if e.name == name {
			return e, nil
		}
		names = append(names, e.name)
	}
	return experiment{}, fmt.Errorf("no experiment named %q: there are %s", name, strings.Join(names, ", "))
}
