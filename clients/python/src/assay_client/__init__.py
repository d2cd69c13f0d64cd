"""Typed client for the Assay API.

    from assay_client import Client, every

    with Client("https://assay.example.org", token="asy_…") as client:
        for episode in every(client.episodes.list, project_id=project, decision=["reject"]):
            print(episode["name"], episode["flags"])
"""

from ._generated.client import Client as Client
from .async_client import AsyncClient as AsyncClient
from .errors import AssayApiError as AssayApiError
from .options import OMITTED as OMITTED
from .options import CallOptions as CallOptions
from .options import Omitted as Omitted
from .options import Patience as Patience
from .pages import Page as Page
from .pages import aevery as aevery
from .pages import every as every
from .upload import Upload as Upload
