/** The short form of `npm run fuzz`: the same requests, fewer of them. */
import { describe, expect, it } from 'vitest'
import { fuzz } from './drive.ts'
import { randomFrom } from './random.ts'
import { requestsFor, type OpenApi } from './requests.ts'

describe('requests made from the OpenAPI document', () => {
  it('get declared responses: no 5xx, no silence, no growth', { timeout: 60_000 }, async () => {
    const report = await fuzz({ requests: 1500, seed: 20 })
    expect(report.findings).toEqual([])
    expect(report.found).toBe(0)
    // Every route succeeded at least once, or this would prove nothing about its responses.
    // Webhooks take a key of scope admin, which this one has not.
    expect(Object.keys(report.succeeded).filter((route) => !route.includes('/webhooks')).length).toBe(28)
    expect(report.statuses['400']).toBeGreaterThan(50)
    expect(report.memory.end.heapMb - report.memory.warm.heapMb).toBeLessThan(16)
  })

  it('of the domain API as well', { timeout: 60_000 }, async () => {
    const report = await fuzz({ requests: 1500, seed: 6, api: 'domain' })
    expect(report.findings).toEqual([])
    expect(report.found).toBe(0)
    expect(Object.keys(report.succeeded).length).toBeGreaterThan(15)
    expect(report.memory.end.heapMb - report.memory.warm.heapMb).toBeLessThan(16)
  })

  it('are the same for the same seed', () => {
    const document: OpenApi = {
      paths: {
        '/a/{id}': {
          get: {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            responses: {},
          },
        },
      },
      components: { schemas: {} },
    }
    const firstOf = (seed: number) => {
      const source = requestsFor(
        { document, credentials: () => ['Authorization', 'k'], known: {} },
        randomFrom(seed),
      )
      return Array.from({ length: 200 }, () => source.next().value)
    }
    expect(firstOf(3)).toEqual(firstOf(3))
    expect(firstOf(3)).not.toEqual(firstOf(4))
  })
})
