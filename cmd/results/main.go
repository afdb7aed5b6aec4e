// Command results measures what the course ships in docs/results: it trains the models of an experiment over several seeds, tests
// them by sentence length, and writes docs/results/NAME.json, a page NAME.md with the tables, and the figures.
//
//	go run ./cmd/results [-seeds 5] [-jobs 1] [NAME…]
//
// Without a name it measures all experiments that need no data from outside. A run that was trained already is not trained again; an interrupted command goes on where it stopped.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
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
		fmt.Fprintf(flags.Output(), "usage: results [flags] [NAME…]\n\nNAME is one of these; without one, all that need no data from outside:\n")
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
	chosen, err := choose(flags.Args())
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, e := range chosen {
		m := measurement{experiment: e, seeds: *seeds, jobs: *jobs, only: *only}
		if err := m.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return nil
}

// choose gives the experiments of these names, or where there is none all that need no data from outside.
func choose(names []string) (chosen []experiment, err error) {
	all := experiments()
	if len(names) == 0 {
		return slices.DeleteFunc(all, func(e experiment) bool { return e.real }), nil
	}
	for _, name := range names {
		i := slices.IndexFunc(all, func(e experiment) bool { return e.name == name })
		if i < 0 {
			var known []string
			for _, e := range all {
				known = append(known, e.name)
			}
			return nil, fmt.Errorf("no experiment named %q: there are %s", name, strings.Join(known, ", "))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}
