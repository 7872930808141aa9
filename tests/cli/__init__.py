import pytest

pytest.register_assert_rewrite("tests.cli.running")  # so that it says what differs
