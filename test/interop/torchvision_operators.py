"""Declares the compiled operators of torchvision, which want CUDA libraries: their names are all that an import on a CPU
needs. Imported before torchvision."""

import pathlib
import re
import sysconfig

import torch

_meta = (pathlib.Path(sysconfig.get_paths()["purelib"]) / "torchvision/_meta_registrations.py").read_text()
_library = torch.library.Library("torchvision", "DEF")
for _name in sorted(set(re.findall(r'register_meta\("(\w+)"|"torchvision::(\w+)"', _meta))):
    _library.define(f"{_name[0] or _name[1]}(Tensor x) -> Tensor")
