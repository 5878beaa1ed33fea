"""What is remembered around the engine, so that nothing is worked out twice. None of it has a say
in an answer: the engine gives the same ones with the memory of `seam.py`, which keeps nothing."""
