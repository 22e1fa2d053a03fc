"""Features of the gazetteer: the table of landmarks, and the lakes of Natural Earth.

landmarks.tsv is written by hand, from common knowledge. Its columns, separated by tabs:

    kind        one of KINDS
    country     ISO 3166-1 letters; several are separated by `;`
    latitude, longitude     degrees, WGS 84
    importance  0 to 1: 0.9 is known to nearly everyone, 0.75 to most travellers, 0.6 is a chief sight of its country,
                0.45 is known in all of it, 0.3 in its part
    town, distance          the nearest town, and how many kilometres away it is: a check of the coordinates
    radius      kilometres: a circle around the position that lies within the area; empty if it is small
    name        the English one, or what English speakers use
    names       others, separated by `|`: `fr:Tour Eiffel`, or `und:` for one of no particular language
"""
import math
import re
import struct
import zlib
from collections import defaultdict
from pathlib import Path

from texts import clean, fold

KINDS = """peak range volcano lake river waterfall island beach bay cape desert park cave landmark museum castle palace church
    temple mosque synagogue monument ruin bridge tower theatre stadium theme-park zoo garden square street university library
    station metro ferry pass quarter region admin2""".split()

# How many decimals a coordinate needs; two for what is large.
DECIMALS = dict.fromkeys("range lake river island bay desert park region".split(), 1) | dict.fromkeys(
    "peak volcano waterfall beach cape cave quarter street pass".split(), 2
)


def landmarks(path, towns, atlas):
    """The rows as places, and what is wrong with the others."""
    rows, faults, found, at = Path(path).read_text().splitlines(), [], [], defaultdict(list)
    known = Towns(towns)
    for number, row in enumerate(rows, 1):
        try:
            place = landmark(row, known, atlas)
        except ValueError as fault:
            faults.append(f"{number}: {fault}: {row[:100]}")
            continue
        for name in {fold(n) for n in (place["name"], *place["tagged"])}:
            for other in at[name, place["class"]]:
                if distance(place, other) < 5:
                    faults.append(f"{number}: like {other['name']}, {distance(place, other):.1f} km away: {row[:100]}")
            at[name, place["class"]].append(place)
        found.append(place)
    return found, faults


def landmark(row, towns, atlas):
    kind, countries, latitude, longitude, importance, town, away, radius, name, names = row.split("\t")
    place = {"latitude": float(latitude), "longitude": float(longitude)}
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind}")
    decimals = DECIMALS.get(kind, 3)
    if min(len(text.partition(".")[2]) for text in (latitude, longitude)) < decimals:
        raise ValueError("its coordinates are too coarse")
    if not 0 < float(importance) <= 1:
        raise ValueError("its importance isn't in 0 to 1")
    countries = countries.split(";")
    there = atlas.countries(place["latitude"], place["longitude"])
    if there and not there & set(countries):
        raise ValueError(f"lies in {', '.join(sorted(there))}")
    reach = float(radius or 0)
    near, apart = towns.named(town, countries, place)
    if near is None:
        raise ValueError(f"{town} isn't known there")
    # A town's position is its centre, and the row may measure from its edge.
    size = math.sqrt(near["population"] / 1000) / 6
    slack = 3 + 0.35 * max(float(away), apart) + size + 0.5 * reach
    if abs(apart - float(away)) > slack:
        raise ValueError(f"{town} is {apart:.1f} km away, not {away}")
    tagged = defaultdict(list)
    for other in filter(None, names.split("|")):
        language, _, text = other.partition(":")
        if text != name:
            tagged[clean(text)] += [] if language == "und" else [language]
    return {
        # No source has an id for it: a number below those of villages, from what it is.
        "id": -(3 << 48) - zlib.crc32(f"{kind} {countries[0]} {name}".encode()),
        "class": kind, "region": region(near, countries), "zone": near["zone"], "population": 0,
        "name": clean(name), "aliases": [], "tagged": dict(tagged), "codes": [],
        "fame": round(float(importance) * 1000), "radius": round(reach * 10),
    } | place  # fmt: skip


def region(town, countries):
    return town["region"] if town["region"][:2] in countries else f"{countries[0]}."


class Towns:
    """Towns by their names."""

    def __init__(self, places):
        self.places = [p for p in places if p["class"] <= 5]
        self.named_so = defaultdict(list)
        for place in self.places:
            for name in {fold(n) for n in (place["name"], *place["aliases"], *place["tagged"])}:
                self.named_so[name].append(place)

    def named(self, name, countries, position):
        """The nearest town of that name, and its distance in kilometres."""
        near = [
            (distance(place, position), place["id"], place)
            for place in self.named_so.get(fold(name), ())
            if place["region"][:2] in countries
        ]
        apart, _, place = min(near, default=(0, 0, None))
        return place, apart


