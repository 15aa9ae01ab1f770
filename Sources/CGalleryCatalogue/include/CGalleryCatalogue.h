int gallery_catalogue_placeholder(void);
