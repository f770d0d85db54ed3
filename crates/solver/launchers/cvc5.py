"""Runs the cvc5 library as a program: reads a script from standard input, answers as the cvc5 program would.

Arguments: the folder of the library, then cvc5's own options or --version. Commands are answered as soon as they are there, so that
the next may depend on the answer; by Python's module only after the end of the script.

Starting is most of what a small script costs. Loading the library by its C interface takes a third of the time that its Python
module takes; versions whose C interface does not tell its errors (before 1.4) are run by the module.
"""

import gc
import itertools
import os
import sys

# A script is over long before there is garbage worth looking for.
gc.disable()
# The library is compared with what was installed: nothing is added to it.
sys.dont_write_bytecode = True


def split_option(argument):
    """`--name=value`, `--name` and `--no-name` as the library takes them."""
    name, equals, value = argument.lstrip("-").partition("=")
    if equals:
        return name, value
    if name.startswith("no-"):
        return name[3:], "false"
    return name, "true"


def options(arguments):
    """The options among the arguments; the language is always SMT-LIB.

    The program reads a file with one check in mind unless it is told otherwise, the library does not.
    """
    given = [option for option in map(split_option, arguments) if option[0] != "lang"]
    return given if "incremental" in dict(given) else [("incremental", "false"), *given]


def say(said):
    # Answers are printed one by one: what was said before a crash or a limit has been said.
    sys.stdout.buffer.write(said)
    sys.stdout.buffer.flush()


def complain(message):
    say(b'(error "' + message.strip().replace(b'"', b'""') + b'")\n')
    return 1


class Library:
    """The C interface, function by function."""

    def __init__(self, folder):
        import ctypes

        # `cvc5.libs`, or `cvc5_gpl.libs` of the build with libraries under the GPL.
        folder = next(os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".libs"))
        parser = next(name for name in sorted(os.listdir(folder)) if name.startswith("libcvc5parser"))
        # It brings the library itself along, whose functions are found by the same handle.
        handle = ctypes.CDLL(os.path.join(folder, parser))
        pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
        self.no_text = text
        self.by_reference = ctypes.byref
        signatures = {
            "term_manager_new": (pointer,),
            "new": (pointer, pointer),
            "set_option": (None, pointer, text, text),
            "get_version": (text, pointer),
            "symbol_manager_new": (pointer, pointer),
            "parser_new": (pointer, pointer, pointer),
            "parser_set_inc_str_input": (None, pointer, number, text),
            "parser_append_inc_str_input": (None, pointer, text),
            "parser_next_command": (pointer, pointer, ctypes.POINTER(text)),
            "cmd_invoke": (text, pointer, pointer, pointer),
            "cmd_get_name": (text, pointer),
            "has_error": (ctypes.c_bool,),
            "get_error_message": (text,),
        }
        self.flush = ctypes.CDLL(None).fflush
        for name, (result, *arguments) in signatures.items():
            function = getattr(handle, "cvc5_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def failure(self):
        """What the last call has to say for itself, if it failed."""
        return self.get_error_message() or b"no reason is given" if self.has_error() else None


def by_library(library, arguments, parts):
    manager = library.term_manager_new()
    solver = library.new(manager)
    if arguments == ["--version"]:
        say(b"cvc5 version " + library.get_version(solver) + b"\n")
        return 0
    for name, value in options(arguments):
        library.set_option(solver, name.encode(), value.encode())
        if failure := library.failure():
            return complain(failure)
    symbols = library.symbol_manager_new(manager)
    parser = library.parser_new(solver, symbols)
    smt_lib = 0
    library.parser_set_inc_str_input(parser, smt_lib, b"stdin")
    for part, commands in parts:
        if b"\0" in part:
            return complain(b"a zero byte in the script")
        library.parser_append_inc_str_input(parser, part)
        # The parser takes no more text once it has come to an end.
        numbers = itertools.count() if commands is None else range(commands)
        code = answers(library, parser, solver, symbols, numbers)
        if code is not None:
            return code
    return 0


def answers(library, parser, solver, symbols, numbers):
    """Answers as many commands as there are numbers; the exit code if the script ends there."""
    for _ in numbers:
        mistake = library.no_text()
        command = library.parser_next_command(parser, library.by_reference(mistake))
        if mistake.value is not None:
            return complain(mistake.value)
        if failure := library.failure():
            return complain(failure)
        if not command:
            return 0
        said = library.cmd_invoke(command, solver, symbols)
        if failure := library.failure():
            return complain(failure)
        if said:
            say(said)
        if library.cmd_get_name(command) == b"exit":
            return 0
        # As in the program, the first error ends the run.
        if said and said.startswith(b"(error"):
            return 1


def by_module(arguments, text):
    import cvc5

    try:
        manager = cvc5.TermManager()
    except AttributeError:
        # Versions before 1.2 have no term manager.
        manager = None
    solver = cvc5.Solver(manager) if manager else cvc5.Solver()
    if arguments == ["--version"]:
        version = solver.getVersion()
        say(b"cvc5 version " + (version if isinstance(version, bytes) else version.encode()) + b"\n")
        return 0
    try:
        for name, value in options(arguments):
            solver.setOption(name, value)
        symbols = cvc5.SymbolManager(manager or solver)
        parser = cvc5.InputParser(solver, symbols)
        try:
            language = cvc5.InputLanguage.SMT_LIB_2_6
        except AttributeError:
            language = None
        text = text.decode(errors="replace")
        if language is None:
            parser.setStringInput(text)
        else:
            parser.setStringInput(language, text, "stdin")
        while True:
            command = parser.nextCommand()
            if command.isNull():
                return 0
            said = str(command.invoke(solver, symbols) or "")
            say(said.encode())
            if command.getCommandName() == "exit":
                return 0
            if said.startswith("(error"):
                return 1
    except RuntimeError as error:
        return complain(str(error).encode())


def main(folder, arguments):
    script = iter([(b"", None)]) if arguments == ["--version"] else parts()
    first = next(script)
    # The C interface takes its text up to the first zero byte.
    if b"\0" not in first[0]:
        try:
            library = Library(folder)
        except (AttributeError, ImportError, OSError, StopIteration):
            pass
        else:
            code = by_library(library, arguments, itertools.chain([first], script))
            library.flush(None)
            # What the library would clear away at its end the system clears away faster; the program does so too.
            os._exit(code)
    sys.path.insert(0, folder)
    return by_module(arguments, b"".join(text for text, _ in itertools.chain([first], script)))


sys.exit(main(sys.argv[1], sys.argv[2:]))
