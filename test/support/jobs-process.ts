/** The appliance's jobs part as a process of its own, to be killed by tests: `node jobs-process.ts HOME [MIN_FREE [MODELS]]`. */
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { openHome } from '../../server/home.ts'
import { acquireHomeLock } from '../../server/jobs/home-lock.ts'
import { startJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'

const [root = '', minFree = '0', models] = process.argv.slice(2)
const environment = { CUTROOM_LOG: 'info', CUTROOM_MIN_FREE_BYTES: minFree }
const own = models === undefined ? {} : { CUTROOM_MODELS: models }
const config = loadConfig({ home: root }, { ...environment, ...own })
const home = openHome(config.home)
const lock = acquireHomeLock(home, Date.now())
const db = openDatabase(home.database)
const jobs = await startJobs({ config, home, log: createLogger(config.log), db, now: Date.now })
process.stdout.write('ready\n')
process.on('SIGTERM', () => {
  void jobs.stop().then(() => {
    db.close()
    lock.release()
    process.exit(0)
  })
})
