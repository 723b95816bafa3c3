"""Several viewers of one server: nobody sees what another has set, or is disturbed by it.

Over the websocket that a browser would hold (viewer.py), against a server of its own process: what
is shared between sessions by mistake shows only where there are several.
"""

import asyncio
import contextlib
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor

import pytest

from pagedviz.ui.shell import PAGES
from tests.viewer import Viewer
from tests.viewer_acts import ACTS

MINE, YOURS = 7, 90


def run(visit: Coroutine[object, object, None]) -> None:
    """In a thread of its own: where browser tests run too, this one has a loop already."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, visit).result()


def test_each_page_has_an_act():
    assert list(ACTS) == list(PAGES)


@pytest.mark.parametrize("page", ACTS)
def test_two_viewers_of_a_page_do_not_see_each_other(page, server):
    act = ACTS[page]

    async def both() -> None:
        async with Viewer(server.url) as me, Viewer(server.url) as you:
            await asyncio.gather(me.open(act.link), you.open(act.link))
            await asyncio.gather(act.change(me, MINE), act.change(you, YOURS))
            for _ in range(2):
                assert act.shown(me, MINE)
                assert act.shown(you, YOURS)
                assert not act.shown(me, YOURS)
                assert not act.shown(you, MINE)
                await asyncio.gather(me.look(), you.look())

    run(both())


@pytest.mark.parametrize("page", ACTS)
def test_who_comes_later_finds_the_page_as_it_opens(page, server):
    act = ACTS[page]

    async def later() -> None:
        async with Viewer(server.url) as me:
            await me.open(act.link)
            await act.change(me, MINE)
            async with Viewer(server.url) as you:
                await you.open(act.link)
                assert act.shown(me, MINE)
                assert not act.shown(you, MINE)

    run(later())


def test_viewers_on_all_pages_at_once_see_their_own(server):
    async def visit(number: int, page: str) -> None:
        act = ACTS[page]
        async with Viewer(server.url) as viewer:
            await viewer.open(act.link)
            for mark in (number, number + 40):
                await act.change(viewer, mark)
                assert act.shown(viewer, mark)
            await viewer.look()
            assert act.shown(viewer, number + 40)
            other = number + 41  # what the next viewer has set
            assert not act.shown(viewer, other)

    async def all_at_once() -> None:
        await asyncio.gather(*(visit(2 * n, page) for n, page in enumerate([*ACTS, *ACTS])))

    run(all_at_once())


def test_a_viewer_who_leaves_in_the_middle_disturbs_nobody(server):
    act = ACTS["allocator"]

    async def leave() -> None:
        async with Viewer(server.url) as stays:
            await stays.open(act.link)
            await act.change(stays, MINE)
            with contextlib.suppress(TimeoutError):
                async with Viewer(server.url) as leaves:
                    await leaves.open(act.link)
                    await asyncio.wait_for(act.change(leaves, YOURS), 0.001)
            await stays.look()
            assert act.shown(stays, MINE)

    run(leave())


def test_a_change_does_not_bring_the_scripts_of_the_stage_again(server):
    act = ACTS["allocator"]

    async def change() -> None:
        async with Viewer(server.url) as viewer:
            await viewer.open(act.link)
            whole = viewer.received
            await act.change(viewer, MINE)
            assert whole > 200_000  # scripts and style
            assert viewer.received - whole < 100_000  # the run, the chart, the rest of the page

    run(change())
