"""How many words the dictionary of a column has, as the file says.

Where a word stands in it twice, Arrow drops one of the two when it is asked for codes, and the
codes behind it then mean other words. So what Arrow hands out is held against this number.
"""

from __future__ import annotations

import re
from typing import Any, BinaryIO, Final

# A header as `parquet.thrift` has it, compact: the kind of page, its two sizes, perhaps a checksum;
# then the record of a dictionary begins with how many words there are.
_NUMBER: Final = rb"[\x80-\xff]{0,4}[\x00-\x7f]"
_DICTIONARY: Final = re.compile(
    rb"\x15\x04\x15%b\x15%b(?:\x15%b\x3c|\x4c)\x15(%b)" % ((_NUMBER,) * 4), re.DOTALL
)
_DATA: Final = re.compile(rb"\x15[\x00\x06]")
_LONGEST: Final = 32


def words_told(file: BinaryIO, column: Any) -> int | None:
    """None: the column begins without a dictionary; -1: it is not known how it begins."""
    words, data = column.dictionary_page_offset, column.data_page_offset
    file.seek(words if words is not None and 0 < words < data else max(data, 0))
    header = file.read(_LONGEST)
    if _DATA.match(header):
        return None
    found = _DICTIONARY.match(header)
    if found is None:
        return -1
    number: int = sum((byte & 127) << 7 * place for place, byte in enumerate(found[1]))
    return (number >> 1) ^ -(number & 1)
