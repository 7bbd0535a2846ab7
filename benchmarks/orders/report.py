"""report.py: the tables of a run, servers side by side, and the plot of readers per second over time."""
import math

import workload

MIB = 1 << 20
PHASES = ("load", "settle")


def number(value, digits: int = 1) -> str:
    if value is None:
        return "-"
    return f"{value:,.{digits}f}" if abs(value) < 1000 else f"{value:,.0f}"


def table(title: str, runs: list, lines: list) -> list:
    """lines: (label, function of a run)."""
    out = [f"\n### {title}\n", "| | " + " | ".join(run["name"] for run in runs) + " |", "|---" * (len(runs) + 1) + "|"]
    for label, value in lines:
        out.append(f"| {label} | " + " | ".join(str(value(run)) for run in runs) + " |")
    return out


def ratio(runs: list, value) -> str:
    """Coppice over PostgreSQL, where both are there."""
    values = {run["kind"]: value(run) for run in runs}
    if len(values) < 2 or not all(values.values()):
        return ""
    return f"{values['coppice'] / values['postgres']:.2f}"


def markdown(result: dict) -> str:
    runs, arguments = result["runs"], result["arguments"]
    raw = result["raw_bytes"]
    out = [f"## Orders: {arguments['rows']:,} rows, {raw / MIB:,.0f} MiB raw, memory cap {arguments['memory']}", "",
           f"{arguments['streams']} {arguments['mode']} streams of {arguments['chunk']}-row chunks, {arguments['clients']} readers "
           f"({arguments['protocol']}), {arguments['rows_per_sku']} rows a sku, {arguments['days']} days. {result['machine']}"]
    out += [f"\n**{run['name']}: {note}**" for run in runs for note in run["notes"]]
    settle = lambda run, name, p: run["settle"]["scripts"][name][p]
    out += table("The short version", runs, [
        ("sku_day (two indexes), settle p95, ms", lambda r: number(settle(r, "sku_day", "p95"), 2)),
        ("other three, settle, geometric mean of means, ms", lambda r: number(geometric_mean(r), 2)),
        ("reader transactions/s, settle", lambda r: number(r["settle"]["per_second"])),
        ("reader transactions/s, load", lambda r: number(r["load"]["readers"]["per_second"])),
        ("load, rows/s", lambda r: number(r["load"]["rows_per_second"], 0)),
        ("data at the end against raw", lambda r: number(r["disk"]["total"] / raw, 2) + "x"),
        ("written over load and settle against raw", lambda r: number(r["server"]["written"] / raw, 2) + "x"),
        ("counts", lambda r: "exact" if not r["wrong"] else f"{len(r['wrong'])} WRONG")])
    out += table("Load", runs, [
        ("rows per second", lambda r: number(r["load"]["rows_per_second"], 0)),
        ("load time, s", lambda r: number(r["load"]["seconds"])),
        ("raw MB/s", lambda r: number(r["load"]["rows_per_second"] * raw / arguments["rows"] / 1e6)),
        ("chunk latency p50 / p95 / p99 / max, ms", lambda r: " / ".join(number(r["load"]["chunks"][p]) for p in ("p50", "p95", "p99", "max"))),
        ("server CPU, cores", lambda r: number(r["load"]["cpu"] / r["load"]["seconds"], 2)),
        ("server CPU per row, us", lambda r: number(r["load"]["cpu"] * 1e6 / arguments["rows"])),
        ("server memory at most, MiB (page cache apart)", lambda r: number(r["server"]["memory_peak"] / MIB, 0)),
        ("killed for memory", lambda r: r["server"]["oom_kills"])])
    out += table("Disk", runs, [
        ("data at the end of the load, MiB", lambda r: number(r["disk_after_load"]["total"] / MIB, 0)),
        ("data at the end, MiB", lambda r: number(r["disk"]["total"] / MIB, 0)),
        ("of it the log, MiB", lambda r: number(r["disk"]["log"] / MIB, 0)),
        ("bytes per row at the end", lambda r: number(r["disk"]["total"] / arguments["rows"], 0)),
        ("written during load / settle, MiB", lambda r: f"{number(r['load']['written'] / MIB, 0)} / {number(r['settle']['written'] / MIB, 0)}"),
        ("read during load / settle, MiB", lambda r: f"{number(r['load']['read'] / MIB, 0)} / {number(r['settle']['read'] / MIB, 0)}")])
    for phase, part in (("during the load", lambda r: r["load"]["readers"]), ("settle", lambda r: r["settle"])):
        out += readers_table(f"Queries, {phase}", runs, part)
    out += ["\nServer CPU per reader transaction in the settle, us: " +
            ", ".join(f"{r['name']} {number(r['settle']['cpu'] * 1e6 / max(1, r['settle']['transactions']))}" for r in runs)]
    out += ["\n### Readers over the run\n", "| | " + " | ".join(run["name"] for run in runs) + " |", "|---" * (len(runs) + 1) + "|"]
    for index in range(max(len(run["slices"]) for run in runs)):
        cells = []
        for run in runs:
            if index < len(run["slices"]):
                part = run["slices"][index]
                cells.append(f"{part['phase']}, {part['rows'] / 1e6:.2f} M rows, {number(part['per_second'])} a second, sku_day p95 {number(part['sku_day_p95'], 2)} ms")
            else:
                cells.append("")
        out.append(f"| slice {index + 1} | " + " | ".join(cells) + " |")
    for rate in sorted({open_["rate"] for run in runs for open_ in run["open"]}):
        out += readers_table(f"Open loop: {rate} a second asked for; latency from when each was due", runs,
                             lambda r: next((o["readers"] for o in r["open"] if o["rate"] == rate), None))
    for run in runs:
        for name, lines in run["plans"].items():
            out += [f"\n{run['name']}, plan of {name}: " + " / ".join(line.split("  (")[0].strip().removeprefix("->").strip() for line in lines)]
        out += [f"\n**{run['name']}: wrong: {text}**" for text in run["wrong"][:10]]
    return "\n".join(out) + "\n"


