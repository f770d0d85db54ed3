#!/usr/bin/env python3
"""Decides formulas over Boolean constants by trying every assignment. One operator has the wrong meaning."""
import functools, itertools, re, sys

OPERATORS = {
    "true": lambda x: True, "false": lambda x: False, "not": lambda x: not x[0],
    "and": all, "or": any, "xor": lambda x: sum(x) % 2 == 1,
    "=": lambda x: len(set(x)) == 1, "distinct": lambda x: len(set(x)) == len(x),
    "=>": lambda x: functools.reduce(lambda a, b: not a or b, x),
    "ite": lambda x: x[1] if x[0] else x[2],
}

def expressions(text):
    stack = [[]]
    for token in re.findall(r'"[^"]*"|[()]|[^\s()]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(token)
    return stack[0]

def value(term, names):
    head, *arguments = [term] if isinstance(term, str) else term
    if head == "let":
        return value(arguments[1], {**names, **{name: value(bound, names) for name, bound in arguments[0]}})
    return names[head] if head in names else OPERATORS[head]([value(each, names) for each in arguments])

constants, assertions = [], []
for command, *arguments in [["version", "toy 0.1"]] if "--version" in sys.argv else expressions(sys.stdin.read()):
    if command in ("declare-const", "declare-fun"):
        constants.append(arguments[0])
    elif command == "assert":
        assertions.append(arguments[0])
    elif command == "check-sat":
        rows = (dict(zip(constants, row)) for row in itertools.product([False, True], repeat=len(constants)))
        print("sat" if any(all(value(each, row) for each in assertions) for row in rows) else "unsat")
    elif command == "reset":
        constants, assertions = [], []
    elif command in ("echo", "version"):
        print(*arguments)
    elif not command.startswith("set-"):
        print(f'(error "unknown command {command}")')
