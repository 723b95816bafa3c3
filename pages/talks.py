"""How do I show this to others? Talks: views in an order, with what to say at each."""

from pagedviz.ui import walk, walk_page
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.words import register

arrival = shell("talks")
if "leave" in arrival.params and arrival.first:
    walk.leave()
headline(
    PAGES["talks"].question(register()),
    "Walk through views of this app in an order of your own, with a clicker and notes.",
)
walk_page.shipped()
walk_page.own()
this_is(
    "A talk is a list of links with notes; it holds no pictures, and every view is computed anew "
    "when it is opened. Notes appear below the page and in a second window, never in the presenter "
    "view (P). Your own talk lives in this window: save it to a file to keep it."
)
