"""What the catalogue says about each picture. Every name, place, person and camera here is invented."""

import base64
import hashlib
import re
import unicodedata
import zlib

from . import png
from .canvas import Dice

# username: (name, first name, last name, bio, location, portfolio)
PHOTOGRAPHERS = {
    "zoe_angstrom": (
        "Zoë Ångström",
        "Zoë",
        "Ångström",
        "Mountains, mornings and the hour before snow.",
        "Fjällhamra, Sweden",
        "https://example.org/zoe-angstrom",
    ),
    "liming_frames": (
        "李明 Li",
        "李明",
        "Li",
        "城市与山水。Cities after rain, hills before breakfast.",
        "Yunxi, China",
        None,
    ),
    "marisolq": (
        "Marisol Quendaño",
        "Marisol",
        "Quendaño",
        None,
        "Puerto Alverde, Chile",
        "https://example.org/marisol",
    ),
    "tobias_fennimark": (
        "Tobias Fennimark",
        "Tobias",
        "Fennimark",
        "Lighthouse keeper's grandson. Mostly sea.",
        "Skarholm, Denmark",
        None,
    ),
    "nokwuesa": (
        "Nadia Okwuesa",
        "Nadia",
        "Okwuesa",
        "Colour, cloth and anything that repeats.",
        None,
        "https://example.org/okwuesa/prints",
    ),
    "kestrel": ("Kestrel", "Kestrel", None, None, None, None),
    "irisa_k": (
        "Īrisa Kalnvārde",
        "Īrisa",
        "Kalnvārde",
        "I draw with numbers & photograph the result.",
        "Saulgale, Latvia",
        "https://example.org/irisa",
    ),
    "abrackwater": (
        "Aurelio Brackwater",
        "Aurelio",
        "Brackwater",
        "Slow walks, long lenses, “one more minute”.",
        "Dunmarrow, Ireland",
        None,
    ),
}

HALDEN, ORVIK, MIRABELL, TESSARIN, PHONE = (
    ("Halden", "Halden R7"),
    ("Orvik", "Field 2"),
    ("Mirabell", "35 Compact"),
    ("Tessarin", "T100"),
    ("Lumo", None),
)

