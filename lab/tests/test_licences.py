"""The lists of what the course is built from, for people and for programs, are those of what is pinned."""

import json
import os
import re
import subprocess
import sys

import pytest

from environment import ROOT


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="what is linked depends on the system, and the lists are Linux's")
def test_lists_are_up_to_date():
    variables = os.environ | {"GOFLAGS": "-buildvcs=false", "GOWORK": "off"}
    done = subprocess.run(["go", "run", ".", "-check"], cwd=ROOT / "lab" / "licences", env=variables, capture_output=True, text=True)
    if done.returncode and re.search("dial tcp|no such host|GOPROXY=off", done.stderr):
        pytest.skip("the module that knows licences by their texts is not here, and cannot be fetched")
    assert done.returncode == 0, done.stderr


def test_every_component_has_a_licence_and_an_address():
    sbom = json.loads((ROOT / "docs" / "sbom.cdx.json").read_text())
    assert sbom["bomFormat"] == "CycloneDX" and len(sbom["components"]) > 100
    for c in sbom["components"]:
        assert c["licenses"][0]["expression"] and c["purl"].startswith(("pkg:golang/", "pkg:pypi/")), c
    assert len({c["bom-ref"] for c in sbom["components"]}) == len(sbom["components"])
