"""Executes report.ipynb over a cube: python3 analysis/execute.py CUBE OUTPUT. The executed notebook stands in OUTPUT too."""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("Usage: python3 analysis/execute.py CUBE OUTPUT, as results/quickstart.h5 results/analysis")
    cube, output = (Path(argument).resolve() for argument in sys.argv[1:])
    if not cube.exists():
        sys.exit(f"{cube}: there is no such file. Make it with `palimpsest run`.")
    output.mkdir(parents=True, exist_ok=True)
    os.environ |= {"PALIMPSEST_CUBE": str(cube), "PALIMPSEST_OUTPUT": str(output)}
    here = Path(__file__).resolve().parent
    notebook = nbformat.read(here / "report.ipynb", as_version=4)
    options = {"timeout": 120, "kernel_name": "python3", "extra_arguments": ["--IPKernelApp.log_level=40"]}
    NotebookClient(notebook, resources={"metadata": {"path": str(here)}}, **options).execute()
    nbformat.write(notebook, output / "report.ipynb")
    print(f"{output}: report.ipynb, summary.csv and pictures")


main()
