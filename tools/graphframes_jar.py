"""Makes a jar of GraphFrames from its sources with nothing but PySpark and a JDK.

``python tools/graphframes_jar.py CHECKOUT JAR``

GraphFrames is not in PyPI with its jar, and its own build wants sbt and Maven's repositories. The
jars of PySpark 4 contain the Scala compiler and all that GraphFrames' core is compiled against.
Its server for Spark Connect is left out. Needs ``javac`` and ``jar`` of a JDK 17.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import pyspark

FOLDERS = (
    "graphx/src/main/scala",
    "graphx/src/main/java",
    "core/src/main/scala",
    "core/src/main/scala-spark-4",
)


def main() -> int:
    """Compiles and packs."""
    parser = argparse.ArgumentParser(description="Makes a jar of GraphFrames.")
    parser.add_argument("checkout", type=Path)
    parser.add_argument("jar", type=Path)
    options = parser.parse_args()
    jars = str(Path(pyspark.__file__).parent / "jars" / "*")
    sources = [
        path
        for folder in FOLDERS
        for path in sorted((options.checkout / folder).rglob("*"))
        if path.suffix in (".scala", ".java") and path.name != "package-info.java"
    ]
    java = [path for path in sources if path.suffix == ".java"]
    if not sources:
        parser.error(f"{options.checkout}: no sources of GraphFrames")
    with tempfile.TemporaryDirectory() as classes:
        scala = ["java", "-Xss8m", "-Xmx3g", "-cp", jars, "scala.tools.nsc.Main", "-usejavacp"]
        subprocess.run(
            [*scala, "-Xsource:3", "-nowarn", "-release", "17", "-d", classes, *sources],
            check=True,
        )
        # The Scala compiler reads Java sources, and compiles only its own.
        subprocess.run(["javac", "-d", classes, "-cp", jars, *java], check=True)
        subprocess.run(["jar", "cf", options.jar.absolute(), "-C", classes, "."], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
