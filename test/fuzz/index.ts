/**
 * `npm run fuzz [-- --requests N --seed S --api public|domain]`: requests made from the OpenAPI document, driven at a server on a home of its
 * own. Exit status 1 when there is a 5xx, no answer in time, an answer that is not as declared, or memory that grew.
 */
import { parseArgs } from 'node:util'
import { fuzz } from './drive.ts'

/** Megabytes that the server may hold more at the end than after a fifth of the requests. */
const RSS_GROWTH_MB = 96
const HEAP_GROWTH_MB = 16

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    api: { type: 'string', default: 'public' },
  },
})
const report = await fuzz({
  requests: Number(values.requests),
  seed: Number(values.seed),
  api: values.api === 'domain' ? 'domain' : 'public',
  say: (line) => void process.stderr.write(`${line}\n`),
})
const { warm, end } = report.memory
const grew = end.rssMb - warm.rssMb > RSS_GROWTH_MB || end.heapMb - warm.heapMb > HEAP_GROWTH_MB
for (const { at, problem, request, answer } of report.findings)
  process.stdout.write(`\n#${at}: ${problem}\n  ${request}\n  ${answer}\n`)
process.stdout.write(
  [
    `\n${report.requests} requests of seed ${report.seed} in ${report.seconds.toFixed(1)} s, slowest ${report.slowestMs} ms`,
    `statuses ${JSON.stringify(report.statuses)}`,
    `succeeded ${JSON.stringify(report.succeeded)}`,
    `memory after a fifth: ${warm.rssMb} MB resident, ${warm.heapMb} MB heap; at the end: ${end.rssMb} and ${end.heapMb}`,
    `limits of growth: ${RSS_GROWTH_MB} MB resident, ${HEAP_GROWTH_MB} MB heap: ${grew ? 'passed over' : 'kept'}`,
    `${report.found} findings\n`,
  ].join('\n'),
)
process.exitCode = report.found > 0 || grew ? 1 : 0
