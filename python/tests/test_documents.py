"""What the documents show runs."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT
from test_reports import has_r


def blocks(document, language):
    return "\n".join(re.findall(rf"```{language}\n(.*?)```", (ROOT / document).read_text(), flags=re.DOTALL))


@pytest.fixture
def place(quickstart, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results/quickstart.h5").symlink_to(quickstart)
    return tmp_path


@pytest.mark.parametrize("document", ["docs/analysis.md", "python/README.md"])
def test_python_of(document, place):
    command = [sys.executable, "-W", "error", "-c", blocks(document, "python")]
    answer = subprocess.run(command, cwd=place, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    # README.md's table of the quickstart: naive of visible 0.604 ± 0.017.
    assert re.search(r"visible +naive +0\.604 +0\.017", answer.stdout)


def test_r_of_the_analysis_page(place):
    if not has_r():
        pytest.skip("Rscript with rhdf5 is not here")
    answer = subprocess.run(["Rscript", "-e", blocks("docs/analysis.md", "r")], cwd=place, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert re.search(r"naive +visible +0\.604\d* +0\.016\d*", answer.stdout), answer.stdout
