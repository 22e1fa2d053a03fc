"""Where airfields lie: two lists of them against each other."""
import re

from features import distance
from texts import clean, fold

# Kilometres. A large airport is that wide, so that two points of it may be this far apart.
APART = 5
# What its town is at most away from an airfield that is named after it.
TOWNWARD = 30
# What no airport moves when it is built anew.
MOVED = 100


def placed(airports, ours, namesakes):
    """airportsdata's rows, with OurAirports' position where theirs is wrong.

    airportsdata has the degrees, minutes and seconds of Belgian and Luxembourg airfields written as decimals (Brussels:
    50.5405, 4.2904 for 50° 54' 05", 4° 29' 04"), which is 12 to 47 km off; where reading them so gives OurAirports'
    position, it is meant. Elsewhere it has many that are rounded to minutes, are those of the town, or of an airport that
    was given up for another. OurAirports' were mostly taken from aerial pictures, but are from 2022, and some codes were
    given to other airfields since. So it must be the same airfield: same country, and the same IATA code or name. Of two
    positions then that one is right which has the airfield's town near by, if only one has. Otherwise it is OurAirports',
    except where they are too far apart for one airfield (unless both codes are the same), or airportsdata's has six
    decimals, as those have that were revised since, of new airports too."""
    by_iata = {}
    for row in ours.values():
        if row["iata_code"] and row["type"] != "closed":
            by_iata[row["iata_code"], row["iso_country"]] = row
    known = {airport["icao"] for airport in airports}

    def partner(airport):
        same = ours.get(airport["icao"])
        other = by_iata.get((airport["iata"], airport["country"]))
        if other and not (same and same["iata_code"] == airport["iata"]) and other["gps_code"] not in known:
            return other
        return same

    found = []
    for airport in airports:
        row = partner(airport)
        if row and is_misplaced(airport, row, namesakes):
            # Where another airport took over, its name is OurAirports'.
            airport = airport | {"lat": row["latitude_deg"], "lon": row["longitude_deg"], "also": row["name"]}
        found.append(airport)
    return found


def is_misplaced(airport, row, namesakes):
    theirs, other = point(airport["lat"], airport["lon"]), point(row["latitude_deg"], row["longitude_deg"])
    apart = distance(theirs, other)
    if apart < APART:
        return False
    read = point(sexagesimal(airport["lat"]), sexagesimal(airport["lon"]))
    if distance(read, other) < 2:
        return True
    has_iata = airport["iata"] == row["iata_code"] != ""
    has_icao = airport["icao"] in (row["gps_code"], row["ident"])
    is_same = has_iata or bare(airport["name"]) == bare(row["name"]) != "" and row["type"] != "heliport"
    if airport["country"] != row["iso_country"] or not is_same or not has_icao and apart > MOVED:
        return False
    votes = {vote(town, airport["country"], theirs, other, namesakes) for town in (airport["city"], row["municipality"])}
    if votes - {None}:
        return votes - {None} == {True}
    if apart > MOVED and not (has_iata and has_icao):
        return False
    return max(len(text.partition(".")[2]) for text in (airport["lat"], airport["lon"])) < 6


def vote(town, country, theirs, other, namesakes):
    """Whether the town lies near the other position and not near theirs; None if it tells nothing."""
    name = re.sub(r"\s*[(,/].*|-[\w ]+ Island$", "", clean(town))
    at = [point(y, x) for y, x, its in namesakes.known.get(fold(name), ()) if its == country]
    far, near = (min((distance(p, place) for p in at), default=0) for place in (theirs, other))
    if min(far, near) > TOWNWARD or max(far, near) < TOWNWARD + APART:
        return None
    return near < far


def point(latitude, longitude):
    return {"latitude": float(latitude), "longitude": float(longitude)}


def bare(name):
    return fold(re.sub(r"\b(?:airport|airfield|aerodrome|airstrip|intl|international)\b", "", clean(name), flags=re.I))


def sexagesimal(text):
    """d.mmss as degrees."""
    whole, _, rest = text.partition(".")
    minutes, seconds = rest[:2].ljust(2, "0"), rest[2:].ljust(2, "0")
    degrees = int(whole.lstrip("-")) + int(minutes) / 60 + float(f"{seconds[:2]}.{seconds[2:]}") / 3600
    return -degrees if whole.startswith("-") else degrees
