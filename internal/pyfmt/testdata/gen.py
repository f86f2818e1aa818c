"""Prints Python's results of many templates and values: python3 gen.py > python.jsonl

Each line is a case: [template, value as JSON text, result]. The result is null if Python raises an exception.
"""
import itertools, json

ints = [0, 7, -42, 1234, 1234567, -1000000, 255, 12345678901234567890123]
floats = [0.0, -0.0, 0.5, 1.0, -1.25, 3.14159265, 1234.5678, 1234567.891, 99.95, 0.00012345, 0.000012345,
          1e15, 1e16, 123456789012345680.0, 1.5e300, -2.5e-7, 100000.0, 999999.5, 1e22, 2.675, 0.1, 1e-320]
texts = ["", "abc", "Unavailable", "grüße ☀", "it's", 'say "x"', "a'b\"c", "tab\tnew\nline\\", "\x00\x7f\x80\xad\u200b\u2028", "😀", "21.5"]
others = [None, True, False, [], [1, 2.0, "x", None], {"a": 1, "b": [True, {"c": "d'e"}]}, {}]
values = ints + floats + texts + others

specs = ["d", "5", "05", "<8", ">8", "^9", "=8", "*^11", "ü>6", "+", " ", "-", "+d", " d", "08d", "+08.2f", ",", "_", ",d",
         "_d", "_x", "_b", "#x", "#X", "#o", "#b", "x", "X", "o", "b", "08,", "09,", "010,", "011,", "0=12,", "015,.2f", "+015,.2f",
         "012_x", "#018_x", "#012x", "n", "c", "5c", "<5c", "05c", ".1f", ".0f", ".2f", "f", "F", ",.2f", "_.3f", "8.3f", "<10.1f",
         "^10.1f", "=+10.1f", "x=+10.1f", "e", "E", ".0e", ".2e", "#.0e", "#.0f", "g", "G", ".3g", ".10g", ".0g", "#.3g", "#g", ".3",
         ".6", ".0", "10.4", "#", "%", ".0%", ".1%", ",.1%", "010%", "z.0f", "z.1f", "z", "+z.1f", "s", "10s", ".2s", "<10s", "^10.2s",
         "06s", "=6s", "+s", ",s", "#s", "<05", "^05", ">05", "-05", " 05", "inf", ".", "5.", "dd", ",,", "_,", ",x", ",n", "<", "<<5", "0", "00",
         "#,", "z#08,.1f", ",e", ",.3g", "_E"]
templates = ["{}", "{0}", "{value}", "{!r}", "{!s}", "{!a}", "{value!r:>12}", "{!s:^9}", "{!r:.3}", "a{{b}}c{}", "{} °C", "no field", "",
             "{value[a]}", "{value[0]}", "{value[1]:.2f}", "{value[b][1][c]}", "{0[3]}", "{value[9]}", "{value[-1]}", "{value[zz]}",
             "{0}{0}", "{value}{value:>5}", "{}{}", "{}{0}", "{value[a]!r:>4}", "{", "}", "{0", "{!x}", "{!}", "{!r", "{value[}", "{value[]}",
             "{value[a]b}", "{:5", "}}", "{{", "{{}}", "{{{}}}", "{0:{}}", "{nope}", "{1}", "{!rx}", "{:}", "{!r:}"]


def run(template, value):
    """A template can refer to the value by position or by name, so the value is passed in both ways."""
    try:
        return template.format(value, value=value)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError):
        return None


for t in templates + ["{:" + s + "}" for s in specs]:
    for v in values:
        print(json.dumps([t, json.dumps(v), run(t, v)]))
