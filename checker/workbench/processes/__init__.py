"""What takes long, each in a process of its own, and the jobs that follow them."""
