import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { hashInThread, hashPassword, isPassword } from './hash.ts'

it('knows its password, and no other', async () => {
  const stored = await hashPassword('the heron left before noon')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await isPassword('the heron left before noon', stored)).toBe(true)
  expect(await isPassword('the heron left before noo', stored)).toBe(false)
  expect(await hashPassword('the heron left before noon')).not.toBe(stored)
  expect(await isPassword('', 'not a hash')).toBe(false)
})

it('gives the test vector of the reference implementation, by the thread as by Node', async () => {
  // phc-winner-argon2, test.c: argon2id, t=2, m=2^16, p=1, "password", "somesalt".
  const hash = '09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7'
  const work = { password: 'password', salt: Buffer.from('somesalt') }
  const size = { memory: 65_536, passes: 2, parallelism: 1, length: 32 }
  expect((await hashInThread({ ...work, ...size })).toString('hex')).toBe(hash)
  const base64 = (text: string, from: BufferEncoding) =>
    Buffer.from(text, from).toString('base64').replace(/=+$/, '')
  const stored = `$argon2id$v=19$m=65536,t=2,p=1$${base64('somesalt', 'utf8')}$${base64(hash, 'hex')}`
  expect(await isPassword('password', stored)).toBe(true)
})

it('leaves the event loop free, and refuses when too many wait', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => hashPassword('x'.repeat(20))))
  delay.disable()
  expect(results.filter(({ status }) => status === 'rejected').length).toBe(8)
  expect(delay.percentile(90) / 1e6).toBeLessThan(60)
})
