// Made by Scripts/make-catalogue.py; change that instead.

#include "CGalleryCore.h"

// #embed is part of C23. Compilers that have it accept it in older standards too; clang then warns.
#if !defined(__has_embed)
#error "expected a compiler with #embed: use clang 19 or later, or gcc 15 or later"
#else

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char entry_0[] = {
#embed "catalogue.json"
};
static const unsigned char entry_1[] = {
#embed "pictures/dusk-hills.png"
};
static const unsigned char entry_2[] = {
#embed "pictures/misty-mountains.png"
};
static const unsigned char entry_3[] = {
#embed "pictures/milky-way.png"
};
static const unsigned char entry_4[] = {
#embed "pictures/great-waves.png"
};
static const unsigned char entry_5[] = {
#embed "pictures/desert-dunes.png"
};
static const unsigned char entry_6[] = {
#embed "pictures/pine-forest.png"
};
static const unsigned char entry_7[] = {
#embed "pictures/city-dusk.png"
};
static const unsigned char entry_8[] = {
#embed "pictures/aurora.png"
};
static const unsigned char entry_9[] = {
#embed "pictures/lighthouse.png"
};
static const unsigned char entry_10[] = {
#embed "pictures/snow-peaks.png"
};
static const unsigned char entry_11[] = {
#embed "pictures/autumn-leaves.png"
};
static const unsigned char entry_12[] = {
#embed "pictures/ringed-planet.png"
};
static const unsigned char entry_13[] = {
#embed "pictures/balloons.png"
};
static const unsigned char entry_14[] = {
#embed "pictures/bamboo-grove.png"
};
static const unsigned char entry_15[] = {
#embed "pictures/canyon.png"
};
static const unsigned char entry_16[] = {
#embed "pictures/jellyfish.png"
};
static const unsigned char entry_17[] = {
#embed "pictures/sailing-boats.png"
};
static const unsigned char entry_18[] = {
#embed "pictures/tulip-fields.png"
};
static const unsigned char entry_19[] = {
#embed "pictures/bridge-at-dawn.png"
};
static const unsigned char entry_20[] = {
#embed "pictures/umbrellas.png"
};
static const unsigned char entry_21[] = {
#embed "pictures/koi-pond.png"
};
static const unsigned char entry_22[] = {
#embed "pictures/truchet-arcs.png"
};
static const unsigned char entry_23[] = {
#embed "pictures/stained-glass.png"
};
static const unsigned char entry_24[] = {
#embed "pictures/penrose-rhombs.png"
};
static const unsigned char entry_25[] = {
#embed "pictures/seahorse-valley.png"
};
static const unsigned char entry_26[] = {
#embed "pictures/julia-swirl.png"
};
static const unsigned char entry_27[] = {
#embed "pictures/silk-flame.png"
};
static const unsigned char entry_28[] = {
#embed "pictures/flow-lines.png"
};
static const unsigned char entry_29[] = {
#embed "pictures/packed-circles.png"
};
static const unsigned char entry_30[] = {
#embed "pictures/moire-rings.png"
};
static const unsigned char entry_31[] = {
#embed "pictures/rainbow-maze.png"
};
static const unsigned char entry_32[] = {
#embed "pictures/woven-ribbons.png"
};
static const unsigned char entry_33[] = {
#embed "pictures/sunflower-spiral.png"
};
static const unsigned char entry_34[] = {
#embed "pictures/contour-map.png"
};
static const unsigned char entry_35[] = {
#embed "pictures/bauhaus-study.png"
};
static const unsigned char entry_36[] = {
#embed "pictures/agate-slice.png"
};
static const unsigned char entry_37[] = {
#embed "pictures/dragon-curve.png"
};
static const unsigned char entry_38[] = {
#embed "pictures/pressed-fern.png"
};
static const unsigned char entry_39[] = {
#embed "pictures/paper-cavern.png"
};
static const unsigned char entry_40[] = {
#embed "pictures/patchwork.png"
};

static const gallery_catalogue_entry entries[] = {
    {"catalogue.json", entry_0, sizeof(entry_0)},
    {"dusk-hills.png", entry_1, sizeof(entry_1)},
    {"misty-mountains.png", entry_2, sizeof(entry_2)},
    {"milky-way.png", entry_3, sizeof(entry_3)},
    {"great-waves.png", entry_4, sizeof(entry_4)},
    {"desert-dunes.png", entry_5, sizeof(entry_5)},
    {"pine-forest.png", entry_6, sizeof(entry_6)},
    {"city-dusk.png", entry_7, sizeof(entry_7)},
    {"aurora.png", entry_8, sizeof(entry_8)},
    {"lighthouse.png", entry_9, sizeof(entry_9)},
    {"snow-peaks.png", entry_10, sizeof(entry_10)},
    {"autumn-leaves.png", entry_11, sizeof(entry_11)},
    {"ringed-planet.png", entry_12, sizeof(entry_12)},
    {"balloons.png", entry_13, sizeof(entry_13)},
    {"bamboo-grove.png", entry_14, sizeof(entry_14)},
    {"canyon.png", entry_15, sizeof(entry_15)},
    {"jellyfish.png", entry_16, sizeof(entry_16)},
    {"sailing-boats.png", entry_17, sizeof(entry_17)},
    {"tulip-fields.png", entry_18, sizeof(entry_18)},
    {"bridge-at-dawn.png", entry_19, sizeof(entry_19)},
    {"umbrellas.png", entry_20, sizeof(entry_20)},
    {"koi-pond.png", entry_21, sizeof(entry_21)},
    {"truchet-arcs.png", entry_22, sizeof(entry_22)},
    {"stained-glass.png", entry_23, sizeof(entry_23)},
    {"penrose-rhombs.png", entry_24, sizeof(entry_24)},
    {"seahorse-valley.png", entry_25, sizeof(entry_25)},
    {"julia-swirl.png", entry_26, sizeof(entry_26)},
    {"silk-flame.png", entry_27, sizeof(entry_27)},
    {"flow-lines.png", entry_28, sizeof(entry_28)},
    {"packed-circles.png", entry_29, sizeof(entry_29)},
    {"moire-rings.png", entry_30, sizeof(entry_30)},
    {"rainbow-maze.png", entry_31, sizeof(entry_31)},
    {"woven-ribbons.png", entry_32, sizeof(entry_32)},
    {"sunflower-spiral.png", entry_33, sizeof(entry_33)},
    {"contour-map.png", entry_34, sizeof(entry_34)},
    {"bauhaus-study.png", entry_35, sizeof(entry_35)},
    {"agate-slice.png", entry_36, sizeof(entry_36)},
    {"dragon-curve.png", entry_37, sizeof(entry_37)},
    {"pressed-fern.png", entry_38, sizeof(entry_38)},
    {"paper-cavern.png", entry_39, sizeof(entry_39)},
    {"patchwork.png", entry_40, sizeof(entry_40)},
};

size_t gallery_catalogue_count(void) {
    return sizeof(entries) / sizeof(entries[0]);
}

gallery_catalogue_entry gallery_catalogue_entry_at(size_t index) {
    if (index >= gallery_catalogue_count()) {
        return (gallery_catalogue_entry){0};
    }
    return entries[index];
}

#endif
