"""What can go wrong between Kafka and a table, one by one, and the tests that show what happens then: docs/proofs/scenarios.md."""
