"""The same model as a layer: its parameters come from a network that is given the weather."""

from pathlib import Path

import torch
from retro.torch import foreign

temperatures = foreign(Path(__file__).parent / "cooling.c", "temperatures", batch=["p"])
t = torch.linspace(0, 3, 31, dtype=torch.double)

p = torch.tensor([[0.8, 20, 90], [0.5, 10, 80]], dtype=torch.double, requires_grad=True)
print("gradcheck:", torch.autograd.gradcheck(temperatures.apply, (p, t)))
print("gradgradcheck:", torch.autograd.gradgradcheck(temperatures.apply, (p, t)))

torch.manual_seed(1)
weather = torch.rand(64, 2, dtype=torch.double)  # wind, sun
truth = torch.stack([0.2 + weather[:, 0], 10 + 20 * weather[:, 1], torch.full((64,), 90.0, dtype=torch.double)], 1)
measured = temperatures.apply(truth, t)

layer = torch.nn.Linear(2, 3, dtype=torch.double)
with torch.no_grad():
    layer.bias.copy_(torch.tensor([0.5, 15, 80]))
optimizer = torch.optim.LBFGS(layer.parameters(), max_iter=200, line_search_fn="strong_wolfe")


def closure() -> torch.Tensor:
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(temperatures.apply(layer(weather), t), measured)
    loss.backward()
    return loss


print(f"loss {closure().item():.0f} -> {optimizer.step(closure).item() and closure().item():.2f}")
print("by wind:", *(f"{w:.2f}" for w in layer.weight[:, 0].tolist()))
