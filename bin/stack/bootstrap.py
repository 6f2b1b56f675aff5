"""From a bare machine to a Python environment and jars. Standard library only: it runs before anything is installed."""

from __future__ import annotations

import compileall
import errno
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stack import download_sizes, jar_cache, settings, state, ticker

LOCK = settings.REPOSITORY / "requirements-dev.txt"
VENV = settings.REPOSITORY / ".venv"
# What a first start downloads and unpacks, and what the servers' logs may grow by in a run.
FIRST_RUN_BYTES = 4 * 1024**3
LATER_RUN_BYTES = 512 * 1024**2
# For the progress bar alone.
JARS = {"kafka": 45, "spark": 2, "rest": len(settings.REST_ARTIFACTS)}
ARTIFACTS: dict[str, object] = {
    "kafka": settings.KAFKA_ARTIFACT,
    "spark": (settings.ICEBERG_SPARK_ARTIFACT, settings.POSTGRES_JDBC_ARTIFACT),
    "rest": settings.REST_ARTIFACTS,
}
# Of packages: their own tests, what a Python of theirs was compiled from, and parts that nothing here imports. Byte-code of
# what is imported after all is written then.
NOT_IMPORTED = "|".join(
    (
        ".*/tests?",
        "mypyc?",
        "polars",
        "hive_metastore",
        "libcst",
        "pygments/lexers",
        "pyspark/(?:pandas|ml|mllib)",
        "sqlalchemy/testing",
    )
)


class SetupFault(Exception):
    """What is missing on this machine and what to do about it, in one line."""


def home() -> Path:
    """Where all state of this checkout's servers lives."""
    return Path(os.environ.get("LAKELOCK_HOME", settings.REPOSITORY / ".lakelock"))


def environment() -> dict[str, str]:
    """The process's environment, with byte-code written: without it every Python process starts 2-3 times slower."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _tell(what: str) -> None:
    """At once: long work in silence looks like a program that hangs."""
    print(f"lakelock: {what}", file=sys.stderr, flush=True)


def java() -> str:
    """A Java of at least version 17: JAVA_HOME's, the PATH's, or one where Debian keeps them."""
    candidates = [str(Path(os.environ["JAVA_HOME"]) / "bin" / "java")] if os.environ.get("JAVA_HOME") else []
    candidates += [shutil.which("java") or ""]
    folder = Path(os.environ.get("LAKELOCK_JVM_FOLDER", "/usr/lib/jvm"))
    candidates += [str(p / "bin" / "java") for p in sorted(folder.glob("*"), reverse=True)]
    seen = []
    for candidate in candidates:
        if not candidate or not os.access(candidate, os.X_OK):
            continue
        answer = subprocess.run([candidate, "-version"], capture_output=True, text=True, check=False).stderr
        match = re.search(r'version "(\d+)', answer)
        if match and int(match[1]) >= settings.MIN_JAVA:
            return candidate
        seen.append(f"{candidate} is version {match[1] if match else 'unknown'}")
    found = f" ({'; '.join(seen)})" if seen else ""
    raise SetupFault(
        f"Java {settings.MIN_JAVA} or newer is needed and was not found{found}. Install it (Debian, Ubuntu: "
        f"apt-get install openjdk-{settings.MIN_JAVA}-jre-headless) or set JAVA_HOME."
    )


def java_home(executable: str) -> str:
    return str(Path(executable).resolve().parents[1])


def run(command: Sequence[str], what: str) -> None:
    """Runs a set-up command; a failure becomes one line about its likely cause."""
    try:
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    except OSError as fault:
        raise SetupFault(f"{what}: {fault}") from fault
    if done.returncode:
        raise SetupFault(f"{what}: {cause(done.stdout + done.stderr)}")


def cause(output: str) -> str:
    """One line out of a tool's output: what a person can do something about."""
    if re.search("No space left on device|os error 28", output):
        return os_fault(OSError(errno.ENOSPC, "no space left"))
    if re.search(
        "dns error|resolve host|Name or service not known|Temporary failure in name|Network is unreachable|"
        "error sending request|NewConnectionError|Connection refused|UnknownHostException|Failed to fetch",
        output,
    ):
        return (
            "the package servers cannot be reached. Check the network, or set your mirror (for Python UV_DEFAULT_INDEX, "
            "for Java an Ivy settings file in LAKELOCK_IVY_SETTINGS), and try again."
        )
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if re.search("rror", line)), lines[-1] if lines else "it failed")


