"""JSON lines of `interleave.py`, the Avalanche scripts and `palimpsest bench --json` → tables in Markdown.

The k-th line of a peer, net and variant is round k; a ratio is taken within a round: median (lowest–highest)."""

import argparse
import fileinput
import json
import statistics

NETS = ["tiny", "small", "medium", "large"]
OURS = "palimpsest"


def read(files):
    """Rates by (peer, net, variant), and the lines of whole Permuted-MNIST runs."""
    rates, runs = {}, {}
    for text in fileinput.input(files):
        if not text.startswith("{"):
            continue
        line = json.loads(text)
        key = line["peer"], line["net"], line["variant"]
        if line["net"] == "permuted-mnist":
            runs.setdefault(key, []).append(line)
        elif line["steps_per_s"] is not None:
            rates.setdefault(key, []).append(line["steps_per_s"])
    return rates, runs


def counterpart(variant, rates, net):
    """Our variant to compare with: many nets at once stand against our bulk run where there is one."""
    name = variant.split()[0]
    many = " x" in variant
    return "bulk" if many and (OURS, net, "bulk") in rates else name


def ratios(rates, peer, net, variant):
    ours = rates.get((OURS, net, counterpart(variant, rates, net)), [])
    return [a / b for a, b in zip(ours, rates[peer, net, variant])]


def short(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def spread(values):
    if not values:
        return "–"
    return f"{short(statistics.median(values))} ({short(min(values))}–{short(max(values))})"


def table(rates, title, cell):
    """One row a peer and variant, one column a net."""
    rows = dict.fromkeys((p, v) for p, _, v in rates)
    print(f"\n| {title} | " + " | ".join(NETS) + " |\n" + "|---" * (len(NETS) + 1) + "|")
    for peer, variant in rows:
        cells = [cell(peer, net, variant) if (peer, net, variant) in rates else "–" for net in NETS]
        if any(c != "–" for c in cells):
            print(f"| {peer}: {variant} | " + " | ".join(cells) + " |")


def run_table(runs):
    print("\n| Permuted MNIST, 10 tasks | seconds | training samples/s | peak MB (ready) | accuracy | remark |\n" + "|---" * 6 + "|")
    for (peer, _, variant), lines in runs.items():
        middle = lambda name: statistics.median(line[name] for line in lines)
        ready = "" if lines[0]["ready_mb"] is None else f" ({middle('ready_mb'):,.0f})"
        print(
            f"| {peer}: {variant} | {middle('seconds'):.1f} | {middle('samples_per_s'):,.0f} "
            f"| {middle('peak_mb'):,.0f}{ready} | {middle('accuracy'):.3f} | {remark(lines[0])} |"
        )


def remark(line):
    if "si_largest_importance" not in line:
        return ""
    largest = line["si_largest_importance"]
    return f"largest importance {largest:.3g}" + (": no penalty at all, the snapshots are views of the live weights" if largest == 0 else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    rates, runs = read(parser.parse_args().files)
    table(rates, "steps/s", lambda *key: spread(rates[key]))
    others = {k: v for k, v in rates.items() if k[0] != OURS}
    table(others, "Palimpsest over", lambda *key: spread(ratios(rates, *key)))
    if runs:
        run_table(runs)


if __name__ == "__main__":
    main()