# file stem: (description, alternative description, tags, photographer, exif, location)
# exif: (camera, exposure time, aperture, focal length, iso); location: (name, city, country, latitude, longitude)
TEXTS = {
    "dusk-hills": (
        "Last light over the long hills",
        "purple hills and pine trees under a setting sun",
        "hills sunset dusk sun trees landscape nature purple orange",
        "zoe_angstrom",
        (HALDEN, "1/125", "8.0", "70.0", 100),
        ("Långåsen, Fjällhamra, Sweden", "Fjällhamra", "Sweden", 62.4127, 14.0833),
    ),
    "misty-mountains": (
        "Seven ridges",
        "layers of blue mountain ridges fading into mist",
        "mountains mist fog ridges blue morning landscape nature calm",
        "liming_frames",
        (TESSARIN, "1/250", "5.6", "135.0", 200),
        ("Cloud Gate, Yunxi, China", "Yunxi", "China", 30.1284, 118.1702),
    ),
    "milky-way": (
        "Camping under the Milky Way",
        "a glowing tent between pine trees below a starry night sky",
        "night sky stars milkyway tent camping forest galaxy space",
        "kestrel",
        (ORVIK, "20", "1.8", "14.0", 3200),
        None,
    ),
    "great-waves": (
        None,
        "stylised blue sea waves in front of a red sun",
        "sea waves ocean sun water red blue illustration",
        "tobias_fennimark",
        None,
        ("Nordby Strand", None, "Denmark", 56.9021, 8.3611),
    ),
    "desert-dunes": (
        "Caravan at noon",
        "a line of camels crossing orange sand dunes",
        "desert dunes sand camels sun orange landscape travel",
        "marisolq",
        (HALDEN, "1/1000", "11.0", "85.0", 100),
        ("Erg Tamassir", None, "Morocco", 30.9142, -4.0327),
    ),
    "pine-forest": (
        "Quiet, and a little cold",
        "a pale sun above a foggy green pine forest",
        "forest pine trees fog green sun morning nature",
        "irisa_k",
        (MIRABELL, "1/60", "4.0", "35.0", 400),
        ("Saulgale, Latvia", "Saulgale", "Latvia", 57.1834, 25.3119),
    ),
    "city-dusk": (
        "Everyone is home",
        "a city skyline with lit windows mirrored in the water at dusk",
        "city skyline dusk night lights windows water reflection architecture",
        "liming_frames",
        (TESSARIN, "1/15", "2.8", "24.0", 1600),
        ("East Quay, Linhai Bay, China", "Linhai Bay", "China", 28.8523, 121.4481),
    ),
    "aurora": (
        "Green fire above the cabin",
        "northern lights over a snowy cabin and dark pine trees",
        "aurora northern-lights night sky snow winter cabin stars green",
        "zoe_angstrom",
        (HALDEN, "8", "2.0", "20.0", 2500),
        ("Norrsele, Sweden", "Norrsele", "Sweden", 66.8139, 18.2241),
    ),
    "lighthouse": (
        "The keeper's evening",
        "a red and white lighthouse on a rock shining over the sea at dusk",
        "lighthouse sea coast dusk ocean light rock red",
        "tobias_fennimark",
        (ORVIK, "1/30", "4.0", "50.0", 800),
        ("Skarholm Light, Denmark", "Skarholm", "Denmark", 57.6014, 10.4873),
    ),
    "snow-peaks": (
        None,
        "snow covered mountains mirrored in a still lake",
        "mountains snow lake reflection winter peaks blue landscape nature",
        "zoe_angstrom",
        (HALDEN, "1/320", "9.0", "35.0", 100),
        ("Trollspeilet", None, "Norway", 61.6702, 7.5518),
    ),
    "autumn-leaves": (
        "What the maple left",
        "red, yellow and green autumn leaves lying on dark ground",
        "autumn leaves fall maple ginkgo red yellow nature texture",
        "abrackwater",
        (MIRABELL, "1/80", "3.5", "35.0", 320),
        ("Dunmarrow Wood, Ireland", "Dunmarrow", "Ireland", 52.9761, -7.8124),
    ),
    "ringed-planet": (
        "Far from any tide",
        "an orange ringed planet with two small moons in deep space",
        "planet space rings moon stars astronomy orange purple",
        "kestrel",
        None,
        None,
    ),
    "balloons": (
        "Festival morning",
        "striped hot air balloons drifting over green hills",
        "balloons sky hills morning colourful travel flight clouds",
        "marisolq",
        (HALDEN, "1/640", "7.1", "50.0", 100),
        ("Valle Sereno, Chile", "Valle Sereno", "Chile", -30.0917, -70.7025),
    ),
    "bamboo-grove": (
        None,
        "tall green bamboo stems in soft light",
        "bamboo forest green leaves nature grove plants calm",
        "liming_frames",
        (TESSARIN, "1/100", "2.8", "85.0", 640),
        ("Zhulin Steps, Yunxi, China", "Yunxi", "China", 30.1411, 118.1955),
    ),
    "canyon": (
        "Red tables",
        "red sandstone mesas in a wide desert valley",
        "canyon desert mesa rock red sandstone landscape sky",
        "abrackwater",
        (ORVIK, "1/500", "10.0", "28.0", 100),
        ("Three Tables", None, "United States", 36.7741, -110.5129),
    ),
    "jellyfish": (
        "Slow lanterns",
        "pink and blue jellyfish floating in deep blue water",
        "jellyfish sea underwater ocean blue pink animal glow",
        "tobias_fennimark",
        (PHONE, "1/40", "1.9", None, 1250),
        None,
    ),
    "sailing-boats": (
        "Four sails and a light wind",
        "small sailing boats with colourful sails on a blue sea",
        "boats sailing sea water summer wind blue clouds",
        "tobias_fennimark",
        (ORVIK, "1/800", "8.0", "105.0", 100),
        ("Sejlbugt, Denmark", "Skarholm", "Denmark", 57.5802, 10.5108),
    ),
    "tulip-fields": (
        "Tulips to the horizon",
        "rows of colourful tulips leading to a windmill",
        "tulips flowers field windmill spring colourful landscape",
        "nokwuesa",
        (MIRABELL, "1/400", "8.0", "35.0", 200),
        ("Oosterveld, Netherlands", "Oosterveld", "Netherlands", 52.7208, 4.7317),
    ),
    "bridge-at-dawn": (
        None,
        "a red suspension bridge over calm water at sunrise",
        "bridge sunrise dawn water architecture red sky river",
        "abrackwater",
        (HALDEN, "1/160", "8.0", "40.0", 100),
        ("Graymouth Span", "Graymouth", "Ireland", 53.2114, -9.3002),
    ),
    "umbrellas": (
        "Rain, seen from the third floor",
        "colourful umbrellas on a wet paved square seen from above",
        "umbrellas rain city street colourful people weather above",
        "liming_frames",
        (TESSARIN, "1/200", "4.0", "50.0", 500),
        ("Old Bell Square, Linhai Bay, China", "Linhai Bay", "China", 28.8497, 121.4409),
    ),
    "koi-pond": (
        "Six koi",
        "koi fish swimming between water lilies in a green pond",
        "koi fish pond water lilies flowers animal garden",
        "marisolq",
        (PHONE, "1/120", "1.9", "6.1", None),
        ("Jardín de Té", "Puerto Alverde", "Chile", -33.0561, -71.5872),
    ),
    "truchet-arcs": (
        "One line, many turns",
        "glowing curved lines winding over dark blue tiles",
        "pattern tiles truchet lines abstract geometry blue orange",
        "irisa_k",
        None,
        None,
    ),
    "stained-glass": (
        "South window",
        "a stained glass pattern in yellow, red and blue",
        "glass pattern voronoi colourful mosaic abstract window light",
        "nokwuesa",
        None,
        None,
    ),
    "penrose-rhombs": (
        None,
        "a five-fold tiling of orange and blue rhombs",
        "pattern tiles penrose geometry abstract blue orange star",
        "irisa_k",
        None,
        None,
    ),
    "seahorse-valley": (
        "The spiral in the valley",
        "a dark spiral of a fractal on a warm orange background",
        "fractal mandelbrot spiral abstract mathematics orange",
        "irisa_k",
        None,
        None,
    ),
    "julia-swirl": (
        "Swirl no. 7885",
        "an orange fractal with swirling arms on a teal background",
        "fractal julia swirl abstract mathematics teal orange",
        "irisa_k",
        None,
        None,
    ),
    "silk-flame": (
        None,
        "thin glowing veils of light on a black background",
        "fractal flame light abstract glow dark silk",
        "kestrel",
        None,
        None,
    ),
    "flow-lines": (
        "Where the wind went",
        "coloured brush lines following invisible currents on cream paper",
        "lines flow wind abstract drawing paper colourful",
        "irisa_k",
        None,
        None,
    ),
    "packed-circles": (
        "Buttons",
        "many decorated circles of different sizes packed closely together",
        "circles pattern dots abstract colourful geometry texture",
        "nokwuesa",
        None,
        None,
    ),
    "moire-rings": (
        "Three pebbles",
        "three sets of rings overlapping in a purple and orange interference pattern",
        "rings moire pattern waves abstract purple orange",
        "kestrel",
        None,
        None,
    ),
    "rainbow-maze": (
        "Start anywhere",
        "a maze whose paths change colour with distance",
        "maze labyrinth pattern colourful rainbow abstract puzzle",
        "irisa_k",
        None,
        None,
    ),
    "woven-ribbons": (
        None,
        "woven ribbons in cream, red, teal and blue",
        "woven fabric pattern ribbons texture textile colourful",
        "nokwuesa",
        (PHONE, "1/60", "1.9", "6.1", 200),
        None,
    ),
    "sunflower-spiral": (
        "137.5 degrees",
        "a large yellow sunflower seen from the front",
        "sunflower flower yellow spiral summer nature plant",
        "marisolq",
        (MIRABELL, "1/500", "5.6", "35.0", 100),
        ("Los Girasoles", None, "Chile", -34.1873, -70.9216),
    ),
    "contour-map": (
        "Map of nowhere",
        "a contour map with blue water, green land and brown hills",
        "map contour lines topography abstract terrain earth",
        "abrackwater",
        None,
        None,
    ),
    "bauhaus-study": (
        "Study in four colours",
        "circles, triangles and squares in red, blue, yellow and black",
        "geometry abstract shapes poster circles red blue yellow",
        "nokwuesa",
        None,
        None,
    ),
    "agate-slice": (
        None,
        "a slice of banded agate stone in blue, white and brown",
        "agate stone mineral rings texture blue crystal nature",
        "abrackwater",
        (MIRABELL, "1/125", "8.0", "35.0", 100),
        None,
    ),
    "dragon-curve": (
        "Twelve folds of paper",
        "a folded dragon curve running through all colours on dark blue",
        "fractal dragon curve line abstract mathematics rainbow",
        "irisa_k",
        None,
        None,
    ),
    "pressed-fern": (
        "Herbarium, sheet 12",
        "green pressed fern leaves on cream paper",
        "fern plant leaves green botanical nature paper",
        "marisolq",
        (PHONE, None, None, None, None),
        ("Bosque Húmedo", None, "Chile", -39.8701, -72.0418),
    ),
    "paper-cavern": (
        "Way out",
        "layers of cut paper forming a cave around a bright light",
        "paper layers cave light abstract craft orange purple",
        "nokwuesa",
        None,
        None,
    ),
    "patchwork": (
        "Forty-eight squares",
        "a patchwork quilt of geometric patterns",
        "patchwork quilt textile pattern squares geometry colourful",
        "nokwuesa",
        (MIRABELL, "1/50", "4.0", "35.0", 400),
        ("Market hall", "Graymouth", "Ireland", 53.2098, -9.2941),
    ),
}