def ensure_venv(say: Callable[[str, float], None]) -> Path:
    """The locked environment in `.venv`, made anew when the lock or the Python changes; returns its Python."""
    python = VENV / "bin" / "python"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    stamp = VENV / ".lakelock-stamp"
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest() + " " + version
    if python.exists() and stamp.exists() and stamp.read_text() == wanted and os.access(python.resolve(), os.X_OK):
        return python
    began = time.monotonic()
    _tell(f"making the Python environment in {VENV}; this is done once and takes about a minute.")
    uv = _uv()
    run([*uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(VENV)], "making .venv")
    size = download_sizes.in_words(_package_bytes(uv, python))
    _tell(f"downloading Python packages{size}; what uv has in its cache is not downloaded again.")
    command = [*uv, "pip", "sync", "--quiet", "--python", str(python), str(LOCK)]
    pins = len(re.findall(r"^[A-Za-z0-9].*==", LOCK.read_text(), re.MULTILINE))
    with ticker.shown("Python environment", lambda: sum(1 for _ in VENV.glob("lib/*/site-packages/*.dist-info")), pins):
        run(command, f"installing {LOCK.name}")
        _compile_packages(python, VENV / "lib" / f"python{version}" / "site-packages")
    stamp.write_text(wanted)
    say("Python environment", time.monotonic() - began)
    return python


def _package_bytes(uv: Sequence[str], python: Path) -> int | None:
    """What the lock's packages have together. uv keeps what it asks for this, and does not ask again when it installs."""
    with tempfile.TemporaryDirectory(prefix="lakelock-") as folder:
        resolved = Path(folder) / "pylock.toml"
        asked = ["pip", "compile", "--quiet", "--no-deps", "--format", "pylock.toml", "--python", str(python)]
        done = subprocess.run(
            [*uv, *asked, str(LOCK), "-o", str(resolved)], env=environment(), capture_output=True, check=False
        )
        return download_sizes.of_packages(resolved) if done.returncode == 0 else None


def _compile_packages(python: Path, packages: Path) -> None:
    """Half of what packages bring is never imported here, as their own tests. What cannot be compiled is no fault."""
    command = [
        str(python),
        "-m",
        "compileall",
        "-q",
        "-j",
        "0",
        "-x",
        f"/site-packages/(?:{NOT_IMPORTED})/",
        str(packages),
    ]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _uv() -> list[str]:
    found = shutil.which("uv")
    if found:
        return [found]
    folder = home() / "uv"
    if not (folder / "uv").is_dir() and not (folder / "bin" / "uv").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _install_uv(folder)
    return [str(folder / "bin" / "uv")]


def _install_uv(folder: Path) -> None:
    have_pip = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False)
    if have_pip.returncode == 0:
        run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "uv"], "installing uv")
        return
    have_venv = subprocess.run([sys.executable, "-c", "import ensurepip"], capture_output=True, check=False)
    if have_venv.returncode:
        raise SetupFault(
            f"{sys.executable} has neither pip nor ensurepip. Install one (Debian, Ubuntu: apt-get install python3-venv), "
            "or put uv on the PATH."
        )
    run([sys.executable, "-m", "venv", str(folder / "venv")], "making an environment for uv")
    python = str(folder / "venv" / "bin" / "python")
    run([python, "-m", "pip", "install", "--quiet", "--target", str(folder), "uv"], "installing uv")


def jars(name: str) -> Path:
    return home() / "jars" / name


