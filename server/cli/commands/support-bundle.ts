/** What a report of a fault needs, in one archive that can be read before it is sent. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { create } from 'tar'
import { runDoctor } from '../../adapters/doctor-process.ts'
import { applicationVersion } from '../../config/config.ts'
import { describeEnvironment } from '../../config/describe.ts'
import { AppError } from '../../contract/errors.ts'
import { openToRead } from '../../db/client.ts'
import { countRows, tablesOf } from '../../db/full-check/find-damage.ts'
import { countDeadByCode } from '../../db/metric-rows.ts'
import { homePaths, type Home } from '../../home.ts'
import { logFolder } from '../../log-files.ts'
import { hideSecrets } from '../hide-secrets.ts'
import { defineCommand } from '../command.ts'
import { commandConfig } from '../open-home.ts'

/** Writes it. The home is only read. */
export const supportBundle = defineCommand({
  summary:
    'Write an archive for a report of a fault: versions, checks, settings without secrets, counts, the log',
  positionals: ['FILE'],
  examples: {
    'cutroom support-bundle cutroom-support.tar.gz':
      'No video, transcript, name or secret; addresses in the log without what follows a question mark.',
  },
  run: async ({ options, positionals }) => {
    const file = resolve(positionals[0] ?? '')
    if (existsSync(file)) throw new AppError('INVALID_REQUEST', `${file} is there already; name another.`)
    const config = commandConfig(options)
    const home = homePaths(config.home)
    const folder = await mkdtemp(join(tmpdir(), 'cutroom-support-'))
    try {
      const put = (name: string, value: unknown): Promise<void> =>
        writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
      await put('versions.json', {
        cutroom: applicationVersion(),
        node: process.versions.node,
        platform: process.platform,
        arch: process.arch,
        at: new Date().toISOString(),
      })
      await put('doctor.json', await runDoctor(config.home))
      await put('settings.json', describeEnvironment(config))
      await put('database.json', describeDatabase(home))
      const logs = await copyLogs(home, folder)
      const names = (await readdir(folder)).sort()
      await create({ gzip: true, file: `${file}.part`, cwd: folder, portable: true, mode: 0o600 }, names)
      await rename(`${file}.part`, file)
      return {
        json: { file, files: names, logs },
        text: [`Wrote ${file}: ${names.join(', ')}.`, 'Read it before you send it: it is plain text.'],
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
      await rm(`${file}.part`, { force: true })
    }
  },
})

/** How much there is of everything, and what was given up why: no content, and nobody's name. */
function describeDatabase({ database }: Home): object {
  if (!existsSync(database)) return { found: 'there is no database' }
  try {
    const db = openToRead(database)
    try {
      const rows = Object.fromEntries(
        tablesOf(db.sqlite).map((table) => [table, countRows(db.sqlite, table)]),
      )
      return { rows, failed: countDeadByCode(db) }
    } finally {
      db.close()
    }
  } catch (error) {
    return { found: hideSecrets(String(error)) }
  }
}

async function copyLogs(home: Home, folder: string): Promise<number> {
  const from = logFolder(home.root)
  const names = (await readdir(from).catch(() => [])).filter((name) => /^cutroom(\.\d+)?\.log$/.test(name))
  if (names.length === 0) return 0
  await mkdir(join(folder, 'logs'))
  for (const name of names)
    await writeFile(join(folder, 'logs', name), hideSecrets(await readFile(join(from, name), 'utf8')))
  return names.length
}
