"""Lets LeRobot 0.6 run on Python 3.11: its own code, with the generics of 3.12 written as 3.11 has them.

  lerobot_backport.py FOLDER   rewrites FOLDER/lerobot
"""

import pathlib
import re
import sys

GENERIC = re.compile(r"^(class|def) (\w+)\[([^\]]+)\](\(?)", re.MULTILINE)
ALIAS = re.compile(r"^type (\w+ = )", re.MULTILINE)


def backport(text: str) -> str:
    names: dict[str, None] = {}

    def plain(found: re.Match) -> str:
        kind, name, parameters, bracket = found.groups()
        own = [one.split(":")[0].strip() for one in parameters.split(",")]
        names.update(dict.fromkeys(own))
        if kind == "def":
            return f"def {name}{bracket}"
        return f"class {name}(Generic[{', '.join(own)}]" + (", " if bracket else ")")

    text = ALIAS.sub(r"\1", GENERIC.sub(plain, text))
    if not names:
        return text
    made = "".join(f'{name} = TypeVar("{name}")\n' for name in names)
    at = text.index("\nimport ") + 1
    return text[:at] + "from typing import Generic, TypeVar\n" + made + text[at:]


for path in sorted((pathlib.Path(sys.argv[1]) / "lerobot").rglob("*.py")):
    text = path.read_text()
    if (other := backport(text)) != text:
        path.write_text(other)
