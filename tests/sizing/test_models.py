"""The table of models: each is read like a file, and agrees with the other table."""

import pytest

from pagedviz.sizing import ConfigError
from pagedviz.sizing.models import model, models
from pagedviz.timeline.kv_models import KV_MODELS


@pytest.mark.parametrize("one", models(), ids=lambda one: one.id)
def test_each_model_has_figures_and_a_source(one):
    found = one.geometry()
    assert found.bytes_per_token(2) > 0
    assert found.context
    assert not found.warnings
    assert not found.unsure
    assert one.source
    assert one.parameters_source
    assert one.weights >= one.parameters // 2
    assert found.per_card(1).bytes_per_token(2) == found.bytes_per_token(2)


def test_ids_are_names_of_one_model_each():
    ids = [one.id for one in models()]
    assert len(set(ids)) == len(ids) >= 36
    with pytest.raises(ConfigError, match="no model 'nobody'"):
        model("nobody")


@pytest.mark.parametrize("known", KV_MODELS, ids=lambda known: known.id)
def test_agrees_with_the_table_of_the_timeline(known):
    assert model(known.id).geometry("spyre").bytes_per_token() == known.bytes_per_token


def test_weights_of_quantized_models():
    assert model("granite-3.3-8b-fp8").weights == model("granite-3.3-8b-fp8").parameters
    # 24 layers x 32 experts x 3 x 2,880^2 at 4.25 bits, and the rest at 16
    experts = 24 * 32 * 3 * 2880 * 2880
    rest = model("gpt-oss-20b").parameters - experts
    assert model("gpt-oss-20b").weights == experts * 17 // 32 + rest * 2
