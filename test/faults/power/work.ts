/**
 * What is recorded: an appliance that starts for the first time, takes videos, makes clips, is edited and backed up.
 * `node work.ts FOLDER`: the folder has `talk.mp4` and `talk.srt`, and gets `disk` (home and backups) and `promises`: what
 * was answered as done, one line each, from which moment on no power cut may undo it.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveFiles } from '../../../server/cli/serve-files.ts'
import { clientOf, makeTenant } from '../../support/appliance.ts'
import { cutroom, serve } from '../../support/appliance-process.ts'

const [, , folder = ''] = process.argv
const home = join(folder, 'disk', 'home')
const backups = join(folder, 'disk', 'backups')
const talk = join(folder, 'talk.mp4')
const SETTINGS = { CUTROOM_BACKUP_TO: backups, CUTROOM_BACKUP_SECONDS: '5', CUTROOM_MIN_FREE_BYTES: '0' }
const WORKFLOW = {
  name: 'Tiny',
  description: '',
  edges: [{ source: 'find', target: 'captions' }],
  nodes: [
    {
      id: 'find',
      type: 'find_clips',
      config: {
        pinnedTimestamps: [
          { start: 4, end: 7.2 },
          { start: 20, end: 23.2 },
        ],
        pinnedTimestampsOnly: true,
      },
    },
    { id: 'captions', type: 'add_subtitles', config: {} },
  ],
}

const promise = (kind: string, value: string): void =>
  appendFileSync(join(folder, 'promises'), `${kind} ${value}\n`)

mkdirSync(backups, { recursive: true })
const workflow = join(folder, 'workflow.json')
writeFileSync(workflow, JSON.stringify(WORKFLOW))
const host = await serveFiles(
  new Map([
    ['talk.mp4', talk],
    ['talk.srt', join(folder, 'talk.srt')],
  ]),
)
const appliance = await serve(home, [], SETTINGS)
promise('company', 'local')
const tenant = await makeTenant(home, workflow)
promise('company', tenant.companyId)
const client = clientOf(appliance.url, tenant)

const runId = await client.trigger(`${host.url}/talk.mp4`)
promise('run', runId)
const headers = { authorization: `Bearer ${tenant.key}`, 'tus-resumable': '1.0.0' }
await upload()
const { status, clips, error } = await client.settled(runId, 300_000)
if (status !== 'Completed') throw new Error(`the run ended with ${error}`)
promise('completed', runId)
const clipId = clips[0]?.id ?? ''
promise('clip', clipId)

const body = { companyId: tenant.companyId, clipId, operations: [{ index: 0, to: 'Outlives' }] }
const edited = await fetch(`${appliance.url}/clip-transcript`, {
  method: 'PATCH',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
if (edited.status !== 200) throw new Error(`the edit answered ${edited.status}: ${await edited.text()}`)
promise('edit', clipId)
const backup = await cutroom(['backups', 'run', '--home', home, '--json'], { environment: SETTINGS })
if (backup.code !== 0) throw new Error(backup.stderr)
promise('backup', (JSON.parse(backup.stdout) as { moment: string }).moment)
await appliance.stop()
await host.close()

/** In two pieces, as a client of tus sends a file. */
async function upload(): Promise<void> {
  const bytes = readFileSync(talk)
  const begun = await fetch(`${appliance.url}/uploads?companyId=${tenant.companyId}`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes.length) },
  })
  const address = begun.headers.get('location') ?? ''
  if (begun.status !== 201) throw new Error(`the upload answered ${begun.status}: ${await begun.text()}`)
  const half = Math.floor(bytes.length / 2)
  for (const [from, to] of [
    [0, half],
    [half, bytes.length],
  ] as const) {
    const answer = await fetch(address, {
      method: 'PATCH',
      headers: {
        ...headers,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(from),
      },
      body: bytes.subarray(from, to),
    })
    if (answer.status !== 204) throw new Error(`a piece answered ${answer.status}: ${await answer.text()}`)
    const id = new URL(address).pathname.split('/').at(-1) ?? ''
    promise('uploaded', `${id} ${to}`)
    if (to === bytes.length) promise('upload', `${id} ${createHash('sha256').update(bytes).digest('hex')}`)
  }
}
