package lesson

import (
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

func TestCost(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		t.Setenv("SEQ2ATTN_ENGINE", string(e.Kind))
		runs := t.TempDir()
		t.Setenv("SEQ2ATTN_RUNS", runs)
		table, err := Cost(model(1), 2, 3, 6)
		if err != nil {
			t.Fatal(err)
		}
		if len(table.Rows) != 2 {
			t.Fatalf("%d rows for two lengths", len(table.Rows))
		}
		for i, n := range []int{3, 6} {
			row := table.Rows[i]
			if row[0] != n || row[1].(int) < n || row[2].(float64) <= 0 || row[3].(float64) < 1 {
				t.Errorf("length %d: %v", n, row)
			}
		}
		if before, after := table.Rows[0][3].(float64), table.Rows[1][3].(float64); after < before {
			t.Errorf("the peak fell from %v to %v MB", before, after)
		}
		if _, err := Cost(model(1), 2, 1); err == nil {
			t.Error("a sentence of one word was made")
		}
	})
}
