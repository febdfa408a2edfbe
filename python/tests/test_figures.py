"""Every Vega-Lite specification of `report --figures` is one that Vega-Lite draws, from fields that its data have."""

import csv
import io
import json

import pytest

vl_convert = pytest.importorskip("vl_convert", reason="vl-convert-python is not installed")


def fields(node, columns, found):
    """Collects what a specification says of its data: fields that are none of the columns."""
    if isinstance(node, list):
        for item in node:
            fields(item, columns, found)
    elif isinstance(node, dict):
        own = node.get("data", {}).get("values")
        if own == []:
            return
        if own is not None:
            columns = set(own[0]) if isinstance(own, list) else set(next(csv.reader(io.StringIO(own))))
        if isinstance(node.get("field"), str) and node["field"] not in columns:
            found.append(node["field"])
        for key, item in node.items():
            if key != "data":
                fields(item, columns, found)


@pytest.mark.parametrize("results", ["quickstart", "stream", "tuned", "people", "diverged", "partial"])
def test_specifications_are_drawn(tool, folder, request, results):
    target = folder / f"figures-{results}"
    tool("report", request.getfixturevalue(results), "--figures", target, "--figure-format", "vl.json")
    files = sorted(target.glob("*.vl.json"))
    assert files
    for file in files:
        specification = json.loads(file.read_text())
        missing = []
        fields(specification, set(), missing)
        assert not missing, f"{file.name}: {missing}"
        svg = vl_convert.vegalite_to_svg(specification)
        assert svg.startswith("<svg") and svg.count("<path") > 3, file.name
