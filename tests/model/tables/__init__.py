"""Many tables from one pipeline: a model that runs the product's decisions. See docs/proofs/tables.md."""
