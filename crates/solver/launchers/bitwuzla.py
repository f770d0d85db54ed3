"""Runs the Bitwuzla library as a program: reads a script from standard input, answers as the program would.

Arguments: the folder of the library, then Bitwuzla's own options or --version. Commands are answered as soon as they are there, so that
the next may depend on the answer.
"""

import gc
import sys

# A script is over long before there is garbage worth looking for.
gc.disable()
sys.path.insert(0, sys.argv[1])

# The library is compared with what was installed: nothing is added to it.
sys.dont_write_bytecode = True

import bitwuzla


def main(arguments):
    if arguments == ["--version"]:
        print(bitwuzla.version())
        return 0
    try:
        options = bitwuzla.Options()
        options.set_args(*arguments)
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        # The library prints its answers itself, and reads a file by itself.
        if sys.stdin.seekable():
            parser.parse("/dev/stdin")
            return 0
        for part, _ in parts():
            if part:
                parser.parse(part.decode(errors="replace"), False, False)
        return 0
    except bitwuzla.BitwuzlaException as error:
        message = str(error).strip().replace("<string>:", "/dev/stdin:", 1).replace('"', '""')
        print(f'(error "{message}")')
        return 1


# The library's own output may not be flushed before a regular end.
sys.exit(main(sys.argv[2:]))
