"""The hands that two texts are compared on: dealt for both, and joined where no rule can tell."""
