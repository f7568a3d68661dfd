/**
 * Fails where files import each other in a circle, `import type` counted, in components too (`npm run lint`).
 * import-x/no-cycle looks away from types, and dependency-cruiser from the types that components import.
 */
import { findCycles, importGraph } from './imports.ts'

const graph = importGraph()
const cycles = findCycles(graph)
for (const cycle of cycles) console.error(`These files import each other:\n  ${cycle.join('\n  ')}`)
if (cycles.length === 0) console.log(`${graph.size} files, no import cycle`)
process.exitCode = cycles.length === 0 ? 0 : 1