def ensure_jars(executable: str, say: Callable[[str, float], None], names: Sequence[str] = ("kafka", "spark")) -> None:
    """Kafka with all it needs, what Spark needs beside the pyspark package, a REST catalog. Fetched once, at the same time."""
    todo = [name for name in names if not (jars(name) / ".complete").exists()]
    for name in [name for name in todo if jar_cache.restore(ARTIFACTS[name], jars(name))]:
        (jars(name) / ".complete").touch()
        todo.remove(name)

    def fetch(name: str) -> None:
        began = time.monotonic()
        for what, wanted in _wanted(name):
            _ivy(executable, what, [*wanted, *_retrieved(name)], name)
        shutil.rmtree(jars(name) / ".ivy", ignore_errors=True)
        jar_cache.keep(ARTIFACTS[name], jars(name))
        (jars(name) / ".complete").touch()
        say(f"jars for {name.capitalize()}", time.monotonic() - began)

    if not todo:
        return
    _tell(f"fetching the jars for {' and '.join(name.capitalize() for name in todo)}; this is done once.")
    with ThreadPoolExecutor() as pool:
        sizes = list(pool.map(lambda name: _jar_bytes(executable, name), todo))
    told = [name.capitalize() + download_sizes.in_words(size) for name, size in zip(todo, sizes, strict=True)]
    _tell(f"downloading the jars for {' and '.join(told)}.")
    expected = sum(JARS[name] for name in todo)
    with ticker.shown("jars", lambda: sum(_count(name) for name in todo), expected), ThreadPoolExecutor() as pool:
        for done in [pool.submit(fetch, name) for name in todo]:
            done.result()


def _count(name: str) -> int:
    """Jars that are fetched, or are on their way through the cache."""
    return min(JARS[name], sum(1 for _ in jars(name).rglob("*.jar")))


def _wanted(name: str) -> list[tuple[str, list[str]]]:
    """What Ivy is asked for, in one run each: a name of the run, and its options."""
    if name == "kafka":
        return [(settings.KAFKA_ARTIFACT[1], ["-dependency", *settings.KAFKA_ARTIFACT])]
    if name == "spark":
        alone = ["-notransitive"]
        artifacts = (settings.ICEBERG_SPARK_ARTIFACT, settings.POSTGRES_JDBC_ARTIFACT)
        return [(a[1], ["-dependency", *a, *alone]) for a in artifacts]
    return [(name, ["-ivy", str(_ivy_file(settings.REST_ARTIFACTS, jars(name)))])]


def _ivy_file(artifacts: Sequence[tuple[str, str, str, str]], folder: Path) -> Path:
    """Jars that have classifiers, which Ivy takes from a file only, and nothing that they depend on."""
    modules: dict[tuple[str, str, str], str] = {}
    for group, name, version, classifier in artifacts:
        told = f' m:classifier="{classifier}"' if classifier else ""
        key = (group, name, version)
        modules[key] = modules.get(key, "") + f'<artifact name="{name}" type="jar" ext="jar"{told}/>'
    listed = "".join(
        f'<dependency org="{g}" name="{n}" rev="{v}" transitive="false" conf="*->default">{files}</dependency>'
        for (g, n, v), files in modules.items()
    )
    folder.mkdir(parents=True, exist_ok=True)
    wanted = folder / "ivy.xml"
    wanted.write_text(
        '<ivy-module version="2.0" xmlns:m="http://ant.apache.org/ivy/maven"><info organisation="lakelock" '
        f'module="{folder.name}"/><dependencies>{listed}</dependencies></ivy-module>'
    )
    return wanted


def _retrieved(name: str) -> list[str]:
    # Spark's have sources and documentation beside them.
    types = ["-types", "jar"] if name == "spark" else []
    return [*types, "-retrieve", f"{jars(name)}/[artifact]-[revision](-[classifier]).[ext]"]


def _jar_bytes(executable: str, name: str) -> int | None:
    """Asked of the server that Ivy found the descriptors on; Ivy keeps these, and fetches them once."""
    if name == "rest":
        # Only tests use it, and whose classifier a size is of is not in a report.
        return None
    addresses = []
    for what, wanted in _wanted(name):
        # No artifact is of this type.
        _ivy(executable, what, [*wanted, "-types", "none"], name)
        for report in _ivy_cache(name, what).glob("*-caller-default.xml"):
            addresses += download_sizes.jars_of(report)
    return download_sizes.of_addresses(addresses)


