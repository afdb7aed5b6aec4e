package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"seq2attn/pkg/project"
	"seq2attn/pkg/results"
)

// side is one of the two that are compared.
type side struct {
	name    string
	command []string // to which the path of a job is added
	env     []string
}

// oursFlag makes the command a process that does our side of one job.
const oursFlag = "ours"

// sides are ours and the peer's with a number of threads; python is the peer's interpreter.
func sides(threads int, python string) (ours, peer side, err error) {
	program, err := os.Executable()
	if err != nil {
		return side{}, side{}, err
	}
	script, err := project.Path("cmd", "bench", "peer.py")
	if err != nil {
		return side{}, side{}, err
	}
	n := fmt.Sprint(threads)
	ours = side{"ours", []string{program, "-" + oursFlag}, []string{"GOMAXPROCS=" + n}}
	peer = side{"PyTorch", []string{python, "-I", script}, []string{"OMP_NUM_THREADS=" + n, "MKL_NUM_THREADS=" + n}}
	if threads < runtime.NumCPU() { // XLA takes as many threads as it has cores
		pin := []string{"taskset", "--cpu-list", fmt.Sprintf("0-%d", threads-1)}
		ours.command, peer.command = append(pin, ours.command...), append(pin, peer.command...)
	}
	return ours, peer, nil
}

// done is what a process said and cost.
type done struct {
	answer
	wall float64 // seconds from its start to its end
	peak float64 // largest resident memory, MB
}

// do runs a job in a new process. The job's folder must exist.
func (s side) do(ctx context.Context, j job) (done, error) {
	path, err := j.write()
	if err != nil {
		return done{}, err
	}
	command := append(s.command[1:len(s.command):len(s.command)], path)
	process := exec.CommandContext(ctx, s.command[0], command...)
	process.Env = append(os.Environ(), s.env...)
	var output, complaints bytes.Buffer
	process.Stdout, process.Stderr = &output, &complaints
	begin := time.Now()
	err = process.Run()
	d := done{wall: time.Since(begin).Seconds()}
	if err != nil {
		if ctx.Err() != nil {
			return done{}, ctx.Err()
		}
		return done{}, fmt.Errorf("%s: %w\n%s", s.name, err, strings.TrimSpace(complaints.String()))
	}
	if err := json.Unmarshal(output.Bytes(), &d.answer); err != nil {
		return done{}, fmt.Errorf("%s: its answer %q: %w", s.name, output.String(), err)
	}
	if usage, ok := process.ProcessState.SysUsage().(*syscall.Rusage); ok {
		d.peak = float64(results.PeakMemory(usage)) / (1 << 20)
	}
	return d, nil
}
