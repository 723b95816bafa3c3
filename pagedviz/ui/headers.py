"""What the server says with every answer about what a page may do: nothing from anywhere else.

An ASGI middleware around the app, for the plain server. A proxy before it may say the same
(`.deploy/nginx.conf` does, and takes these away). Leaves out: encryption, which is the proxy's.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

# Streamlit starts a page's own scripts inline and reads tables with WebAssembly; the stage's
# modules are blobs, fonts and pictures may be data. Nothing else, and nothing from elsewhere.
POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "media-src 'none'",
        "object-src 'none'",
        "frame-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
RAW: Final = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}


class SecurityHeaders:
    """Puts `HEADERS` on every answer over http; the websocket passes untouched."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or pass a connection on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sends(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in RAW]
                message = {**message, "headers": [*kept, *RAW.items()]}
            await send(message)

        await self.app(scope, receive, sends)
