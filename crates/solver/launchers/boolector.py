"""Runs the Boolector library as a program: reads a script from standard input, answers as the boolector program would.

Arguments: the folder of the library, then Boolector's own options or --version. The C library inside the wheel is used, not its
Python module, so that nothing but the answers depends on Python.
"""

import ctypes
import gc
import os
import sys

# A script is over long before there is garbage worth looking for.
gc.disable()

POINTER, TEXT, NUMBER, COUNT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_uint32

# The names of values that the library counts, the first of them standing for its least value.
VALUES = {
    "engine": ["fun", "sls", "prop", "aigprop", "quant"],
    "sat-engine": ["lingeling", "picosat", "minisat", "cadical", "cms"],
    "output-number-format": ["bin", "hex", "dec"],
    "beta-reduce": ["none", "fun", "all"],
    "fun-dual-prop-qsort": ["just", "asc", "desc"],
    "fun-just-heuristic": ["left", "min-app", "min-dep"],
    "fun-eager-lemmas": ["none", "conf", "all"],
    "sls-strategy": ["best-move", "rand-walk", "first-best-move", "best-same-move", "always-prop"],
    "prop-path-sel": ["controlling", "essential", "random"],
    "quant-synth": ["none", "el", "elmc", "elelmc", "elmr"],
}
# What the program takes and the library needs not be told.
NO_OPTIONS = {"smt2"}
PARSE_ERROR = 1


def library(folder):
    folder = os.path.join(folder, "pyboolector.libs")
    name = next(name for name in sorted(os.listdir(folder)) if name.startswith("libboolector"))
    handle = ctypes.CDLL(os.path.join(folder, name))
    signatures = {
        "new": (POINTER,),
        "version": (TEXT, POINTER),
        "first_opt": (NUMBER, POINTER),
        "next_opt": (NUMBER, POINTER, NUMBER),
        "has_opt": (ctypes.c_bool, POINTER, NUMBER),
        "get_opt_lng": (TEXT, POINTER, NUMBER),
        "get_opt_shrt": (TEXT, POINTER, NUMBER),
        "get_opt_min": (COUNT, POINTER, NUMBER),
        "get_opt_max": (COUNT, POINTER, NUMBER),
        "set_opt": (None, POINTER, NUMBER, COUNT),
        "parse_smt2": (
            NUMBER, POINTER, POINTER, TEXT, POINTER, ctypes.POINTER(TEXT), ctypes.POINTER(NUMBER),
        ),
    }
    for name, (result, *arguments) in signatures.items():
        function = getattr(handle, "boolector_" + name)
        function.restype, function.argtypes = result, arguments
    return handle


class Usage(Exception):
    """An option that the library does not take."""


def number(name, text, least, most):
    """What a value stands for: a number within the bounds, or one of the names."""
    names = VALUES.get(name, [])
    if text in names:
        return least + names.index(text)
    if text.isdigit() and least <= int(text) <= most:
        return int(text)
    raise Usage(f"invalid value '{text}' for option '--{name}'")


def set_options(boolector, solver, arguments):
    places = {}
    place = boolector.boolector_first_opt(solver)
    while boolector.boolector_has_opt(solver, place):
        name = boolector.boolector_get_opt_lng(solver, place).decode()
        places["--" + name] = (name, place)
        short = boolector.boolector_get_opt_shrt(solver, place)
        if short:
            places["-" + short.decode()] = (name, place)
        place = boolector.boolector_next_opt(solver, place)
    for argument in arguments:
        option, equals, value = argument.partition("=")
        if option.lstrip("-") in NO_OPTIONS:
            continue
        if option not in places and option.startswith("--no-") and not equals:
            option, equals, value = "--" + option[len("--no-"):], "=", "0"
        if option not in places:
            raise Usage(f"invalid option '{argument}'")
        name, place = places[option]
        bounds = boolector.boolector_get_opt_min(solver, place), boolector.boolector_get_opt_max(solver, place)
        boolector.boolector_set_opt(solver, place, number(name, value if equals else "1", *bounds))


def complain(message):
    print('(error "' + message.strip().replace('"', '""') + '")', flush=True)
    return 1


def main(folder, arguments):
    boolector = library(folder)
    solver = boolector.boolector_new()
    if arguments == ["--version"]:
        print(boolector.boolector_version(solver).decode(), flush=True)
        return 0
    try:
        set_options(boolector, solver, arguments)
    except Usage as mistake:
        return complain(str(mistake))
    system = ctypes.CDLL(None)
    stream = {name: POINTER.in_dll(system, name) for name in ("stdin", "stdout")}
    mistake, status = TEXT(), NUMBER()
    result = boolector.boolector_parse_smt2(
        solver, stream["stdin"], b"<stdin>", stream["stdout"], ctypes.byref(mistake), ctypes.byref(status)
    )
    system.fflush(None)
    if result == PARSE_ERROR:
        return complain((mistake.value or b"no reason is given").decode(errors="replace"))
    return 0


# What the library would clear away at its end the system clears away faster.
os._exit(main(sys.argv[1], sys.argv[2:]))
