"""What tests share: servers, worlds, and the acts that several of them need."""
