/**
 * Page cache of a connection, in KiB. The operating system caches the file as well; better-sqlite3's default of 16 MB
 * takes hours to fill, and is dropped whenever another process writes.
 * https://www.sqlite.org/pragma.html#pragma_cache_size
 */
export const CACHE_KIB = 4096
