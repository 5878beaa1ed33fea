"""The facts that rules ask for: how each is read off a scene, and what else is known of it."""
