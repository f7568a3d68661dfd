/**
 * KiB that a connection keeps of the pages that it has read. The system keeps them, too; better-sqlite3's own 16 MB take
 * hours to fill, and are dropped whenever another process writes. https://www.sqlite.org/pragma.html#pragma_cache_size
 */
export const CACHE_KIB = 4096
