"""A viewer without a browser: the websocket that a browser would hold, and Streamlit's messages.

Sends what a browser sends (the address, changed inputs, pressed buttons) and keeps what it would
show. A viewer takes a megabyte or two, so that many of them leave the machine to the server; a
browser takes a few hundred. Left out: drawing, and stepping, neither of which asks the server.
"""

import base64
import gzip
import json
import re
from collections.abc import Iterator
from typing import Any, Self
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Block_pb2 import Block
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

LARGEST = 64 * 2**20  # bytes of one message
WHOLE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR)
TRIGGERS = ("trigger_value", "string_trigger_value", "json_trigger_value")


class Viewer:
    """One open window: `async with Viewer(url) as viewer: await viewer.open("/allocator")`."""

    def __init__(self, server: str, compression: str | None = None) -> None:
        self._address = server.replace("http", "ws", 1) + "/_stcore/stream"
        self._origin = server
        self._compression = compression  # "deflate", as browsers offer it
        self._socket: ClientConnection | None = None
        self._page = self._hash = self.query = ""
        self._given: dict[str, WidgetState] = {}  # what this viewer has set
        self._shown: dict[tuple[int, ...], tuple[str, Element | Block]] = {}  # path -> run, element
        self._cached: dict[str, ForwardMsg] = {}
        self._run = ""
        self.received = 0  # bytes

    async def __aenter__(self) -> Self:
        self._socket = await connect(
            self._address,
            subprotocols=["streamlit"],  # type: ignore[list-item]
            origin=self._origin,  # type: ignore[arg-type]
            max_size=LARGEST,
            compression=self._compression,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._socket is not None
        await self._socket.close()

    async def open(self, link: str) -> None:
        """Come to a page by a link, as a new arrival; returns when it is all there."""
        parts = urlsplit(link)
        self._page, self.query = parts.path.strip("/"), parts.query
        self._hash, self._given = "", {}
        await self._ask()

    async def set(self, key: str, **value: Any) -> None:
        """Change one input, `set("allocator.shelves", double_value=9)`, and wait for the page."""
        state = WidgetState(id=self.widget(key), **value)
        if next(iter(value)) in TRIGGERS:
            await self._ask(state)
        else:
            self._given[state.id] = state
            await self._ask()

    async def press(self, key: str) -> None:
        """Press a button."""
        await self.set(key, trigger_value=True)

    async def look(self) -> None:
        """Have the page drawn again, with nothing changed."""
        await self._ask()

    def elements(self) -> Iterator[Element | Block]:
        """What is shown, from the top of the page to its end."""
        return (element for _, (_, element) in sorted(self._shown.items()))

    def element(self, key: str) -> Any:
        """The input whose key is this, or starts with this and a dot; KeyError if none is."""
        for one in self.elements():
            if f"{_key(one)}.".startswith(f"{key}."):
                return one
        there = ", ".join(sorted(filter(None, map(_key, self.elements()))))
        raise KeyError(f"{key} is not on the page; there are {there}")

    def widget(self, key: str) -> str:
        """The identity by which the server knows the input with this key."""
        element = self.element(key)
        return str(getattr(element, str(element.WhichOneof("type"))).id)

    def keys(self) -> list[str]:
        """The keys of all inputs shown."""
        return list(filter(None, map(_key, self.elements())))

    def stage(self) -> dict[str, Any]:
        """What the stage was sent last; KeyError if the page has none."""
        data: dict[str, Any] = json.loads(self.element("stage").bidi_component.json)
        return data

    def run(self, index: int = 0) -> dict[str, Any]:
        """The run on the stage, unpacked."""
        packed = base64.b64decode(self.stage()["runs"][index])
        wire: dict[str, Any] = json.loads(gzip.decompress(packed))
        return wire

    def params(self) -> dict[str, str]:
        """What the stage is to keep in the address."""
        return dict(self.stage()["url"]["params"])

    def text(self) -> str:
        """All that is shown, as one text: to look for what must, or must not, be in it."""
        return "\n".join(str(element) for element in self.elements())

    async def _ask(self, trigger: WidgetState | None = None) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self.query, self._hash
        if not self._hash:
            state.page_name = self._page
        state.widget_states.widgets.extend(self._given.values())
        if trigger is not None:
            state.widget_states.widgets.append(trigger)
        state.cached_message_hashes.extend(self._cached)
        assert self._socket is not None
        await self._socket.send(message.SerializeToString())
        while True:
            data = await self._socket.recv(decode=False)
            self.received += len(data)
            if self._take(ForwardMsg.FromString(data)):
                return

    def _take(self, message: ForwardMsg) -> bool:
        """Keep what came; whether the page is now all there."""
        kind = message.WhichOneof("type")
        if kind == "ref_hash":  # what this viewer is known to have is not sent again
            known = ForwardMsg()
            known.CopyFrom(self._cached[message.ref_hash])
            known.metadata.CopyFrom(message.metadata)
            return self._take(known)
        if message.metadata.cacheable:
            self._cached[message.hash] = message
        if kind == "new_session":
            self._run = message.metadata.run.script_run_id
        elif kind == "navigation":
            self._hash = message.navigation.page_script_hash
        elif kind == "delta":
            self._show(tuple(message.metadata.delta_path), message)
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "script_finished" and message.script_finished in WHOLE:
            self._shown = {p: one for p, one in self._shown.items() if one[0] == self._run}
            return True
        return False

    def _show(self, path: tuple[int, ...], message: ForwardMsg) -> None:
        kind = message.delta.WhichOneof("type")
        if kind == "new_element":
            self._shown[path] = (self._run, message.delta.new_element)
        elif kind == "add_block":
            self._shown[path] = (self._run, message.delta.add_block)


def _key(shown: Element | Block) -> str:
    """The key of an input, which is the end of the identity that the server gave it."""
    inner = getattr(shown, str(shown.WhichOneof("type")), None)
    identity = str(getattr(inner, "id", ""))
    found = re.match(r"\$\$ID-[0-9a-f]+-(.+)", identity)
    return found[1] if found and found[1] != "None" else ""
