"""Generates the package from the API document whenever pip builds it."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GenerateClient(BuildHookInterface):
    def initialize(self, version, build_data):
        root = Path(self.root)
        self.work = Path(tempfile.mkdtemp(prefix="commerce-client-"))
        document = json.loads((root / "../../openapi.json").read_text(encoding="utf-8"))
        (self.work / "openapi.json").write_text(json.dumps(with_datetimes(document)), encoding="utf-8")
        package = self.work / "commerce_service_client"
        command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
        paths = ["--path", self.work / "openapi.json", "--output-path", package]
        settings = ["--config", root / "generator.yml", "--custom-template-path", root / "templates"]
        subprocess.run([*command, *paths, *settings], check=True)
        shutil.copy(root / "id.py", package / "models/id.py")
        build_data["force_include"][str(package)] = "commerce_service_client"

    def finalize(self, version, build_data, artifact_path):
        shutil.rmtree(self.work, ignore_errors=True)


def with_datetimes(schema):
    """The document with each date, an integer of 64 bits on the wire, as a `date-time`, which the generator types."""
    if isinstance(schema, list):
        return [with_datetimes(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$date" in schema.get("properties", {}):
        return {"type": "string", "format": "date-time"}
    read = {key: with_datetimes(value) for key, value in schema.items()}
    if read.get("format") == "int64":
        nullable = isinstance(read["type"], list)
        read |= {"format": "date-time", "type": ["string", "null"] if nullable else "string"}
        # Bounds are of numbers, and a default that is a word is no date.
        for other in ("minimum", "maximum", "default"):
            read.pop(other, None)
    return read
