"""As the tests of a replay."""

from tests.replay.conftest import in_a_folder, run, write  # noqa: F401
