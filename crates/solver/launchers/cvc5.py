"""Runs the cvc5 library as a program: reads a script from standard input, answers as the cvc5 program would.

Arguments: the folder of the library, then cvc5's own options or --version.
"""

import sys

sys.path.insert(0, sys.argv[1])

import cvc5


def split_option(argument):
    """`--name=value`, `--name` and `--no-name` as the library takes them."""
    name, equals, value = argument.lstrip("-").partition("=")
    if equals:
        return name, value
    if name.startswith("no-"):
        return name[3:], "false"
    return name, "true"


def complain(error):
    message = str(error).strip().replace('"', '""')
    print(f'(error "{message}")', flush=True)


def main(arguments):
    try:
        manager = cvc5.TermManager()
    except AttributeError:
        # Versions before 1.2 have no term manager.
        manager = None
    solver = cvc5.Solver(manager) if manager else cvc5.Solver()
    if arguments == ["--version"]:
        version = solver.getVersion()
        print("cvc5 version", version.decode() if isinstance(version, bytes) else version)
        return 0
    try:
        for argument in arguments:
            name, value = split_option(argument)
            if name != "lang":
                solver.setOption(name, value)
        symbols = cvc5.SymbolManager(manager or solver)
        parser = cvc5.InputParser(solver, symbols)
        try:
            language = cvc5.InputLanguage.SMT_LIB_2_6
        except AttributeError:
            language = None
        text = sys.stdin.read()
        if language is None:
            parser.setStringInput(text)
        else:
            parser.setStringInput(language, text, "stdin")
        while True:
            command = parser.nextCommand()
            if command.isNull():
                return 0
            # Answers are printed one by one: what was said before a crash or a limit has been said.
            said = command.invoke(solver, symbols)
            if said:
                print(str(said), end="", flush=True)
            if command.getCommandName() == "exit":
                return 0
            # As in the program, the first error ends the run.
            if str(said).startswith("(error"):
                return 1
    except RuntimeError as error:
        complain(error)
        return 1


sys.exit(main(sys.argv[2:]))
