/// Whoever imports the core sees `@Parameter`, tables of parameters and saved state as if they were its own.
@_exported import PalimpsestSettings
