# Recomputes with FLINT what lines on standard input say, and prints the lines that are wrong. A polynomial is a dictionary from exponents to
# coefficients. Results count up to a constant factor.
import ast, sys
import flint
from flint import Ordering, fmpz_mpoly_ctx, fmpz_poly

ring = fmpz_mpoly_ctx.get(("x", "y", "z"), Ordering.lex)


def poly(terms):
    return ring.from_dict(terms)


def shape(p):
    """The polynomial without its content and sign."""
    if p == 0:
        return {}
    terms = p.to_dict()
    content = 0
    for c in terms.values():
        content = flint.fmpz(c).gcd(content)
    sign = 1 if terms[max(terms)] > 0 else -1
    return {e: c // content * sign for e, c in terms.items()}


def factors(polys):
    """The irreducible factors of all, each once."""
    found = {}
    for p in polys:
        for f, _ in p.factor()[1]:
            found[str(sorted(shape(f).items()))] = f
    return set(found)


def is_right(kind, args, result):
    if kind == "gcd":
        return shape(poly(args[0]).gcd(poly(args[1]))) == shape(poly(result))
    if kind == "resultant":
        return shape(poly(args[0]).resultant(poly(args[1]), args[2])) == shape(poly(result))
    if kind == "discriminant":
        return shape(poly(args[0]).discriminant(args[1])) == shape(poly(result))
    if kind == "basis":
        parts = [poly(p) for p in result]
        apart = all(p.gcd(q).total_degree() <= 0 for n, p in enumerate(parts) for q in parts[:n])
        simple = all(m == 1 for p in parts for _, m in p.factor()[1])
        return apart and simple and factors(map(poly, args)) == factors(parts)
    if kind == "roots":
        real = sorted(float(r.real.mid()) for r, _ in fmpz_poly(args).complex_roots() if r.imag == 0)
        return len(real) == len(result) and all(abs(a - b) <= 1e-6 * (1 + abs(a)) for a, b in zip(real, result))
    raise ValueError(kind)


count = 0
for line in sys.stdin:
    count += 1
    if not is_right(*ast.literal_eval(line)):
        print("wrong:", line.strip())
print(count, "done")
