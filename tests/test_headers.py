"""The headers of every answer of the server, whatever was asked."""

import urllib.error
import urllib.request

import pytest

from pagedviz.ui.headers import HEADERS


@pytest.mark.parametrize("path", ["/", "/allocator", "/_stcore/health", "/static/nothing.js"])
def test_every_answer_has_them_once(path, server):
    try:
        answer = urllib.request.urlopen(server.url + path)
    except urllib.error.HTTPError as refused:
        answer = refused
    for name, value in HEADERS.items():
        assert answer.headers.get_all(name) == [value]
