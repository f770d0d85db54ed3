#!/usr/bin/env python3
"""A mutator for --mutator 'pipe:python3 mutator.py': turns some connectives and comparisons into others of their kind."""
import random, re, sys

KINDS = [["and", "or", "xor", "=>"], ["<", "<=", ">", ">="], ["bvult", "bvule", "bvslt", "bvsle"], ["true", "false"]]
OTHERS = {word: [other for other in kind if other != word] for kind in KINDS for word in kind}

def frames(stream):
    while header := stream.readline():
        word, length = header.split()
        yield word.decode(), stream.read(int(length)).decode()

def answer(word, text):
    body = text.encode()
    sys.stdout.buffer.write(b"%s %d\n%s" % (word.encode(), len(body), body))
    sys.stdout.buffer.flush()

tokens, places = [], []
for word, text in frames(sys.stdin.buffer):
    if word == "seed":  # A script with one check; there is no answer.
        tokens = re.split(r"([()\s])", text)
        places = [at for at, token in enumerate(tokens) if token in OTHERS]
    elif word == "make" and not places:
        answer("none", "it has no connective and no comparison")
    elif word == "make":  # A random number: the same one shall give the same mutant.
        rng = random.Random(int(text))
        mutant = tokens[:]
        for at in rng.sample(places, min(len(places), rng.randint(1, 3))):
            mutant[at] = rng.choice(OTHERS[tokens[at]])
        answer("mutant", "".join(mutant))
