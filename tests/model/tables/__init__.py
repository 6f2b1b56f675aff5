"""Many tables from one pipeline: a model of the design, because the product has no routing yet. See docs/proofs/tables.md.

The `*_decision` modules are pure and take the product's values, so that the product can take them over.
"""
