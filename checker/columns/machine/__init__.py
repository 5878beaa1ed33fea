"""Machine code: compiling, where it is kept, its buffers, and names as numbers."""
