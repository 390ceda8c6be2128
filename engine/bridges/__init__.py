"""Games of other libraries, played by their own rules: each module is a provider of `engine.catalog`."""
