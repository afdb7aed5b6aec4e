package seq2seq

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/google/renameio/v2"
	"github.com/nlpodyssey/safetensors"

	"seq2attn/pkg/kept"
)

// weightScope is the part of the store that holds the weights and nothing else.
const weightScope = "seq2seq"

// stored is a file of a run as its run.json knows it: what does not match is damaged.
type stored struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// store writes a file whole or not at all, and only returns once it is on the disk.
func store(folder, name string, write func(io.Writer) error) (stored, error) {
	path := filepath.Join(folder, name)
	file, err := renameio.NewPendingFile(path, renameio.WithTempDir(folder), renameio.WithPermissions(0o644))
	if err != nil {
		return stored{}, fmt.Errorf("seq2seq: cannot write %s: %w", path, err)
	}
	defer file.Cleanup()
	sum, count := sha256.New(), counter(0)
	if err := write(io.MultiWriter(file, sum, &count)); err != nil {
		return stored{}, fmt.Errorf("seq2seq: cannot write %s: %w", path, err)
	}
	if err := file.CloseAtomicallyReplace(); err != nil {
		return stored{}, fmt.Errorf("seq2seq: cannot write %s: %w", path, err)
	}
	return stored{Name: name, Bytes: int64(count), SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// load reads a file that store wrote, and refuses any other content.
func (s stored) load(folder string) ([]byte, error) {
	path := filepath.Join(folder, s.Name)
	if s.Name == "" || s.Name != filepath.Base(s.Name) {
		return nil, damaged(filepath.Join(folder, manifestName), fmt.Errorf("it names a file %q", s.Name))
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, damaged(path, errors.New("the file is missing"))
	}
	if err != nil {
		return nil, fmt.Errorf("seq2seq: %w", err)
	}
	if info.Size() != s.Bytes {
		return nil, damaged(path, fmt.Errorf("%d bytes where %d were written", info.Size(), s.Bytes))
	}
	data, err := kept.ReadFile(path, maxStored)
	if err != nil {
		return nil, fmt.Errorf("seq2seq: %w", err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != s.SHA256 {
		return nil, damaged(path, errors.New("its SHA-256 is not the one that was written"))
	}
	return data, nil
}

// damaged is the error for a run folder that does not hold what was written into it.
func damaged(path string, why error) error {
	return fmt.Errorf("seq2seq: %s is damaged: %w; nothing was changed: delete the folder to train anew, or name another with the option Folder", path, why)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// dataTypes are those that variables may have, here and in a safetensors file. A model's and its moments are Float32.
var dataTypes = []struct {
	here dtypes.DType
	file safetensors.DType
}{
	{dtypes.Float32, safetensors.F32},
	{dtypes.Float64, safetensors.F64},
	{dtypes.Int32, safetensors.I32},
	{dtypes.Int64, safetensors.I64},
	{dtypes.Uint64, safetensors.U64},
}

// writeVariables stores the variables that keep says, in the safetensors format. A weight that is not finite is an error: such a model is lost.
// So is a scalar, which the format's library has none of.
func writeVariables(w io.Writer, variables *model.Store, keep func(*model.Variable) bool) error {
	views := map[string]safetensors.TensorView{}
	for v := range variables.IterVariables() {
		if !keep(v) {
			continue
		}
		value, err := v.Value()
		if err != nil {
			return fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		view, err := viewOf(value)
		if err != nil {
			return fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		views[v.Path()] = view
	}
	return safetensors.SerializeToWriter(views, nil, w)
}

func viewOf(value *tensors.Tensor) (view safetensors.TensorView, err error) {
	for _, t := range dataTypes {
		if t.here != value.DType() {
			continue
		}
		dimensions := make([]uint64, value.Rank())
		for i, d := range value.Shape().Dimensions {
			dimensions[i] = uint64(d)
		}
		if value.DType() == dtypes.Float32 {
			finite := true
			tensors.MustConstFlatData(value, func(flat []float32) { finite = allFinite(flat) })
			if !finite {
				return view, errNotFinite
			}
		}
		accessErr := value.ConstBytes(func(data []byte) {
			view, err = safetensors.NewTensorView(t.file, dimensions, append([]byte(nil), data...))
		})
		return view, errors.Join(accessErr, err)
	}
	return view, fmt.Errorf("no file format for %s", value.Shape())
}

// errNotFinite says that a model is lost.
var errNotFinite = errors.New("NaN or infinity")

func allFinite(values []float32) bool {
	for _, v := range values {
		if v-v != 0 { // NaN and ±Inf
			return false
		}
	}
	return true
}

// readVariables takes the values that writeVariables wrote into variables. Those that exist already keep their order and must have
// the same shape; the file must then hold all of them.
func readVariables(data []byte, variables *model.Store) error {
	file, err := safetensors.Deserialize(data)
	if err != nil {
		return err
	}
	for v := range variables.IterVariables() {
		if _, ok := file.Tensor(v.Path()); !ok {
			return fmt.Errorf("variable %s is missing", v.Path())
		}
	}
	for _, named := range file.Tensors() {
		shape, err := shapeOf(named.TensorView)
		if err != nil {
			return fmt.Errorf("variable %s: %w", named.Name, err)
		}
		value := tensors.FromShape(shape)
		if err := value.MutableBytes(func(bytes []byte) { copy(bytes, named.TensorView.Data()) }); err != nil {
			return fmt.Errorf("variable %s: %w", named.Name, err)
		}
		if v := variables.GetVariable(named.Name); v == nil {
			_, err = variables.CreateVariable(named.Name, value)
		} else if !shape.Equal(v.Shape()) {
			err = fmt.Errorf("has shape %s, not %s", shape, v.Shape())
		} else {
			err = v.SetValue(value)
		}
		if err != nil {
			return fmt.Errorf("variable %s: %w", named.Name, err)
		}
	}
	return nil
}

func shapeOf(view safetensors.TensorView) (shapes.Shape, error) {
	dimensions := make([]int, len(view.Shape()))
	for i, d := range view.Shape() {
		if d > math.MaxInt32 {
			return shapes.Shape{}, fmt.Errorf("a dimension of %d", d)
		}
		dimensions[i] = int(d)
	}
	for _, t := range dataTypes {
		if t.file == view.DType() {
			return shapes.Make(t.here, dimensions...), nil
		}
	}
	return shapes.Shape{}, fmt.Errorf("data type %v", view.DType())
}

// copyWeights makes the weights of one store those of another.
func copyWeights(to, from *model.Store) error {
	for v := range from.Scope(weightScope).IterVariables() {
		value, err := v.Value()
		if err != nil {
			return err
		}
		if value, err = value.LocalClone(); err != nil {
			return err
		}
		if old := to.GetVariable(v.Path()); old != nil {
			err = old.SetValue(value)
		} else {
			_, err = to.CreateVariable(v.Path(), value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isWeight tells the weights from what else a store holds.
func isWeight(v *model.Variable) bool { return strings.HasPrefix(v.Path(), "/"+weightScope+"/") }
