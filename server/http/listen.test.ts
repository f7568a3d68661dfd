import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { listen, whyNot } from './server.ts'

const started: Server[] = []
const server = (): Server => {
  const one = createServer()
  started.push(one)
  return one
}
afterEach(() => {
  for (const one of started.splice(0)) one.close()
})

const HOST = '127.0.0.1'

describe('listen', () => {
  test('answers the port that it has got', async () => {
    expect(await listen(server(), { host: HOST, port: 0 })).toBeGreaterThan(0)
  })

  test('names the port where it is taken', async () => {
    const port = await listen(server(), { host: HOST, port: 0 })
    const again = listen(server(), { host: HOST, port })
    await expect(again).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('CUTROOM_PORT') as string,
    })
  })

  // One that is reserved for documents, and one that no name server knows.
  test.each(['192.0.2.1', 'nowhere.invalid'])(
    'names the host where %s is not of this machine',
    async (host) => {
      await expect(listen(server(), { host, port: 0 })).rejects.toMatchObject({
        code: 'INVALID_CONFIGURATION',
        message: expect.stringMatching(`${host}.*CUTROOM_HOST`) as string,
      })
    },
  )

  test('names the port where it is not for everybody', () => {
    const cause = Object.assign(new Error('no'), { code: 'EACCES' })
    expect(whyNot(cause, { host: HOST, port: 80 })).toContain('CUTROOM_PORT')
  })
})
