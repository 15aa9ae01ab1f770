// This header has no declarations. Targets link the library for its constructor.
