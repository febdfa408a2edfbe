"""What both Avalanche scripts need. Import it before Avalanche."""

import common
import torch

# Avalanche uses torchvision's Python part alone. Where the compiled part belongs to another build of torch, importing it fails
# for want of two operators: state them.
try:
    import torchvision.extension
except (ImportError, RuntimeError):
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(name + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

torch.set_num_threads(1)


class Rows(torch.utils.data.TensorDataset):
    """Inputs and labels as Avalanche wants them: with the labels as `targets` too."""

    def __init__(self, x, y):
        super().__init__(x, y)
        self.targets = y.tolist()
