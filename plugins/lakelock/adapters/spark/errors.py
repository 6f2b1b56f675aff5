"""Translate Spark's errors into lakelock's."""

from __future__ import annotations

from lakelock.errors import AccessDenied, JobCancelled, LakelockError, Retryable, State, Unreachable
from lakelock.model.units import as_reason

SESSION_GONE = ("INVALID_HANDLE.SESSION_CLOSED", "INVALID_HANDLE.SESSION_CHANGED", "INVALID_HANDLE.SESSION_NOT_FOUND")
_LOST = ("INVALID_HANDLE.", "NO_ACTIVE_SESSION", "RETRIES_EXCEEDED")


def condition_of(error: BaseException) -> str:
    """Spark's error condition, e.g. INVALID_HANDLE.SESSION_CLOSED; empty if there is none."""
    get = getattr(error, "getCondition", None)
    return str(get() or "") if callable(get) else ""


def is_session_gone(error: BaseException) -> bool:
    return any(c in condition_of(error) or c in str(error) for c in SESSION_GONE)


def translated(error: BaseException, server: str = "") -> LakelockError:
    """The lakelock error for an exception of Spark's client; *server* names it without credentials."""
    if isinstance(error, LakelockError):
        return error
    at = f" at {server}" if server else ""
    status = _grpc_status(error)
    condition, text = condition_of(error), as_reason(error)
    if status in ("UNAUTHENTICATED", "PERMISSION_DENIED"):
        return AccessDenied(
            f"Spark{at} refuses the login: {text}.", State.NOTHING_CHANGED, "Check the token of the Spark connection."
        )
    if "OPERATION_CANCELED" in condition or status == "CANCELLED":
        return JobCancelled(
            f"Spark{at} stopped the job: a newer attempt, the end of its task or `bin/lakelock cancel` interrupted it.",
            State.JOB_REPEATED,
        )
    if (
        status in ("UNAVAILABLE", "DEADLINE_EXCEEDED")
        or any(c in condition or c in text for c in _LOST)
        or is_session_gone(error)
        or "server side session identifier" in text
        or type(error).__name__ in ("Py4JNetworkError", "ConnectionRefusedError", "ConnectionResetError")
    ):
        return Unreachable(f"Spark{at} was lost: {text}.", State.JOB_REPEATED, "Check that the Spark server runs.")
    return Retryable(f"Spark{at} could not run the job: {_last_line(str(error))}.", State.JOB_REPEATED)


def _grpc_status(error: BaseException) -> str:
    for get in ("getGrpcStatusCode", "code"):
        method = getattr(error, get, None)
        if callable(method):
            return str(getattr(method(), "name", ""))
    return ""


def _last_line(text: str) -> str:
    """The line that names a Python worker's error, without the JVM's stack trace."""
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("at ", "File ", "..."))
    ]
    python = [n for n, line in enumerate(lines) if line.startswith("Traceback")]
    if python:
        for line in lines[python[-1] + 1 :]:
            if not line.startswith(" "):
                return line.strip().rstrip(".")[:500]
    return as_reason(text)
