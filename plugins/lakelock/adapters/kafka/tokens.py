"""OAuth tokens that confluent-kafka fetches itself, as it does for its own consumer.

librdkafka fetches those of every other method: only for AWS IAM confluent-kafka sets a callback of its own.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

# Token, when it expires (seconds since 1970), principal and SASL extensions, for the text of `sasl.oauthbearer.config`.
Token = tuple[str, float, str, Mapping[str, str]]
Handler = Callable[[str], Token]

_TYPE, _METHOD = "sasl.oauthbearer.metadata.authentication.type", "sasl.oauthbearer.method"
_CONFIG, _EXTENSIONS = "sasl.oauthbearer.config", "sasl.oauthbearer.extensions"
_MODULE = "confluent_kafka._oauthbearer.aws.aws_autowire"


def handler(settings: Mapping[str, Any]) -> Handler | None:
    """None where librdkafka needs none. Raises ValueError for settings that do not go together."""
    if settings.get(_TYPE) != "aws_iam":
        return None
    if settings.get(_METHOD) != "oidc":
        raise ValueError(f"{_TYPE}=aws_iam needs {_METHOD}=oidc")
    if not settings.get(_CONFIG):
        raise ValueError(f'{_TYPE}=aws_iam needs {_CONFIG}, as in "region=us-east-1,audience=https://..."')
    try:
        create: Callable[[str, str | None], Handler] = importlib.import_module(_MODULE).create_handler
        return create(settings[_CONFIG], settings.get(_EXTENSIONS))
    except RuntimeError as fault:
        raise ValueError(f"{_TYPE}=aws_iam: {fault}") from fault
    except ImportError as fault:
        raise ValueError(f"{_TYPE}=aws_iam needs the package confluent-kafka[oauthbearer-aws]") from fault
