"""Prints the weights that TestOptimizerLikePyTorch expects: PyTorch's Adam and SGD, three updates by known gradients, their norm limited to 1 or not.

Run with: python optimizer.py (PyTorch 2.5.1, NumPy not needed).
"""

import torch

GRADIENTS = [
    ([0.3, -0.4, 0], [1.2, -0.5]),
    ([-2, 0.1, 0.6], [0, 3]),
    ([0.01, 0.02, -0.03], [0.04, 0.05]),
]

for name in ["adam", "sgd"]:
    for limit in [0, 1]:
        weights = [torch.tensor([0.5, -1, 2], requires_grad=True), torch.tensor([0.25, -0.75], requires_grad=True)]
        optimizer = torch.optim.Adam(weights, lr=0.1, eps=1e-7) if name == "adam" else torch.optim.SGD(weights, lr=0.1)
        for gradients in GRADIENTS:
            for weight, gradient in zip(weights, gradients):
                weight.grad = torch.tensor(gradient)
            if limit:
                torch.nn.utils.clip_grad_norm_(weights, limit)
            optimizer.step()
        print(name, limit, [value for weight in weights for value in weight.tolist()])
