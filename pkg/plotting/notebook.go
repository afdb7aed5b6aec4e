package plotting

import (
	"encoding/base64"
	"fmt"
	"html"
	"math"
	"strconv"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"gonum.org/v1/plot/vg"
)

// Outputs are HTML with the picture as PNG inside, in an <img> with an alternative text: front ends keep that in a notebook they
// do not trust, unlike SVG, and the plain image output of JupyterLab has no place for the text.

// display sends an output in HTML, Markdown or both, and in plain text for front ends that know neither. Outputs of one id other
// than "" replace each other. It returns when the kernel has the output: about one in twenty is lost when a cell ends before.
// Outside a notebook it does nothing.
func display(content map[protocol.MIMEType]any, id string) error {
	if !gonbui.IsNotebook {
		return nil
	}
	gonbui.SendData(&protocol.DisplayData{Data: content, DisplayID: id})
	if err := gonbui.Error(); err != nil {
		return fmt.Errorf("plotting: show: %w", err)
	}
	synced := make(chan struct{})
	go func() {
		gonbui.Sync() // waits for ever where the kernel is gone
		close(synced)
	}()
	const patience = 20 * time.Second
	select {
	case <-synced:
	case <-time.After(patience):
		return fmt.Errorf("plotting: show: the kernel has not taken the output in %v", patience)
	}
	if err := gonbui.Error(); err != nil {
		return fmt.Errorf("plotting: show: %w", err)
	}
	return nil
}

// Show displays the figure in the notebook, as the output of the cell that runs. Outside a notebook it shows nothing. Options are those
// of [Figure.Save].
func (f *Figure) Show(options ...Option) error {
	page, err := f.on(options...)
	if err != nil {
		return fmt.Errorf("plotting: show: %w", err)
	}
	f.warn(page)
	if !gonbui.IsNotebook {
		return nil
	}
	return page.show("")
}

func (f *sheet) show(id string) error {
	png, err := f.encode(".png")
	if err != nil {
		return fmt.Errorf("plotting: show: %w", err)
	}
	return display(map[protocol.MIMEType]any{
		protocol.MIMETextHTML:  f.html(png),
		protocol.MIMETextPlain: f.alt,
	}, id)
}

// html is the figure at its size, whatever the screen's density.
func (f *sheet) html(png []byte) string {
	pixels := func(v vg.Length) string { return strconv.Itoa(int(math.Round(float64(v / vg.Inch * 96)))) }
	return fmt.Sprintf(`<img alt="%s" width="%s" src="data:image/png;base64,%s">`,
		html.EscapeString(f.alt), pixels(f.wide), base64.StdEncoding.EncodeToString(png))
}

// Live is one output of a cell in which figures replace each other while the cell runs. The notebook keeps the last.
//
//	live := plotting.NewLive(2 * time.Second)
//	… in every step of a long run:
//	err := live.Show(done, plotting.Loss{…}.Figure)
type Live struct {
	id    string
	every time.Duration
	last  time.Time
}

// NewLive makes an output that is drawn anew after some time at the earliest.
func NewLive(every time.Duration) *Live {
	// The kernel remembers an id when the cell runs again, and the front end has dropped its output then: each run needs a new one.
	return &Live{id: "seq2attn-" + gonbui.UniqueId(), every: every}
}

// Show draws the figure if the time has come, or if this is the last. The figure is only made then, and only in a notebook.
func (l *Live) Show(last bool, figure func() (*Figure, error)) error {
	if !gonbui.IsNotebook || !last && time.Since(l.last) < l.every {
		return nil
	}
	f, err := figure()
	if err != nil {
		return err
	}
	page, err := f.on()
	if err == nil && last {
		f.warn(page)
	}
	if err == nil {
		err = page.show(l.id)
	}
	l.last = time.Now()
	return err
}

// Markdown displays text, with its formulas between dollar signs. Outside a notebook it does nothing.
func Markdown(text string) error {
	return display(map[protocol.MIMEType]any{
		protocol.MIMETextMarkdown: text,
		protocol.MIMETextPlain:    text,
	}, "")
}
