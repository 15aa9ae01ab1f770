"""Reads the compiler's index store, which lists the symbols that a file refers to, and their locations."""
import ctypes
import pathlib
import typing

POINTER = ctypes.c_void_p
# The roles of declarations and definitions, and of symbols that the compiler adds.
DEFINITION, IMPLICIT = 0b11, 1 << 8
RECORD = 2  # the kind of a unit's dependency that holds occurrences


class Text(ctypes.Structure):
    _fields_ = [("data", POINTER), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode()


class Occurrence(typing.NamedTuple):
    """One mention of a symbol. `identifier` is its unified symbol resolution (USR)."""

    identifier: str
    name: str
    is_definition: bool
    is_implicit: bool
    file: str
    line: int
    column: int


class IndexStore:
    """A store that a build with `-index-store-path` has written."""

    FUNCTIONS = {
        "store_create": (POINTER, [ctypes.c_char_p, POINTER]),
        "unit_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
        "unit_reader_dispose": (None, [POINTER]),
        "unit_reader_get_main_file": (Text, [POINTER]),
        "unit_dependency_get_kind": (ctypes.c_int, [POINTER]),
        "unit_dependency_get_name": (Text, [POINTER]),
        "record_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
        "record_reader_dispose": (None, [POINTER]),
        "occurrence_get_symbol": (POINTER, [POINTER]),
        "occurrence_get_roles": (ctypes.c_uint64, [POINTER]),
        "occurrence_get_line_col": (None, [POINTER, POINTER, POINTER]),
        "symbol_get_name": (Text, [POINTER]),
        "symbol_get_usr": (Text, [POINTER]),
    }
    ITEM = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, POINTER)
    NAME = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, Text)

    def __init__(self, library, path):
        self.library = ctypes.CDLL(str(library))
        for name, (result, arguments) in self.FUNCTIONS.items():
            function = self.function(name)
            function.restype, function.argtypes = result, arguments
        self.store = self.call("store_create", str(pathlib.Path(path)).encode(), None)
        if not self.store:
            raise OSError(f"expected an index store at {path}")

    def function(self, name):
        return getattr(self.library, f"indexstore_{name}")

    def call(self, name, *arguments):
        return self.function(name)(*arguments)

    def each(self, name, owner, visit, kind):
        """Calls a function of the library that passes each item to a callback."""
        self.call(name, POINTER(owner), *([0] if kind is self.NAME else []), None, kind(lambda _, item: visit(item) or True))

    def occurrences(self):
        units = []
        self.each("store_units_apply_f", self.store, lambda name: units.append(str(name)), self.NAME)
        for unit in units:
            reader = self.call("unit_reader_create", self.store, unit.encode(), None)
            file, records = str(self.call("unit_reader_get_main_file", reader)), []
            self.each("unit_reader_dependencies_apply_f", reader, lambda item: self.note(item, records), self.ITEM)
            self.call("unit_reader_dispose", reader)
            for record in records:
                yield from self.record(record, file)

    def note(self, dependency, records):
        if self.call("unit_dependency_get_kind", dependency) == RECORD:
            records.append(str(self.call("unit_dependency_get_name", dependency)))

    def record(self, name, file):
        reader, found = self.call("record_reader_create", self.store, name.encode(), None), []
        self.each("record_reader_occurrences_apply_f", reader, lambda item: found.append(self.occurrence(item, file)), self.ITEM)
        self.call("record_reader_dispose", reader)
        return found

    def occurrence(self, item, file):
        symbol, roles = self.call("occurrence_get_symbol", item), self.call("occurrence_get_roles", item)
        line, column = ctypes.c_uint(), ctypes.c_uint()
        self.call("occurrence_get_line_col", item, ctypes.byref(line), ctypes.byref(column))
        return Occurrence(
            str(self.call("symbol_get_usr", symbol)), str(self.call("symbol_get_name", symbol)),
            bool(roles & DEFINITION), bool(roles & IMPLICIT), file, line.value, column.value)
