// Package recurrent makes the step of a recurrent network a differentiable operation over any number of steps, and holds
// the cells that are used as steps: RNN, GRU and LSTM.
package recurrent