def distance(a, b):
    """Kilometres."""
    y, x = math.radians(a["latitude"]), math.radians(b["latitude"])
    z = math.radians(a["longitude"] - b["longitude"])
    h = math.sin((y - x) / 2) ** 2 + math.cos(y) * math.cos(x) * math.sin(z / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(min(1, h)))


class Atlas:
    """The countries of a position, by the zones that Scripts/borders has drawn. That script describes the file."""

    CELL, CENTER = 25_000, 12_500.5

    def __init__(self, path):
        self.data = data = Path(path).read_bytes()
        self.step, runs, words, text = struct.unpack_from("<4I", data, 12)
        rows = 180 * 100_000 // (self.CELL * self.step)
        at = 28
        self.rows = (*struct.unpack_from(f"<{rows}I", data, at), runs)
        at += 4 * rows
        self.records = struct.unpack_from(f"<{runs}I", data, at)
        at += 4 * runs
        self.columns = struct.unpack_from(f"<{runs}H", data, at)
        at += 2 * runs
        self.words = at
        self.areas = [line.split("\t") for line in data[at + 2 * words :].decode().split("\n")]

    def countries(self, latitude, longitude):
        """Empty on the high seas."""
        x = round((longitude + 180) * 1e5 / self.step)
        y = round((latitude + 90) * 1e5 / self.step)
        row, column = y // self.CELL, x // self.CELL
        first, last = self.rows[row], self.rows[row + 1]
        run = max(r for r in range(first, last) if self.columns[r] <= column)
        at = self.words + 2 * self.records[run]

        def take(count):
            nonlocal at
            values = struct.unpack_from(f"<{count}H", self.data, at)
            at += 2 * count
            return values

        (head,) = take(1)
        areas = take(head & 255)
        inside = [place < head >> 8 for place in range(len(areas))]
        (lines,) = take(1)
        goal = (x - column * self.CELL, y - row * self.CELL)
        for _ in range(lines):
            bounds, count = take(2)
            points = take(2 * count)
            points = list(zip(points[::2], points[1::2]))
            crossings = sum(crosses(goal, (self.CENTER, self.CENTER), a, b) for a, b in zip(points, points[1:]))
            if crossings % 2:
                for place in {bounds & 255, bounds >> 8} - {255}:
                    inside[place] = not inside[place]
        return {code for area, is_in in zip(areas, inside) if is_in for code in self.areas[area][1:] if code}


def crosses(p, q, a, b):
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return (side(p, q, a) > 0) != (side(p, q, b) > 0) and (side(a, b, p) > 0) != (side(a, b, q) > 0)


# Importance by Natural Earth's rank of scales, the first for the largest.
LAKES = [0.72, 0.66, 0.6, 0.55, 0.5, 0.42, 0.4, 0.34, 0.3, 0.26]
LANGUAGES = "ar bn de el en es fa fr he hi hu id it ja ko nl pl pt ru sv tr uk ur vi zh".split()
WATER = re.compile(r"\b(?:lake|loch|lough|lago|laguna|lagoon|lac|see|reservoir|dam|pond|embalse|represa|sea|lagoa)\b", re.I)


def lakes(files, atlas, nearest):
    """Natural Earth's lakes that have a name, with the largest circle that fits into them."""
    table, shapes = files
    found = []
    for row, rings in zip(rows(table), polygons(shapes), strict=True):
        name = clean(row["name"] or row["name_en"])
        if not name or "\ufffd" in name:
            name = clean(row["name_en"])
        if not name:
            continue
        latitude, longitude, radius = widest(rings)
        town = nearest(latitude, longitude)
        if not town:
            continue
        there = sorted(atlas.countries(latitude, longitude)) or [town["region"][:2]]
        tagged = defaultdict(list)
        for language in LANGUAGES:
            other = clean(row[f"name_{language}"])
            if other and other != name and "\ufffd" not in other:
                tagged[other].append(language)
        english = clean(row["name_en"])
        aliases = [clean(part) for part in re.split(r"[,;/]", row["name_alt"]) if clean(part) and "\ufffd" not in part]
        if english and not WATER.search(english) and f"Lake {english}" != name:
            tagged[f"Lake {english}"].append("en")
        found.append(
            {
                "id": -(3 << 48) - zlib.crc32(f"lake {row['ne_id']}".encode()), "class": "lake",
                "region": region(town, there), "zone": town["zone"], "population": 0, "name": name, "aliases": aliases,
                "tagged": dict(tagged), "codes": [], "latitude": round(latitude, 4), "longitude": round(longitude, 4),
                "fame": round(1000 * LAKES[min(9, max(0, int(row["scalerank"])))]), "radius": round(radius * 10),
            }
        )
    return found


