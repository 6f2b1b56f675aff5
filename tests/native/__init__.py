"""Makes the LLVM text of C sources, for those who change one: `python -m native` (needs the package ziglang, for its clang)."""
