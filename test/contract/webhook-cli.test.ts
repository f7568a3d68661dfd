/** `cutroom webhook ...` as a person types it: on a home without a running appliance, and next to a running one. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { posts } from '../../server/db/schema.ts'
import { newId } from '../../server/ids.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { typedCommands } from '../support/typed-commands.ts'

interface Told {
  readonly event: string
  readonly genuine: boolean
}

const { home, cutroom, json } = typedCommands()
let secret = ''
const told: Told[] = []
let heard: (() => void) | null = null
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    const [, seconds, signed] = /^t=(\d+),v1=(\w+)$/.exec(String(request.headers['cutroom-signature'])) ?? []
    const genuine =
      createHmac('sha256', secret)
        .update(`${seconds ?? ''}.${body}`)
        .digest('hex') === signed
    told.push({ event: String(request.headers['cutroom-event']), genuine })
    response.writeHead(200).end()
    heard?.()
  })
})

beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const start = (): Promise<Appliance> =>
  startAppliance(
    loadConfig({ home: home(), port: '0' }, { CUTROOM_MIN_FREE_BYTES: '0' }),
    createLogger('error'),
  )

/** Resolves with the next delivery after `act`. */
async function next(act: () => unknown): Promise<Told | undefined> {
  const before = told.length
  const said = new Promise<void>((resolve) => (heard = () => told.length > before && resolve()))
  await act()
  await said
  return told[before]
}

it('makes, lists, replays and deletes webhooks, whether the appliance runs or not', async () => {
  // The first start makes the company.
  await (await start()).stop()
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const wrong = await cutroom('webhook', 'create', '--company', 'local', '--url', 'ftp://x')
  expect([wrong.code, wrong.notes.at(-1)]).toEqual([1, expect.stringContaining('begin with https://')])
  const made = await json<{ id: string; secret: string }>(
    'webhook',
    'create',
    '--company',
    'local',
    '--url',
    address,
    '--event',
    'post.*',
  )
  secret = made.secret
  const { id } = made
  const listed = await json('webhook', 'list')
  expect(listed).toMatchObject([
    { id, companyId: 'local', url: address, events: ['post.*'], state: 'active' },
  ])
  expect(JSON.stringify(listed)).not.toContain(secret)
  expect((await cutroom('webhook', 'deliveries', id)).out).toHaveLength(1)

  const appliance = await start()
  try {
    const now = Date.now()
    const kind = { platform: 'bluesky', status: 'draft' } as const
    const row = { id: newId(), companyId: 'local', text: 'Hi', ...kind }
    const write = () =>
      appliance.services.db.orm
        .insert(posts)
        .values({ ...row, createdAt: now, updatedAt: now })
        .run()
    expect(await next(write)).toEqual({ event: 'post.created', genuine: true })
    const delivery = async () => {
      const found = await json<{ id: string; state: string; attempts: number }[]>(
        'webhook',
        'deliveries',
        id,
        '--state',
        'delivered',
      )
      return found[0]
    }
    await expect.poll(delivery).toMatchObject({ state: 'delivered', attempts: 1 })
    // The appliance that runs finds what the command has queued.
    const deliveryId = (await delivery())?.id ?? ''
    const again = () => cutroom('webhook', 'replay', deliveryId)
    expect(await next(again)).toEqual({ event: 'post.created', genuine: true })
    const table = await cutroom('webhook', 'deliveries', id)
    expect(table.out[1]).toContain('post.created')
  } finally {
    await appliance.stop()
  }

  expect((await cutroom('webhook', 'deliveries', id, '--state', 'odd')).code).toBe(2)
  expect((await cutroom('webhook', 'replay', 'none')).notes.at(-1)).toContain('There is no delivery')
  expect((await cutroom('webhook', 'delete', id)).out).toEqual([`Webhook ${id} is deleted.`])
  expect(await json('webhook', 'list')).toEqual([])
  expect((await cutroom('webhook', 'delete', id)).code).toBe(1)
})
