"""HAT on the fully connected network in PyTorch, the peer that the step benchmark runs beside the compiled module.

The mathematics is that of the method's official code; `check` replays a recorded step of that code, so that what is timed
is known to be right.
"""

import json
import struct

import torch
import torch.nn.functional as F

PARAMETERS = ["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]


def read_safetensors(path):
    """The tensors of a safetensors file by name."""
    types = {"F32": torch.float32, "I64": torch.int64}
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    tensors = {}
    for name, entry in json.loads(data[8 : 8 + length]).items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        raw = bytearray(data[8 + length + begin : 8 + length + end])
        tensors[name] = torch.frombuffer(raw, dtype=types[entry["dtype"]]).reshape(entry["shape"]).clone()
    return tensors


def loss_function(parameters, gates, head, claimed, x, y, s, c, rates, keep):
    """Cross entropy of the task's head and the sparsity term; `keep` replaces drawn dropout masks."""

    def dropout(value, index):
        if keep is not None:
            return value * keep[index] / (1 - rates[min(index, 1)])
        return F.dropout(value, rates[min(index, 1)], training=True)

    a1, a2 = torch.sigmoid(s * gates[0]), torch.sigmoid(s * gates[1])
    h = dropout(x.flatten(1), 0)
    h = dropout(F.relu(F.linear(h, parameters[0], parameters[1])), 1) * a1
    h = dropout(F.relu(F.linear(h, parameters[2], parameters[3])), 2) * a2
    used = (a1 * (1 - claimed[0])).sum() + (a2 * (1 - claimed[1])).sum()
    free = (1 - claimed[0]).sum() + (1 - claimed[1]).sum()
    return F.cross_entropy(F.linear(h, head[0], head[1]), y) + c * used / free


@torch.no_grad()
def update(parameters, gates, head, gradients, claimed, s, smax, clip, rate):
    """Gradient masks, compensation of the gates, clipping, SGD and the clamp, in the order of the official code."""
    p1, p2 = claimed
    grads = list(gradients)
    grads[0] = grads[0] * (1 - p1)[:, None]
    grads[1] = grads[1] * (1 - p1)
    grads[2] = grads[2] * (1 - torch.minimum(p2[:, None], p1[None, :]))
    grads[3] = grads[3] * (1 - p2)
    for index, gate in enumerate(gates):
        cosh = torch.cosh(torch.clamp(s * gate, -50, 50)) + 1
        grads[4 + index] = grads[4 + index] * (smax / s) * cosh / (torch.cosh(gate) + 1)
    norm = torch.sqrt(sum((g * g).sum() for g in grads))
    coefficient = torch.clamp(clip / (norm + 1e-6), max=1.0)
    for value, gradient in zip([*parameters, *gates, *head], grads):
        value.sub_(rate * coefficient * gradient)
    for gate in gates:
        gate.clamp_(-6, 6)


class Peer:
    """Weights of one task's training and a step on them, eager or through torch.compile."""

    def __init__(self, pixels, hidden, classes, rates, c, smax, clip, compiled):
        torch.manual_seed(0)
        make = lambda *shape: torch.randn(*shape) * 0.05
        self.parameters = [make(hidden, pixels), make(hidden), make(hidden, hidden), make(hidden)]
        self.gates = [torch.randn(hidden), torch.randn(hidden)]
        self.head = [make(classes, hidden), make(classes)]
        self.claimed = [torch.zeros(hidden), torch.zeros(hidden)]
        self.rates, self.c, self.smax, self.clip = rates, c, smax, clip
        self.loss = torch.compile(loss_function, dynamic=False) if compiled else loss_function
        self.update = torch.compile(update, dynamic=False) if compiled else update

    def trained(self):
        return [*self.parameters, *self.gates, *self.head]

    def step(self, x, y, s, rate, keep=None):
        # A scalar tensor, so that torch.compile does not specialize on each value of the schedule.
        s = torch.tensor(s, dtype=torch.float32)
        values = self.trained()
        for value in values:
            value.requires_grad_(True)
        loss = self.loss(self.parameters, self.gates, self.head, self.claimed, x, y, s, self.c, self.rates, keep)
        gradients = torch.autograd.grad(loss, values)
        for value in values:
            value.requires_grad_(False)
        self.update(self.parameters, self.gates, self.head, gradients, self.claimed, s, self.smax, self.clip, rate)
        return loss.item()


def check(folder, compiled):
    """Replays a recorded step; returns the largest deviation of the new parameters, relative to each tensor's largest."""
    with open(f"{folder}/case.json") as file:
        case = json.load(file)
    data = read_safetensors(f"{folder}/data.safetensors")
    task = case["task"]
    peer = Peer(192, case["nhid"], 3, [0.0, 0.0], case["lamb"], case["smax"], case["clipgrad"], compiled)
    peer.parameters = [data[f"init.{name}"].clone() for name in PARAMETERS]
    peer.gates = [data[f"init.efc{layer}.weight"][task].clone() for layer in (1, 2)]
    peer.head = [data[f"init.last.{task}.{name}"].clone() for name in ("weight", "bias")]
    peer.claimed = [data[f"state.mask_pre.fc{layer}"][0].clone() for layer in (1, 2)]
    peer.step(data["step.x"], data["step.y"], case["s"], case["lr"])
    expected = [data[f"step.param.{name}"] for name in PARAMETERS]
    expected += [data[f"step.param.efc{layer}.weight"][task] for layer in (1, 2)]
    expected += [data[f"step.param.last.{task}.{name}"] for name in ("weight", "bias")]
    return max(((a - b).abs().max() / b.abs().max()).item() for a, b in zip(peer.trained(), expected))
