"""The talks that come with the app."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pagedviz.talks.customer import CUSTOMER
from pagedviz.talks.stakeholder import STAKEHOLDER
from pagedviz.talks.talk import Talk
from pagedviz.talks.training import TRAINING

SHIPPED: Final[Mapping[str, Talk]] = MappingProxyType(
    {talk.id: talk for talk in (STAKEHOLDER, TRAINING, CUSTOMER)}
)