def readers_table(title: str, runs: list, part) -> list:
    out = [f"\n### {title}\n", "| query | | per second | p50 ms | p95 ms | p99 ms | max ms |", "|---|---|---|---|---|---|---|"]
    for name in workload.NAMES:
        for run in runs:
            if (readers := part(run)) is not None:
                got = readers["scripts"][name]
                out.append(f"| {name} | {run['name']} | {number(got['per_second'])} | " +
                           " | ".join(number(got[p], 2) for p in ("p50", "p95", "p99", "max")) + " |")
        for p in ("p50", "p95"):
            share = ratio(runs, lambda r: part(r)["scripts"][name][p] if part(r) else None)
            if share:
                out.append(f"| | {p}: Coppice / PostgreSQL | | " + " | ".join(share if p == q else "" for q in ("p50", "p95")) + " | | |")
    for run in runs:
        if (readers := part(run)) is not None:
            out.append(f"| all | {run['name']} | {number(readers['per_second'])} | | | | |")
    return out


def geometric_mean(run: dict):
    means = [run["settle"]["scripts"][name]["mean"] for name in workload.NAMES if name != "sku_day"]
    return math.exp(sum(map(math.log, means)) / 3) if all(means) else None


# --- plot ---------------------------------------------------------------------------------------------------------------
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 420, 70, 20, 40, 50
COLOURS = {"coppice": "#1b7f4b", "postgres": "#336791"}


def plot(result: dict) -> str:
    """An SVG: readers per second over time, the rate on a log scale; a dot where each load ended."""
    runs = [run for run in result["runs"] if run["series"]]
    points = [(at, rate) for run in runs for at, rate in run["series"] if rate > 0]
    if not points:
        return ""
    seconds = max(at for at, _ in points)
    low = math.floor(math.log10(max(0.1, min(rate for _, rate in points))))
    high = max(low + 1, math.ceil(math.log10(max(rate for _, rate in points))))
    x = lambda at: LEFT + (WIDTH - LEFT - RIGHT) * at / max(seconds, 1)
    y = lambda rate: TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log10(max(rate, 10 ** low))) / (high - low)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="15">Reader transactions per second, {result["arguments"]["rows"]:,} rows, '
           f'memory cap {result["arguments"]["memory"]}</text>']
    for power in range(low, high + 1):
        level = y(10 ** power)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{level:.1f}" y2="{level:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end">{10.0 ** power:g}</text>')
    for tick in range(7):
        at = seconds * tick / 6
        out.append(f'<text x="{x(at):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{at:.0f} s</text>')
    out.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 10}" text-anchor="middle">seconds since the load began; the dot: the load ended</text>')
    for index, run in enumerate(runs):
        colour = COLOURS[run["kind"]]
        path = " ".join(f"{x(at):.1f},{y(rate):.1f}" for at, rate in run["series"])
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        end = run["load"]["seconds"]
        nearest = min(run["series"], key=lambda point: abs(point[0] - end))
        out.append(f'<circle cx="{x(end):.1f}" cy="{y(nearest[1]):.1f}" r="5" fill="{colour}"/>')
        out.append(f'<rect x="{WIDTH - 190}" y="{TOP + 4 + 20 * index}" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{WIDTH - 172}" y="{TOP + 14 + 20 * index}">{run["name"]}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
