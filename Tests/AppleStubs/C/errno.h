// The part of Apple's header that the C sources use.
// https://github.com/apple-oss-distributions/xnu/blob/xnu-11417.101.15/bsd/sys/errno.h
int *__error(void);
#define errno (*__error())
