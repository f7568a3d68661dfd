import { Tensor } from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { providersToTry, type Provider } from '../../server/contract/inference.ts'
import { openOnFirstProvider, runtimeBackends, type ProviderSource } from './providers.ts'
import { openSession, tinyModel } from './session.ts'

const complete = (...names: string[]) => names.map((name) => ({ name, complete: true }))

describe('providersToTry', () => {
  it.each([
    ['auto', 'linux', complete('cpu', 'cuda'), ['cuda', 'cpu']],
    ['auto', 'linux', [{ name: 'cuda', complete: false }], ['cpu']],
    ['auto', 'win32', complete('cpu', 'dml'), ['dml', 'cpu']],
    ['auto', 'darwin', complete('cpu', 'coreml'), ['coreml', 'cpu']],
    ['auto', 'freebsd', complete('cuda'), ['cpu']],
    ['cpu', 'linux', complete('cuda'), ['cpu']],
    ['cuda', 'linux', [], ['cuda', 'cpu']],
  ] as const)('%s on %s', (setting, platform, backends, expected) => {
    expect(providersToTry(setting, platform, backends)).toEqual(expected)
  })
})

function machine(platform: string, ...names: string[]): ProviderSource {
  return { platform, backends: () => complete(...names), failures: new Map() }
}

describe('openOnFirstProvider', () => {
  it('takes the card where it works', async () => {
    const preference = { warn: (message: string) => expect.fail(message) }
    const made = (on: Provider) => Promise.resolve(`on ${on}`)
    expect(await openOnFirstProvider(preference, made, machine('darwin', 'coreml'))).toEqual({
      made: 'on coreml',
      provider: 'coreml',
    })
  })

  it('falls back with a warning each time, tries a broken card once, and passes on what is wrong everywhere', async () => {
    const source = machine('linux', 'cuda', 'cpu')
    const tried: Provider[] = []
    const warnings: string[] = []
    const preference = { warn: (message: string) => void warnings.push(message) }
    const make = (on: Provider) => {
      tried.push(on)
      return on === 'cpu' ? Promise.resolve(1) : Promise.reject(new Error('no driver\nmore'))
    }
    for (const _ of [1, 2])
      expect(await openOnFirstProvider(preference, make, source)).toEqual({ made: 1, provider: 'cpu' })
    expect(tried).toEqual(['cuda', 'cpu', 'cpu'])
    expect(warnings).toEqual(
      Array(2).fill('CUDA does not work here, so models run on the processor: no driver'),
    )
    const broken = () => Promise.reject(new Error('damaged'))
    await expect(openOnFirstProvider(preference, broken, machine('linux'))).rejects.toThrow('damaged')
  })
})

describe('openSession', () => {
  it('opens a real session on what this machine has, and falls back from a card it has not', async () => {
    const warnings: string[] = []
    const preference = { inference: 'dml' as const, warn: (message: string) => void warnings.push(message) }
    const source = { ...machine('win32', 'dml') }
    const { session, provider } = await openSession(tinyModel(), preference, {}, source)
    const answer = await session.run({ x: new Tensor('float32', Float32Array.of(7), [1]) })
    expect(answer['y']?.data).toEqual(Float32Array.of(7))
    await session.release()
    if (process.platform !== 'win32') {
      expect(provider).toBe('cpu')
      expect(warnings.join()).toContain('DirectML does not work here')
    }
  })

  it('keeps a model of many small steps on the processor unless a card is named', async () => {
    const preference = { warn: (message: string) => expect.fail(message) }
    const source = machine('linux', 'cuda')
    const { session, provider } = await openSession(tinyModel(), preference, { manySmallSteps: true }, source)
    await session.release()
    expect(provider).toBe('cpu')
    expect(source.failures.size).toBe(0)
  })

  it('asks the real runtime what it has', () => {
    expect(runtimeBackends().some(({ name, complete: whole }) => name === 'cpu' && whole)).toBe(true)
  })
})
