/**
 * KiB of pages that a connection caches. The system caches them as well; better-sqlite3's default of 16 MB is dropped
 * whenever another process writes. https://www.sqlite.org/pragma.html#pragma_cache_size
 */
export const CACHE_KIB = 4096
