/** The HTTP server on a home that there is, with jobs that do nothing, in a process of its own: to be killed. Prints its address. */
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { openHome } from '../../server/home.ts'
import { startHttpServer } from '../../server/http/server.ts'
import { createLogger } from '../../server/log.ts'
import { fakeJobs } from './server.ts'

const root = process.argv[2] ?? ''
const home = openHome(root)
const { url } = await startHttpServer({
  config: { ...loadConfig({ home: root, port: '0' }, {}), minFreeBytes: 0 },
  home,
  db: openDatabase(home.database),
  jobs: fakeJobs(),
  log: createLogger('error'),
  now: Date.now,
})
process.stdout.write(`${url}\n`)
