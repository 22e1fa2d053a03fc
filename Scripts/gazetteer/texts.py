"""Names as texts."""
import unicodedata


def clean(name):
    return unicodedata.normalize("NFC", " ".join((name or "").split()))


def fold(name):
    """Equal only for names that the index can't tell apart either: case, Latin accents, spaces and punctuation."""
    letters = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(c for c in letters if not 0x300 <= ord(c) <= 0x36F)
    return "".join(c for c in unicodedata.normalize("NFC", letters) if unicodedata.category(c)[0] in "LNM")
