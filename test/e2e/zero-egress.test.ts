/**
 * `network: off`, verified by the kernel: in a network namespace without a route every connection and datagram to
 * another machine is counted. (The whole run of the sample, to rendered clips, is in demo.test.ts, in such a namespace
 * as well.)
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  runSealed,
  createNetworkNamespace,
  type NoNamespace,
  type NetworkNamespace,
} from '../support/network-namespace.ts'

const PROGRAM = join(import.meta.dirname, '..', 'support', 'egress-program.ts')

interface Output {
  readonly runs: readonly { url: string; code: string; error: string }[]
  readonly model: string
  readonly keys: string
  readonly delivery: string
}

let folder = ''
let room: NetworkNamespace | NoNamespace
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-sealed-'))
  room = createNetworkNamespace(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the network namespace counts connections to other machines', ({ skip }) => {
  if ('why' in room) return skip(room.why)
  runSealed(room, [process.execPath, PROGRAM, 'careless'])
  expect(room.attempts()).toBeGreaterThanOrEqual(2)
})

test('an appliance with the network off connects to no other machine for any request, and reports why', ({
  skip,
}) => {
  if ('why' in room) return skip(room.why)
  const reported = JSON.parse(runSealed(room, [process.execPath, PROGRAM, 'careful'])) as Output
  expect(room.attempts()).toBe(0)
  expect(reported.runs).toHaveLength(4)
  for (const { url, code, error } of reported.runs) {
    expect(error, url).toMatch(/network is off/i)
    expect(code, url).toMatch(/^SOURCE_|^UNSUPPORTED_/)
  }
  expect(reported.model).toMatch(/network is off.*--from/)
  expect(reported.keys).toMatch(/not valid.*network is off/)
  expect(reported.delivery).toMatch(/network is off/i)
})
