"""A program that gets some kinds of sockets only: a filter of system calls refuses the others.

``python -m tests.deploy.socket_families FAMILIES PROGRAM …`` runs it with those of a list such as
``AF_INET,AF_UNIX``, or with all but one: ``~AF_INET6`` is a kernel without IPv6.
"""

import ctypes
import errno
import os
import platform
import socket
import struct
import sys
from collections.abc import Collection

# Numbers of linux/seccomp.h, linux/filter.h and asm/unistd.h.
_SOCKET_CALL = {"x86_64": 41, "aarch64": 198}[platform.machine()]
_LOAD, _EQUALS, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER_AT, _FIRST_ARGUMENT_AT = 0, 16
_NO_NEW_PRIVILEGES, _SECCOMP, _MODE_FILTER = 38, 22, 2


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def filter_sockets(families: Collection[int], *, are_refused: bool) -> None:
    """Let this process, and those that it becomes or starts, have some sockets only.

    Args:
        families: kinds of sockets.
        are_refused: whether these are refused, not all others.
    """
    listed, others = _REFUSE | errno.EAFNOSUPPORT, _ALLOW
    if not are_refused:
        listed, others = others, listed
    count = len(families)
    program = b"".join(
        (
            _instruction(_LOAD, _NUMBER_AT),
            _instruction(_EQUALS, _SOCKET_CALL, 0, count + 3),
            _instruction(_LOAD, _FIRST_ARGUMENT_AT),
            *(
                _instruction(_EQUALS, family, count - place)
                for place, family in enumerate(families)
            ),
            _instruction(_RETURN, others),
            _instruction(_RETURN, listed),
            _instruction(_RETURN, _ALLOW),
        )
    )
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in ((_NO_NEW_PRIVILEGES, 1, 0, 0, 0), (_SECCOMP, _MODE_FILTER, header, 0, 0)):
        if libc.prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), "the filter was refused")


if __name__ == "__main__":
    words = sys.argv[1].removeprefix("~").split(",")
    numbers = [int(getattr(socket, word)) for word in words]
    filter_sockets(numbers, are_refused=sys.argv[1].startswith("~"))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - the program of the test
