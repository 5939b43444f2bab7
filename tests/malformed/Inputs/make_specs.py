"""Writes the malformed specs into a folder: make_specs.py FOLDER."""

import os
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def write(name, content):
    with open(os.path.join(folder, name + ".clm"), "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def spec(value="1", declarations="", layer="linear(8)", model=""):
    """A spec that is well-formed but for what is put into it."""
    return f"""import std.nn;
{declarations}
network n()(x: f32[B, ...]) -> f32[B, k] {{
  site h : f32[B, units] = relu({layer}(flatten(x)));
  return h;
}}
method m() on net {{
  per task {{ head clf = linear(classes); }}
  let value = {value};
  loss cross_entropy(clf[t](net(x)), y);
  predict task = clf[t](net(x));
}}
model s {{ data digits; net = n(); method = m(); {model} }}
"""


# Bytes
write("empty", b"")
write("blank", b" \n\t\n")
write("binary", bytes(range(256)) * 16)
write("latin", spec().replace("value", "gr\u00f6\u00dfe").encode("latin-1"))
write("nul", spec().encode()[:100] + b"\0" + spec().encode()[100:])
write("mark", b"\xef\xbb\xbf" + spec("unknown").encode())
write("lines", spec("unknown").replace("\n", "\r\n"))
write("half", spec()[: spec().index("model s") + 20])
write("large", b"// " + b"x" * (5 << 20))

# Nesting
write("parentheses", spec("(" * 10000 + "1" + ")" * 10000))
write("open", spec("(" * 10000))
write("blocks", "method m() on net { " + "per task { " * 10000)
write("minus", spec("-" * 10000 + "1"))
write("comment", spec() + "/* no end")
write("string", spec('"no end'))

# Numbers and sizes
write("integer", spec("9" * 400))
write("exponent", spec("1e999999999"))
write("product", spec("2147483647 * 2147483647"))
write("zero", spec(layer="linear(0)"))
write("negative", spec(layer="linear(-3)"))
write("elements", spec(layer="l", declarations="layer l(x: f32[B, in]) { param w : f32[2147483648, in, 1024] = 0; return x; }"))
write("division", spec("1 / 0"))
write("batch", spec(model="train { batch 2000000000; }"))

# What refers to itself
write("function", spec("f(1)", "function f(x) = f(x) + 1;"))
write("layers", spec(layer="l", declarations="layer l(x: f32[B, in]) { return l(l(x)); }"))
write("constant", spec("a", "let a = b; let b = a;"))
write("itself", "import ./itself.clm;\n" + spec())
write("circle", "import ./circle2.clm;\n" + spec())
write("circle2", "import ./circle.clm;\n")
write("doubling", spec("f40(1)", "function f0(x) = x; " + " ".join(
    f"function f{i}(x) = f{i - 1}(x) + f{i - 1}(2 * x);" for i in range(1, 41))))
write("lists", spec(declarations="function d(x) = [x, x];").replace(
    "loss cross", "clamp " + "d(" * 40 + "net.params" + ")" * 40 + " to [0, 1]; loss cross"))

# Unknown everything
write("name", spec("whatever.it(3)"))
write("import", "import std.nowhere;\n" + spec())
write("type", spec(declarations="layer l(x: f99[B]) { return x; }", layer="l"))
write("data", spec(model="data nowhere;").replace("data digits;", ""))
