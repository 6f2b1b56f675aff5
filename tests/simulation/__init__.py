"""A deterministic simulation: the product's own steps and decisions over ports in memory, under seeded schedules."""
