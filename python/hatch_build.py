"""Puts the program into the wheel, which is for one platform therefore."""

import os
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface[BuilderConfig]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        program = os.environ.get("ASSAY_WHEEL_PROGRAM")
        platform = os.environ.get("ASSAY_WHEEL_PLATFORM")
        if program is None or platform is None:
            raise RuntimeError("the program of the wheel must be built first: npm run wheel")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        build_data["force_include"][program] = "assay/_program_files"
