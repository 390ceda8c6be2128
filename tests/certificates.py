"""A certificate for a server of a test, made by openssl."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from arena.web.server import Certificate

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")


def certificate(folder: Path) -> Certificate:
    """Make one for 127.0.0.1, which lasts two days."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made += ["-keyout", str(key), "-out", str(cert), "-days", "2", "-subj", "/CN=localhost"]
    made += ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(made, check=True, capture_output=True, timeout=60)
    return Certificate(cert, key)
