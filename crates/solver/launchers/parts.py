"""The script of a launcher, command by command; put in front of each launcher whose library takes text."""

import select
import sys

# How long the next piece of a script may take to come: a script that is written at once is read at once.
PAUSE_SECONDS = 0.001
PIECE_BYTES = 1 << 16
TOKEN = rb'[()]|"[^"]*"|\|[^|]*\||;[^\n]*\n|["|;]'


def parts():
    """The script in parts, with the number of commands in each; a part ends where no more text comes for now, the last one at `(exit)`."""
    text, place, begin, depth, end, commands = bytearray(), 0, 0, 0, 0, 0
    while piece := sys.stdin.buffer.raw.read(PIECE_BYTES):
        text += piece
        if select.select([0], [], [], PAUSE_SECONDS)[0]:
            continue
        # Takes longer to load than a small script takes, and is not needed for one.
        import re

        for token in re.compile(TOKEN).finditer(text, place):
            mark = token.group()
            if mark in (b'"', b"|", b";"):
                # It goes on in the next piece.
                place = token.start()
                break
            place = token.end()
            if mark == b"(":
                begin = begin if depth else token.start()
                depth += 1
            elif mark == b")":
                depth -= 1
                if depth <= 0:
                    end = place
                    commands += 1
                    if text[begin + 1 : end - 1].strip() == b"exit":
                        yield bytes(text[:end]), None
                        return
        if end:
            yield bytes(text[:end]), commands
            del text[:end]
            place, begin, end, commands = place - end, begin - end, 0, 0
    yield bytes(text), None