def with_lakes(places, more):
    """The table's lakes with Natural Earth's names and radius, and the lakes that only the latter has."""
    merged = []
    for lake in more:
        names = {fold(n) for n in (lake["name"], *lake["tagged"], *lake["aliases"])}
        same = [
            p for p in places
            if p["class"] == "lake" and distance(p, lake) < 10 + lake["radius"] / 5
            and names & {fold(n) for n in (p["name"], *p["tagged"])}
        ]  # fmt: skip
        if not same:
            # Natural Earth calls a part of Lake Maggiore Como.
            if not any(
                p["class"] == "lake" and distance(p, lake) < 200 and names & {fold(n) for n in (p["name"], *p["tagged"])}
                for p in places
            ):
                merged.append(lake)
            continue
        place = same[0]
        place["radius"], place["latitude"], place["longitude"] = lake["radius"], lake["latitude"], lake["longitude"]
        told = {language for languages in place["tagged"].values() for language in languages}
        for name, languages in {lake["name"]: [], **lake["tagged"]}.items():
            if name != place["name"] and name not in place["tagged"]:
                place["tagged"][name] = [language for language in languages if language not in told]
    return places + merged


def with_counties(places, counties):
    """The features, and the second-level regions: those that the table has too are as well known as it says."""
    named = defaultdict(list)
    for place in places:
        if place["class"] == "region":
            for name in (place["name"], *place["tagged"]):
                named[fold(name)].append(place)
    joined, gone = [], set()
    for county in counties:
        names = [fold(re.sub(r"^(?:L[ae]s? |L['’])", "", n)) for n in (county["name"], *county["aliases"])]
        same = [p for name in names for p in named[name] if distance(p, county) < 30 + county["radius"] / 10]
        if same:
            place = same[0]
            gone.add(place["id"])
            aliases = [n for n in (county["name"], *county["aliases"]) if n not in (place["name"], *place["tagged"])]
            county |= {"name": place["name"], "tagged": place["tagged"], "aliases": aliases, "fame": place["fame"]}
        joined.append(county)
    return [p for p in places if p["id"] not in gone] + joined


def rows(data):
    """The rows of a dBase file."""
    count, start, size = struct.unpack_from("<IHH", data, 4)
    fields, at = [], 32
    while data[at] != 13:
        fields.append((data[at : at + 11].split(b"\0")[0].decode(), data[at + 16]))
        at += 32
    for row in range(count):
        at, values = start + row * size + 1, {}
        for name, length in fields:
            values[name] = data[at : at + length].decode("utf-8", "replace").strip(" \0")
            at += length
        yield values


def polygons(data):
    """The rings of each polygon of a shapefile."""
    at = 100
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at + 4)
        _, parts, points = struct.unpack_from("<I32x2I", data, at + 8)
        starts = (*struct.unpack_from(f"<{parts}I", data, at + 52), points)
        numbers = struct.unpack_from(f"<{2 * points}d", data, at + 52 + 4 * parts)
        pairs = list(zip(numbers[::2], numbers[1::2]))
        yield [pairs[a:b] for a, b in zip(starts, starts[1:])]
        at += 8 + 2 * length


def widest(rings):
    """The middle of about the largest circle within rings, and its radius in kilometres."""
    xs, ys = [x for x, _ in rings[0]], [y for _, y in rings[0]]
    width = math.cos(math.radians(sum(ys) / len(ys)))
    flat = [[(x * width, y) for x, y in ring] for ring in rings]
    west, east, south, north = min(xs) * width, max(xs) * width, min(ys), max(ys)
    best = (0, (west + east) / 2, (south + north) / 2)
    for _ in range(4):
        _, x0, y0 = best
        step_x, step_y = (east - west) / 12, (north - south) / 12
        tries = [(west + i * step_x, south + j * step_y) for i in range(13) for j in range(13)]
        best = max([(depth(flat, x, y), x, y) for x, y in tries] + [best])
        _, x0, y0 = best
        west, east, south, north = x0 - step_x, x0 + step_x, y0 - step_y, y0 + step_y
    radius, x, y = best
    return y, x / width, max(0, radius) * 111.2


def depth(rings, x, y):
    """The distance to the nearest line; negative outside."""
    inside, nearest = False, math.inf
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:]):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
            dx, dy = bx - ax, by - ay
            t = max(0, min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1)))
            nearest = min(nearest, (ax + t * dx - x) ** 2 + (ay + t * dy - y) ** 2)
    return math.sqrt(nearest) if inside else -math.sqrt(nearest)
