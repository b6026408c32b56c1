"""A folder that holds something the system cannot even look at."""

from __future__ import annotations

import pytest

import accord


def test_a_link_that_cannot_be_followed_is_told_with_its_folder(tmp_path):
    (tmp_path / "page.ann").symlink_to("a" * 300)  # longer than a name can be, for root as well
    with pytest.raises(accord.DataError, match=str(tmp_path)):
        accord.read(tmp_path)