def identifier(kind, name):
    text = base64.urlsafe_b64encode(hashlib.sha256(f"{kind}/{name}".encode()).digest()).decode()
    # An id that starts with a dash would read as an option when someone passes it on a command line.
    return text.lstrip("-_")[:11]


def _slug(text):
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _moment(dice, year, zone):
    return (
        f"{year}-{1 + dice.below(12):02}-{1 + dice.below(28):02}"
        f"T{dice.below(24):02}:{dice.below(60):02}:{dice.below(60):02}{zone}"
    )


def entries(files):
    """The catalogue's records for {stem: PNG bytes}, in the order given."""
    if set(files) != set(TEXTS):
        raise SystemExit(f"texts and pictures differ: {sorted(set(files) ^ set(TEXTS))}")
    numbers = {}
    for stem in files:
        dice = Dice(zlib.crc32(f"numbers/{stem}".encode()))
        # A few loved pictures and many quiet ones, as in any real gallery.
        views = int(4000 + 5_000_000 * dice() ** 4)
        numbers[stem] = dice, views, int(views * dice(0.003, 0.012)), int(views * dice(0.0008, 0.004))

    users = {}
    for username, (name, first, last, bio, place, portfolio) in PHOTOGRAPHERS.items():
        own = [stem for stem in files if TEXTS[stem][3] == username]
        dice = Dice(zlib.crc32(f"user/{username}".encode()))
        users[username] = {
            "id": identifier("user", username),
            "updated_at": _moment(dice, 2025, "-04:00"),
            "username": username,
            "name": name,
            "first_name": first,
            "last_name": last,
            "portfolio_url": portfolio,
            "bio": bio,
            "location": place,
            "total_likes": dice.below(400),
            "total_photos": len(own),
            "total_collections": dice.below(9),
        }

    records = []
    for stem, data in files.items():
        description, alternative, tags, username, exif, place = TEXTS[stem]
        width, height, flat = png.decode(data)
        dice, views, downloads, likes = numbers[stem]
        key, year = identifier("photo", stem), 2016 + dice.below(8)
        camera, exposure, aperture, focal, iso = exif or ((None, None), None, None, None, None)
        name, city, country, latitude, longitude = place or (None,) * 5
        records.append(
            {
                "file": stem + ".png",
                "id": key,
                "slug": f"{_slug(alternative)}-{key}",
                "created_at": _moment(dice, year, dice.pick(("-05:00", "-04:00", "Z", "+02:00", "+09:00", "Z"))),
                "updated_at": _moment(dice, year + 1 + dice.below(2), dice.pick(("-04:00", "Z", "-05:00"))),
                "width": width,
                "height": height,
                "color": png.main_colour(flat),
                "blur_hash": png.blur_hash(width, height, flat),
                "description": description,
                "alt_description": alternative,
                "likes": likes,
                "views": views,
                "downloads": downloads,
                "tags": tags.split(),
                "exif": {
                    "make": camera[0],
                    "model": camera[1],
                    "exposure_time": exposure,
                    "aperture": aperture,
                    "focal_length": focal,
                    "iso": iso,
                },
                "location": {
                    "name": name,
                    "city": city,
                    "country": country,
                    "position": {"latitude": latitude, "longitude": longitude},
                },
                "user": users[username],
            }
        )
    return records
