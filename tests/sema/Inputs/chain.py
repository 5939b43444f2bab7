"""Prints a spec with a chain of functions: chain.py LENGTH BODY, where {0} in the body is the number of the one before."""

import sys

length, body = int(sys.argv[1]), sys.argv[2]
print("import std.nets.mlp, std.nn;\nfunction f0(x) = x;")
for number in range(1, length + 1):
    print(f"function f{number}(x) = {body.format(number - 1)};")
print(f"""method m() on net {{
  per task {{ head clf = linear(classes); }}
  loss cross_entropy(clf[t](net(x)), y);
  loss chain = f{length}(1.0);
  predict task = clf[t](net(x));
}}
model chain {{ data digits; net = mlp(); method = m(); }}""")
