"""A broker whose clients log in."""

from __future__ import annotations

from collections.abc import Callable

from stack.kafka import Kafka
from stack.ports import free_port

SECURITY = "org.apache.kafka.common.security"


def with_sasl(new_kafka: Callable[..., Kafka], mechanism: str, login: str, **more: str) -> tuple[str, Kafka]:
    """The address of a listener that takes *mechanism*, of a broker that has a plain one, too; *login* is its login module."""
    plain, sasl, controller = free_port(), free_port(), free_port()
    listeners = f"PLAINTEXT://127.0.0.1:{plain},SASL_PLAINTEXT://127.0.0.1:{sasl}"
    server = new_kafka(
        port=plain,
        **{
            "listeners": f"{listeners},CONTROLLER://127.0.0.1:{controller}",
            "advertised.listeners": listeners,
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
            "controller.quorum.bootstrap.servers": f"127.0.0.1:{controller}",
            "sasl.enabled.mechanisms": mechanism,
            f"listener.name.sasl_plaintext.{mechanism.lower()}.sasl.jaas.config": f"{SECURITY}.{login};",
            **more,
        },
    )
    return f"127.0.0.1:{sasl}", server
