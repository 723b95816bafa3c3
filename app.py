"""The start page."""

from pagedviz.ui.shell import PAGES, headline, shell

shell("start")
headline(PAGES["start"].room)