def _ivy_cache(name: str, what: str) -> Path:
    """One for each run: two Ivy processes in one cache hinder each other."""
    return jars(name) / ".ivy" / what


def _ivy(executable: str, what: str, options: Sequence[str], name: str) -> None:
    jars(name).mkdir(parents=True, exist_ok=True)
    ivy = sorted((VENV / "lib").glob("python*/site-packages/pyspark/jars/ivy-*.jar"))[-1]
    given = os.environ.get("LAKELOCK_IVY_SETTINGS")
    command = [executable, "-jar", str(ivy), *(["-settings", given] if given else []), "-cache", str(_ivy_cache(name, what)),
               *options, "-confs", "default"]  # fmt: skip
    run(command, f"fetching {what}")


def compile_own() -> None:
    """Airflow imports our own modules in every task; nobody else compiles them."""
    for folder in ("plugins", "dags", "bin", "spark_jobs"):
        compileall.compile_dir(settings.REPOSITORY / folder, quiet=2)


def prepare(say: Callable[[str, float], None], names: Sequence[str] = ("kafka", "spark")) -> Path:
    """Everything a first run needs, with the jars of *names*; quick when all is there. Returns the environment's Python."""
    if sys.version_info < (3, 11):
        raise SetupFault(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]} ({sys.executable}).")
    try:
        executable = java() if names else ""
        state.make(home())
        _require_space()
        python = ensure_venv(say)
        if names:
            ensure_jars(executable, say, names)
        compile_own()
    except OSError as fault:
        raise SetupFault(os_fault(fault)) from fault
    return python


def _require_space() -> None:
    """A disk that is too small is told before an hour of download, not after it."""
    wanted = {home(): LATER_RUN_BYTES, settings.REPOSITORY: 0 if VENV.exists() else FIRST_RUN_BYTES}
    for folder, size in wanted.items():
        free = shutil.disk_usage(folder).free
        if free < size:
            raise SetupFault(
                f"the disk of {folder} is full: {free / 1024**3:.1f} GB are free, {size / 1024**3:.1f} GB are needed. "
                "Free some, or name a folder elsewhere in LAKELOCK_HOME."
            )


def os_fault(fault: OSError) -> str:
    """One line about a system call that failed."""
    if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
        return f"the disk is full. Free at least 4 GB for {home()} and {VENV}, and start again."
    if fault.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return (
            f"{fault.filename or home()} cannot be written ({fault.strerror}). Use a clone of your own, or name a "
            "writable folder in LAKELOCK_HOME."
        )
    return ": ".join(str(part) for part in (fault.filename, fault.strerror or fault) if part) + "."


def clean() -> None:
    """Removes all state of this checkout; `.venv` stays, it is only a copy of the lock."""
    try:
        state.remove(home())
    except OSError as fault:
        raise SetupFault(os_fault(fault)) from fault


def _jars_for(module: str) -> tuple[str, ...]:
    if not module.startswith("stack."):
        return ()
    return ("kafka", "spark", "rest") if module == "stack.checks" else ("kafka", "spark")


def main() -> int:
    """`python3 bootstrap.py MODULE ARG…`: prepares, then becomes that module in the environment."""
    quiet = "LAKELOCK_QUIET" in os.environ

    def say(what: str, seconds: float) -> None:
        if not quiet:
            print(f"  {what}: {seconds:.1f} s", flush=True)

    began = time.monotonic()
    module, *arguments = sys.argv[1:]
    try:
        if module == "stack.demo" and "--clean" in arguments:
            clean()
            return 0
        python = prepare(say, _jars_for(module))
    except (SetupFault, state.StateFault) as fault:
        print(f"lakelock: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    paths = [str(settings.REPOSITORY / "plugins"), str(settings.REPOSITORY / "bin")]
    env = environment() | {
        "PYTHONPATH": os.pathsep.join(paths),
        "LAKELOCK_SETUP_SECONDS": f"{time.monotonic() - began:.1f}",
    }
    return os.execve(str(python), [str(python), "-m", module, *arguments], env)


if __name__ == "__main__":
    sys.exit(main())
