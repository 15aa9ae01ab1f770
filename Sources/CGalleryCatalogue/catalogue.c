#include "CGalleryCatalogue.h"
int gallery_catalogue_placeholder(void) { return 0; }
